"""QR codes that open the page: with the join code filled in, or at a club evening."""

import io
import re
from urllib.parse import urljoin

import segno

TOURNAMENT = re.compile(r"[\w-]{4,64}", re.ASCII)
CODE = re.compile(r"[0-9A-Za-z -]{4,24}")
# The QR standard's quiet zone, in modules.
MARGIN = 4


def join_address(origin: str, code: str) -> str:
    """Return the address for joining with this code. ``origin`` ends with a slash."""
    return urljoin(origin, f"join?code={code.replace(' ', '').replace('-', '').upper()}")


def join_code_svg(origin: str, code: str) -> bytes | None:
    """Return a QR code of the address as SVG, None if the code is malformed."""
    if not CODE.fullmatch(code):
        return None
    return _svg(join_address(origin, code))


def club_svg(origin: str, tournament: str) -> bytes | None:
    """Return a QR code of a club evening's address as SVG, None if its id is malformed."""
    if not TOURNAMENT.fullmatch(tournament):
        return None
    return _svg(urljoin(origin, f"club/{tournament}"))


def _svg(address: str) -> bytes:
    picture = io.BytesIO()
    segno.make(address, error="m", micro=False).save(
        picture, kind="svg", border=MARGIN, dark="#111", light="#fff", xmldecl=False, svgns=True
    )
    return picture.getvalue()
