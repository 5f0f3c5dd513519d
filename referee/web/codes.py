"""QR codes that open the page: with the join code filled in, at a club evening, or as a camera."""

import io
import re
from collections.abc import Callable
from urllib.parse import quote, urljoin, urlsplit, urlunsplit

import segno

TOURNAMENT = re.compile(r"[\w-]{4,64}", re.ASCII)
TABLE = re.compile(r"[\w-]{4,64}", re.ASCII)
TOKEN = re.compile(r"[\w-]{20,128}", re.ASCII)
CODE = re.compile(r"[0-9A-Za-z -]{4,24}")
# The QR standard's quiet zone, in modules.
MARGIN = 4


def join_address(origin: str, code: str) -> str:
    """Return the address for joining with this code. ``origin`` ends with a slash."""
    return urljoin(origin, f"join?code={code.replace(' ', '').replace('-', '').upper()}")


def by_trust(address: str) -> str:
    """Return the address of the page that goes on to this one: protected, for who trusts the house.

    What is behind a ``#`` stays there, which browsers keep to themselves.
    """
    scheme, host, path, query, fragment = urlsplit(address)
    to = quote(f"{path}?{query}" if query else path)
    return urlunsplit((scheme, host, "/trust", f"to={to}", fragment))


def join_code_svg(origin: str, code: str, by: Callable[[str], str] = str) -> bytes | None:
    """Return a QR code of the address as SVG, None if the code is malformed.

    ``by`` may lead to the address by another one.
    """
    if not CODE.fullmatch(code):
        return None
    return _svg(by(join_address(origin, code)))


def club_svg(origin: str, tournament: str, by: Callable[[str], str] = str) -> bytes | None:
    """Return a QR code of a club evening's address as SVG, None if its id is malformed."""
    if not TOURNAMENT.fullmatch(tournament):
        return None
    return _svg(by(urljoin(origin, f"club/{tournament}")))


def camera_svg(origin: str, table: str, token: str, by: Callable[[str], str] = str) -> bytes | None:
    """Return a QR code that makes a phone the table's camera as SVG, None if either is malformed.

    The token is in the address's fragment, which browsers keep to themselves.
    """
    if not TABLE.fullmatch(table) or not TOKEN.fullmatch(token):
        return None
    return _svg(by(urljoin(origin, f"t/{table}/camera#camera={token}")))


def code_in_text(address: str) -> str:
    """Return a QR code of an address as text, two rows a line; its blocks are what is light."""
    picture = io.StringIO()
    segno.make(address, error="m", micro=False).terminal(picture, border=MARGIN, compact=True)
    return picture.getvalue()


def _svg(address: str) -> bytes:
    picture = io.BytesIO()
    segno.make(address, error="m", micro=False).save(
        picture, kind="svg", border=MARGIN, dark="#111", light="#fff", xmldecl=False, svgns=True
    )
    return picture.getvalue()
