"""Find in MicroPython's UF2 file what it says of itself: version, board, its file system's place.

That is the *binary info* of the Pico SDK, which ``picotool info`` shows: a marker near the
program's beginning points to a list of addresses of small records. So nothing about a release is
assumed; a Pico and a Pico W, whose file systems lie elsewhere, need not be told apart.
"""

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass

from hardware.flashing.uf2 import SECTOR, Memory, Uf2Error, take

OLDEST = (1, 25)  # of MicroPython; loads what mpy-cross makes now, and the littlefs that is written
FLASH = 0x10000000
_MARK, _END = b"\xf2\xeb\x88\x71", b"\x90\xa3\x1a\xe7"
_LOOKED_THROUGH = 2048  # bytes; the marker comes after the second stage of 256 bytes
_MOST_RECORDS = 4096
_MOST_TEXT = 128

_TEXT, _DEVICE = 6, 7  # types of records
_RASPBERRY, _MICROPYTHON = b"RP", b"MP"  # who defined them
_VERSION_ID, _BOARD_ID = 0x11A9BC3A, 0xB63CFFBB
BOARDS = {"pico": "a Pico", "pico_w": "a Pico W"}


@dataclass(frozen=True, slots=True)
class MicroPython:
    """A MicroPython for a Pico: its version, the board it is for, and where its files are kept."""

    version: str
    board: str
    address: int
    size: int


def look(memory: Memory) -> MicroPython:
    """Return the program's version, board and file system. Raises Uf2Error if unsuitable."""
    texts: dict[int, str] = {}
    device: tuple[int, int] | None = None
    for kind, tag, body in _records(memory):
        if (kind, tag) == (_TEXT, _RASPBERRY):
            number, at = struct.unpack_from("<II", body)
            texts[number] = _text(memory, at)
        elif (kind, tag) == (_DEVICE, _MICROPYTHON):
            _, address, size = struct.unpack_from("<III", body)
            device = (address, size)
    if device is None:
        raise Uf2Error("it is no MicroPython for a Pico")
    version, board = texts.get(_VERSION_ID, ""), texts.get(_BOARD_ID, "")
    match = re.match(r"v?(\d+)\.(\d+)", version)
    if match is None or (int(match[1]), int(match[2])) < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        raise Uf2Error(f"it is MicroPython {version or 'without a number'}; take {oldest} or later")
    if board not in BOARDS:
        raise Uf2Error(f"it is for another board ({board or 'unknown'}) than a Pico or a Pico W")
    address, size = device
    if address % SECTOR or size % SECTOR or not size:
        raise Uf2Error("its file system is not where it can be")
    if max(memory) >= address:
        raise Uf2Error("it has files in it already")
    return MicroPython(version, board, address, size)


def _records(memory: Memory) -> Iterator[tuple[int, bytes, bytes]]:
    """Yield each record's type, tag and body of at most 12 bytes."""
    begin = take(memory, FLASH, _LOOKED_THROUGH)
    at = begin.find(_MARK)
    if at < 0 or begin[at + 16 : at + 20] != _END:
        raise Uf2Error("it is no MicroPython for a Pico")
    first, end = struct.unpack_from("<II", begin, at + 4)
    if not 0 <= end - first <= 4 * _MOST_RECORDS:
        raise Uf2Error("it is no MicroPython for a Pico")
    for (address,) in struct.iter_unpack("<I", take(memory, first, end - first)):
        kind, tag, body = struct.unpack("<H2s12s", take(memory, address, 16))
        yield kind, tag, body


def _text(memory: Memory, address: int) -> str:
    for size in range(_MOST_TEXT):
        if take(memory, address + size, 1) == b"\0":
            return take(memory, address, size).decode("ascii", "replace")
    return ""
