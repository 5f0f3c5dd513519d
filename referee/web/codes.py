"""The join code as a QR code: an address that opens the page with the code filled in."""

import io
import re
from urllib.parse import urljoin

import segno

CODE = re.compile(r"[0-9A-Za-z -]{4,24}")
# Scanners want dark on light, and a margin of four modules around it.
MARGIN = 4


def join_address(origin: str, code: str) -> str:
    """Where a browser joins a table with this code. ``origin`` ends with a slash."""
    return urljoin(origin, f"join?code={code.replace(' ', '').replace('-', '').upper()}")


def join_code_svg(origin: str, code: str) -> bytes | None:
    """A QR code of the address, dark on white; None if that can be no join code."""
    if not CODE.fullmatch(code):
        return None
    picture = io.BytesIO()
    segno.make(join_address(origin, code), error="m", micro=False).save(
        picture, kind="svg", border=MARGIN, dark="#111", light="#fff", xmldecl=False, svgns=True
    )
    return picture.getvalue()
