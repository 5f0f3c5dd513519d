"""What the first bytes of a picture say of it, so that nothing large is decoded unseen."""

import struct
from collections.abc import Callable
from dataclasses import dataclass

# What people send that is none of the formats read here, by its first bytes.
FOREIGN = (
    (b"%PDF", 0, "a PDF"),
    (b"ftypheic", 4, "a HEIC picture"),
    (b"ftypheix", 4, "a HEIC picture"),
    (b"ftypmif1", 4, "a HEIF picture"),
    (b"ftypavif", 4, "an AVIF picture"),
    (b"ftyp", 4, "a video"),
    (b"AVI ", 8, "a video"),
    (b"\x1aE\xdf\xa3", 0, "a video"),
    (b"II*\0", 0, "a TIFF picture"),
    (b"MM\0*", 0, "a TIFF picture"),
    (b"<svg", 0, "an SVG drawing"),
    (b"<?xml", 0, "XML"),
    (b"<!DOCTYPE", 0, "a web page"),
    (b"<html", 0, "a web page"),
    (b"PK\x03\x04", 0, "a ZIP archive"),
)
_ORIENTATION = 0x0112
_UPRIGHT = 1


@dataclass(frozen=True, slots=True)
class Header:
    """A picture before it is decoded.

    ``width`` and ``height`` are as stored, before ``orientation`` (1 to 8, as EXIF counts) is
    applied; ``whole`` is whether its end is there.
    """

    format: str
    width: int
    height: int
    whole: bool
    orientation: int = _UPRIGHT


def read_header(data: bytes) -> Header | None:
    """The header of a PNG, JPEG, WebP, BMP or GIF; None if it is none of them or too short."""
    for start, parse in _PARSERS:
        if data.startswith(start):
            try:
                return parse(data)
            except (struct.error, IndexError):
                return None
    return None


def known_start(data: bytes) -> bool:
    """Whether it begins as a picture does, whatever follows."""
    if data.startswith(b"RIFF") and data[8:12] != b"WEBP":
        return False  # a video or a sound
    return any(data.startswith(start) for start, _ in _PARSERS)


def foreign(data: bytes) -> str | None:
    """What it is instead of a picture, in words, if that can be told."""
    head = data[:64].lstrip() if data[:1].isspace() else data[:64]
    for mark, at, words in FOREIGN:
        if head[at : at + len(mark)].lower() == mark.lower():
            return words
    return None


def _png(data: bytes) -> Header:
    width, height = struct.unpack_from(">II", data, 16)
    at, orientation = 8, _UPRIGHT
    while True:
        if at + 12 > len(data):
            return Header("PNG", width, height, False, orientation)
        size, kind = struct.unpack_from(">I4s", data, at)
        if kind == b"eXIf":
            orientation = _exif_orientation(data[at + 8 : at + 8 + size])
        if kind == b"IEND":
            return Header("PNG", width, height, True, orientation)
        at += size + 12


def _jpeg(data: bytes) -> Header | None:
    at, orientation, size = 2, _UPRIGHT, None
    while True:
        if data[at] != 0xFF:
            return None
        while data[at] == 0xFF:
            at += 1
        marker = data[at]
        (length,) = struct.unpack_from(">H", data, at + 1)
        if marker == 0xE1 and data[at + 3 : at + 9] == b"Exif\0\0":
            orientation = _exif_orientation(data[at + 9 : at + 1 + length])
        elif 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            size = struct.unpack_from(">HH", data, at + 4)
        elif marker == 0xDA:
            break
        at += 1 + length
    if size is None:
        return None
    # In the data itself 0xFF is always followed by something else; a thumbnail's end lies before.
    whole = data.find(b"\xff\xd9", at) >= 0
    return Header("JPEG", size[1], size[0], whole, orientation)


def _webp(data: bytes) -> Header | None:
    if data[8:12] != b"WEBP":
        return None
    whole = len(data) >= struct.unpack_from("<I", data, 4)[0] + 8
    kind, orientation = data[12:16], _UPRIGHT
    if kind == b"VP8 " and data[23:26] == b"\x9d\x01\x2a":
        width, height = (side & 0x3FFF for side in struct.unpack_from("<HH", data, 26))
    elif kind == b"VP8L" and data[20] == 0x2F:
        (bits,) = struct.unpack_from("<I", data, 21)
        width, height = (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    elif kind == b"VP8X":
        width = int.from_bytes(data[24:27], "little") + 1
        height = int.from_bytes(data[27:30], "little") + 1
        orientation = _webp_orientation(data)
    else:
        return None
    return Header("WebP", width, height, whole, orientation)


def _webp_orientation(data: bytes) -> int:
    at = 12
    while at + 8 <= len(data):
        kind, size = struct.unpack_from("<4sI", data, at)
        if kind == b"EXIF":
            return _exif_orientation(data[at + 8 : at + 8 + size].removeprefix(b"Exif\0\0"))
        at += 8 + size + size % 2
    return _UPRIGHT


def _bmp(data: bytes) -> Header:
    _, _, pixels, size = struct.unpack_from("<IIII", data, 2)
    if size == 12:
        width, height, _, bits = struct.unpack_from("<HHHH", data, 18)
        packed = 0
    else:
        width, height, _, bits, packed = struct.unpack_from("<iiHHI", data, 18)
    width, height = abs(width), abs(height)
    rows = (width * bits + 31) // 32 * 4 * height
    # How long a run-length encoded one is, only its decoder knows.
    whole = packed in (1, 2) or len(data) >= pixels + rows
    return Header("BMP", width, height, whole)


def _gif(data: bytes) -> Header:
    width, height = struct.unpack_from("<HH", data, 6)
    return Header("GIF", width, height, data.rstrip(b"\0").endswith(b";"))


def _exif_orientation(exif: bytes) -> int:
    """The orientation in EXIF data, upright if it says none."""
    order = {b"II*\0": "<", b"MM\0*": ">"}.get(exif[:4])
    if order is None:
        return _UPRIGHT
    try:
        (at,) = struct.unpack_from(f"{order}I", exif, 4)
        (entries,) = struct.unpack_from(f"{order}H", exif, at)
        for number in range(entries):
            tag, _, _, value = struct.unpack_from(f"{order}HHIH", exif, at + 2 + 12 * number)
            if tag == _ORIENTATION:
                return value if 1 <= value <= 8 else _UPRIGHT
    except struct.error:
        return _UPRIGHT
    return _UPRIGHT


_PARSERS: tuple[tuple[bytes, Callable[[bytes], Header | None]], ...] = (
    (b"\x89PNG\r\n\x1a\n", _png),
    (b"\xff\xd8", _jpeg),
    (b"RIFF", _webp),
    (b"BM", _bmp),
    (b"GIF87a", _gif),
    (b"GIF89a", _gif),
)
