"""Reads one picture from a file or from bytes: checked before decoding, upright, always BGR.

Pillow reads the header, OpenCV decodes.
"""

import io
import os
import stat
import warnings
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageFile

from hardware.camera.source.errors import PictureError, PictureFault
from hardware.camera.types import Picture

READABLE = "PNG, JPEG, WebP, BMP or GIF"
# Grey shown through transparency: neither a card's white border nor its black one.
_BACKGROUND = 128
_STRIP = 256
_ORIENTATION = 0x0112
_SIGNATURES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8", b"RIFF", b"BM", b"GIF87a", b"GIF89a")
# Other things that people send, by the bytes at an offset.
_OTHERS = (
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

# Sizes are checked here, against PictureLimits; Pillow's own limit would hide them.
Image.MAX_IMAGE_PIXELS = None
# Pillow warns about broken EXIF data; such a picture is taken as upright.
warnings.filterwarnings("ignore", module="PIL")


@dataclass(frozen=True, slots=True)
class PictureLimits:
    """Limits on what is decoded. 64 million pixels take 190 MB; phones take 50 million."""

    bytes: int = 32_000_000
    pixels: int = 64_000_000
    least_side: int = 16


def read_picture(source: str | Path | bytes, limits: PictureLimits | None = None) -> Picture:
    """Read a picture from a file or its bytes; from an animation the first frame.

    Grey, 16-bit, CMYK and transparent pictures are converted, and the EXIF orientation is applied.
    Raises PictureError.
    """
    limits = limits or PictureLimits()
    if isinstance(source, bytes):
        name, data = "the picture", source
        if len(data) > limits.bytes:
            raise _too_many_bytes(name, len(data), limits)
    else:
        name, data = str(source), _bytes_of(Path(source), limits)
    header = _checked(name, data, limits)
    return _upright(_decode(name, data, header.format), _orientation(header))


def check_picture(data: bytes, limits: PictureLimits, formats: Collection[str]) -> tuple[int, int]:
    """Check a picture without decoding it; return width and height. Raises PictureError."""
    if len(data) > limits.bytes:
        raise _too_many_bytes("the picture", len(data), limits)
    header = _checked("the picture", data, limits)
    if header.format not in formats:
        wanted = " or ".join(formats)
        message = f"the picture is {header.format}; send it as {wanted}"
        raise PictureError(PictureFault.FOREIGN, message)
    return header.size


def is_picture(file: Path) -> bool:
    """Return whether a file starts like a picture."""
    try:
        with file.open("rb") as handle:
            return _starts_as_picture(os.read(handle.fileno(), 16))
    except OSError:
        return False


def _checked(name: str, data: bytes, limits: PictureLimits) -> ImageFile.ImageFile:
    """Open a picture that is whole and of a fitting size. Raises PictureError."""
    if not data:
        raise PictureError(PictureFault.BROKEN, f"{name} is empty")
    header = _header(name, data)
    _check_size(name, header.size, limits)
    if not _is_complete(header, data):
        raise PictureError(
            PictureFault.BROKEN, f"{name} is cut short: its end is missing; send it again"
        )
    return header


def _bytes_of(file: Path, limits: PictureLimits) -> bytes:
    try:
        about = file.stat()
        if not stat.S_ISREG(about.st_mode):
            what = "a folder" if stat.S_ISDIR(about.st_mode) else "no ordinary file"
            raise PictureError(PictureFault.FOREIGN, f"{file} is {what}, not a picture")
        if about.st_size > limits.bytes:
            raise _too_many_bytes(str(file), about.st_size, limits)
        with file.open("rb") as handle:
            return handle.read(limits.bytes)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise PictureError(PictureFault.ABSENT, f"{file} cannot be read: {reason}") from None


def _too_many_bytes(name: str, size: int, limits: PictureLimits) -> PictureError:
    return PictureError(
        PictureFault.TOO_LARGE,
        f"{name} has {size / 1e6:.1f} MB; at most {limits.bytes / 1e6:.0f} MB are read",
    )


def _header(name: str, data: bytes) -> ImageFile.ImageFile:
    """Open a picture without decoding it. Raises PictureError."""
    if not _starts_as_picture(data):
        what = _other(data) or "not a picture"
        raise PictureError(PictureFault.FOREIGN, f"{name} is {what}; send it as {READABLE}")
    try:
        header = Image.open(io.BytesIO(data), formats=("PNG", "JPEG", "WEBP", "BMP", "GIF"))
    except Exception:  # Pillow's parsers raise many kinds
        raise PictureError(
            PictureFault.BROKEN, f"{name} is damaged or cut short: only its start is a picture's"
        ) from None
    return header


def _starts_as_picture(data: bytes) -> bool:
    if data.startswith(b"RIFF") and data[8:12] != b"WEBP":
        return False  # a video or a sound
    return data.startswith(_SIGNATURES)


def _other(data: bytes) -> str | None:
    head = data[:64].lstrip() if data[:1].isspace() else data[:64]
    for mark, at, name in _OTHERS:
        if head[at : at + len(mark)].lower() == mark.lower():
            return name
    return None


def _check_size(name: str, size: tuple[int, int], limits: PictureLimits) -> None:
    width, height = size
    pixels = f"{width} × {height} pixels"
    if width * height > limits.pixels:
        raise PictureError(
            PictureFault.TOO_LARGE,
            f"{name} has {pixels}; at most {limits.pixels / 1e6:.0f} million are read, "
            "so make it smaller",
        )
    if min(width, height) < limits.least_side:
        raise PictureError(
            PictureFault.TOO_SMALL, f"{name} has {pixels}, which is too small to show a card"
        )


def _is_complete(header: ImageFile.ImageFile, data: bytes) -> bool:
    """Return whether the end of the data is there; OpenCV fills in what is missing with grey."""
    match header.format:
        case "PNG":
            return data.rfind(b"IEND\xaeB`\x82") >= 0
        case "GIF":
            return data.rstrip(b"\0").endswith(b";")
        case "BMP":
            try:
                header.load()
            except Exception:
                return False
            return True
        case "WEBP":
            return len(data) >= int.from_bytes(data[4:8], "little") + 8
        case _:
            # Search the compressed data only: before it is the end of a thumbnail.
            start = 0 if header.fp is None else header.fp.tell()
            return data.find(b"\xff\xd9", start) >= 0


def _decode(name: str, data: bytes, format_name: str | None) -> Picture:
    # OpenCV converts CMYK only with IMREAD_COLOR, which drops the transparency of other formats.
    color = format_name in ("JPEG", "MPO")
    flags = cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION if color else cv2.IMREAD_UNCHANGED
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    except (cv2.error, MemoryError):
        picture = None
    if picture is None or picture.size == 0:
        raise PictureError(
            PictureFault.BROKEN, f"{name} is a {format_name} picture that cannot be decoded"
        )
    if picture.dtype == np.uint16:
        picture = np.right_shift(picture, 8).astype(np.uint8)
    if picture.ndim == 2:
        picture = cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR)
    return _opaque(picture) if picture.shape[2] == 4 else picture


def _opaque(picture: np.ndarray) -> np.ndarray:
    out = np.empty((*picture.shape[:2], 3), np.uint8)
    for top in range(0, len(picture), _STRIP):  # in strips, to save memory
        strip = picture[top : top + _STRIP]
        share = strip[:, :, 3:].astype(np.float32) / 255
        out[top : top + _STRIP] = strip[:, :, :3] * share + _BACKGROUND * (1 - share) + 0.5
    return out


def _orientation(header: ImageFile.ImageFile) -> int:
    """Return the EXIF orientation, 1 (upright) to 8; 1 if it is missing or invalid."""
    exif = Image.Exif()
    try:
        exif.load(header.info.get("exif", b""))
        orientation = exif.get(_ORIENTATION, 1)
    except Exception:  # Pillow's EXIF parser raises many kinds
        return 1
    return orientation if orientation in range(1, 9) else 1


def _upright(picture: Picture, orientation: int) -> Picture:
    if orientation in (5, 6, 7, 8):
        picture = picture.transpose(1, 0, 2)
    if orientation in (2, 3, 6, 7):
        picture = picture[:, ::-1]
    if orientation in (3, 4, 7, 8):
        picture = picture[::-1]
    return np.ascontiguousarray(picture)
