"""A MicroPython for a Pico that is none: what it says of itself, where a real one says it."""

import struct

from hardware.flashing import uf2
from hardware.flashing.micropython import FLASH

PLACE, SIZE = FLASH + 0xA0000, 1408 * 1024
_RECORDS, _LIST, _TEXTS = 0x1000, 0x1800, 0x1C00


def micropython(
    version: str = "v1.26.1", board: str = "pico", place: int = PLACE, size: int = SIZE
) -> uf2.Memory:
    """The pages of a program, with binary info as the Pico SDK writes it."""
    flash = bytearray(0x2000)
    texts = {0x11A9BC3A: version, 0xB63CFFBB: board}
    records = []
    at = _TEXTS
    for number, text in texts.items():
        flash[at : at + len(text) + 1] = text.encode() + b"\0"
        records.append(struct.pack("<H2sII", 6, b"RP", number, FLASH + at))
        at += 64
    # A record of somebody else's, then the file system's: name, address, size, more, flags.
    records.append(struct.pack("<H2sII", 5, b"XX", 0xB63CFFBB, 1))
    device = struct.pack("<H2sIIIIH", 7, b"MP", FLASH + _TEXTS, place, size, 0, 3)
    records.append(device)
    listed = b""
    for number, record in enumerate(records):
        start = _RECORDS + 64 * number
        flash[start : start + len(record)] = record
        listed += struct.pack("<I", FLASH + start)
    flash[_LIST : _LIST + len(listed)] = listed
    header = (FLASH + _LIST, FLASH + _LIST + len(listed), 0)
    flash[0x110:0x124] = struct.pack("<IIIII", 0x7188EBF2, *header, 0xE71AA390)
    return uf2.pages(FLASH, bytes(flash))
