"""One picture from a file or from bytes: looked at before it is decoded, upright, always BGR."""

import os
import stat
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from hardware.camera.source.errors import Fault, PictureError
from hardware.camera.source.image_header import Header, foreign, known_start, read_header
from hardware.camera.types import Picture

READ = "PNG, JPEG, WebP, BMP or GIF"
# What shows through where a picture is transparent: neither a card's white nor its black border.
_BEHIND = 128
_STRIP = 256


@dataclass(frozen=True, slots=True)
class Limits:
    """What is decoded at all: 64 million pixels take 190 MB, and phones take 50 million."""

    bytes: int = 32_000_000
    pixels: int = 64_000_000
    least_side: int = 16


def read_picture(source: str | Path | bytes, limits: Limits | None = None) -> Picture:
    """The picture of a file or of its bytes; of an animation the first.

    Grey, 16 bit, CMYK and transparent ones are converted, and the camera's orientation is applied.
    Raises PictureError.
    """
    limits = limits or Limits()
    if isinstance(source, bytes):
        name, data = "the picture", source
        if len(data) > limits.bytes:
            raise _too_many_bytes(name, len(data), limits)
    else:
        name, data = str(source), _bytes_of(Path(source), limits)
    header = _checked(name, data, limits)
    return _upright(_decoded(name, data, header), header.orientation)


def _bytes_of(file: Path, limits: Limits) -> bytes:
    try:
        about = file.stat()
        if not stat.S_ISREG(about.st_mode):
            what = "a folder" if stat.S_ISDIR(about.st_mode) else "no ordinary file"
            raise PictureError(Fault.FOREIGN, f"{file} is {what}, not a picture")
        if about.st_size > limits.bytes:
            raise _too_many_bytes(str(file), about.st_size, limits)
        with file.open("rb") as handle:
            return handle.read(limits.bytes)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise PictureError(Fault.ABSENT, f"{file} cannot be read: {reason}") from None


def _too_many_bytes(name: str, size: int, limits: Limits) -> PictureError:
    return PictureError(
        Fault.TOO_LARGE,
        f"{name} has {size / 1e6:.1f} MB; at most {limits.bytes / 1e6:.0f} MB are read",
    )


def _checked(name: str, data: bytes, limits: Limits) -> Header:
    """The header of a picture that may be decoded. Raises PictureError."""
    if not data:
        raise PictureError(Fault.BROKEN, f"{name} is empty")
    header = read_header(data)
    if header is None:
        if known_start(data):
            raise PictureError(
                Fault.BROKEN, f"{name} is damaged or cut short: only its beginning is a picture's"
            )
        what = foreign(data) or "not a picture"
        raise PictureError(Fault.FOREIGN, f"{name} is {what}; send it as {READ}")
    size = f"{header.width} × {header.height} pixels"
    if header.width * header.height > limits.pixels:
        raise PictureError(
            Fault.TOO_LARGE,
            f"{name} has {size}; at most {limits.pixels / 1e6:.0f} million are read, "
            "so make it smaller",
        )
    if min(header.width, header.height) < limits.least_side:
        raise PictureError(Fault.TOO_SMALL, f"{name} has {size}, which is too small to show a card")
    if not header.whole:
        raise PictureError(
            Fault.BROKEN, f"{name} is cut short: its end is missing, so send it again"
        )
    return header


def _decoded(name: str, data: bytes, header: Header) -> Picture:
    # A JPEG that is CMYK becomes BGR only so; the others lose their transparency.
    color = header.format == "JPEG"
    flags = cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION if color else cv2.IMREAD_UNCHANGED
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    except (cv2.error, MemoryError):
        picture = None
    if picture is None or picture.size == 0:
        raise PictureError(
            Fault.BROKEN, f"{name} is a {header.format} picture that cannot be decoded"
        )
    return _as_bgr(picture)


def _as_bgr(picture: np.ndarray) -> Picture:
    if picture.dtype == np.uint16:
        picture = (picture >> 8).astype(np.uint8)
    if picture.ndim == 2:
        picture = cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR)
    return _opaque(picture) if picture.shape[2] == 4 else picture


def _opaque(picture: np.ndarray) -> np.ndarray:
    out = np.empty((*picture.shape[:2], 3), np.uint8)
    for top in range(0, len(picture), _STRIP):  # so that a large one is not in memory as floats
        strip = picture[top : top + _STRIP]
        share = strip[:, :, 3:].astype(np.float32) / 255
        out[top : top + _STRIP] = strip[:, :, :3] * share + _BEHIND * (1 - share) + 0.5
    return out


def _upright(picture: Picture, orientation: int) -> Picture:
    """The picture as the camera was held; orientations as EXIF counts them."""
    if orientation in (5, 6, 7, 8):
        picture = picture.transpose(1, 0, 2)
    if orientation in (2, 3, 6, 7):
        picture = picture[:, ::-1]
    if orientation in (3, 4, 7, 8):
        picture = picture[::-1]
    return np.ascontiguousarray(picture)


def is_picture(file: Path) -> bool:
    """Whether a file begins as a picture does."""
    try:
        with file.open("rb") as handle:
            return known_start(os.read(handle.fileno(), 16))
    except OSError:
        return False
