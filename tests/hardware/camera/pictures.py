"""Pictures and their bytes, some malformed on purpose."""

import struct
import zlib
from functools import cache
from pathlib import Path

import cv2
import numpy as np

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
    out = b"\xff\xd8" + b"\xff\xee\x00\x0eAdobe\x00\x64\x00\x00\x00\x00\x00"
    out += b"\xff\xdb\x00\x43\x00" + b"\x08" * 64
    parts = b"".join(bytes((number, 0x11, 0)) for number in (1, 2, 3, 4))
    out += b"\xff\xc0" + struct.pack(">HBHHB", 20, 8, 32, 32, 4) + parts
    lengths = bytes((0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0))
    out += b"\xff\xc4" + struct.pack(">HB", 31, 0) + lengths + bytes(range(12))
    out += b"\xff\xc4" + struct.pack(">HB", 20, 0x10) + b"\x01" + b"\0" * 15 + b"\x00"
    table = b"".join(bytes((number, 0)) for number in (1, 2, 3, 4))
    out += b"\xff\xda" + struct.pack(">HB", 14, 4) + table + b"\x00\x3f\x00"
    codes = {0: "00", 1: "010", 2: "011", 3: "100", 4: "101", 5: "110"}
    codes |= {6: "1110", 7: "11110", 8: "111110", 9: "1111110", 10: "11111110", 11: "111111110"}
    bits = ""
    for block in range(16):
        for ink in (cyan, magenta, yellow, black):
            step = 255 - ink - 128 if block == 0 else 0
            size = abs(step).bit_length()
            value = step if step > 0 else step + (1 << size) - 1
            bits += codes[size] + (f"{value:0{size}b}" if size else "") + "0"
    bits += "1" * (-len(bits) % 8)
    data = int(bits, 2).to_bytes(len(bits) // 8, "big").replace(b"\xff", b"\xff\x00")
    return out + data + b"\xff\xd9"
