"""Pictures and their bytes, some malformed on purpose."""

import io
import struct
import zlib
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from hardware.camera.types import Picture


def blocks(width: int = 64, height: int = 48) -> Picture:
    """Red top left, green top right, blue bottom left, white bottom right."""
    picture = np.zeros((height, width, 3), np.uint8)
    picture[: height // 2, : width // 2] = (0, 0, 255)
    picture[: height // 2, width // 2 :] = (0, 255, 0)
    picture[height // 2 :, : width // 2] = (255, 0, 0)
    picture[height // 2 :, width // 2 :] = (255, 255, 255)
    return picture


def encoded(picture: np.ndarray, extension: str = ".jpg") -> bytes:
    done, data = cv2.imencode(extension, picture)
    assert done
    return data.tobytes()


def write_video(file: Path, pictures: list[Picture], rate: float = 10.0) -> None:
    height, width = pictures[0].shape[:2]
    code = cv2.VideoWriter.fourcc(*"MJPG")
    writer = cv2.VideoWriter(str(file), code, rate, (width, height))
    for picture in pictures:
        writer.write(picture)
    writer.release()


def exif(orientation: int, order: str = "<") -> bytes:
    mark = b"II*\0" if order == "<" else b"MM\0*"
    entry = struct.pack(f"{order}HHIHH", 0x0112, 3, 1, orientation, 0)
    return mark + struct.pack(f"{order}IH", 8, 1) + entry + struct.pack(f"{order}I", 0)


def jpeg_with(data: bytes, marker: int, payload: bytes) -> bytes:
    """Insert a segment at the beginning of a JPEG."""
    return data[:2] + struct.pack(">BBH", 0xFF, marker, len(payload) + 2) + payload + data[2:]


def png_chunk(kind: bytes, payload: bytes) -> bytes:
    crc = zlib.crc32(kind + payload)
    return struct.pack(">I", len(payload)) + kind + payload + struct.pack(">I", crc)


@cache
def png_claiming(width: int, height: int) -> bytes:
    """A small PNG of this size, all black."""
    head = png_chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0))
    packer = zlib.compressobj(9)
    row = b"\0" * (1 + (width + 7) // 8)
    body = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    return b"\x89PNG\r\n\x1a\n" + head + png_chunk(b"IDAT", body) + png_chunk(b"IEND", b"")


def jpeg_claiming(width: int, height: int) -> bytes:
    """A JPEG whose header claims this size."""
    data = bytearray(encoded(blocks()))
    at = data.index(b"\xff\xc0")
    data[at + 5 : at + 9] = struct.pack(">HH", height, width)
    return bytes(data)


def cmyk_jpeg(cyan: int, magenta: int, yellow: int, black: int) -> bytes:
    """A JPEG of 32 x 32 pixels in one colour, 0 to 255 each; stored inverted, as Adobe does."""
    data = io.BytesIO()
    Image.new("CMYK", (32, 32), (cyan, magenta, yellow, black)).save(data, "JPEG")
    return data.getvalue()
