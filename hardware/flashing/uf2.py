"""UF2, the files that a Pico in BOOTSEL takes: blocks of 512 bytes, each with 256 for an address.

A Pico erases a sector of 4096 bytes when it gets the first block of a *number* from 16 n to
16 n + 15, whatever its address (erratum RP2040-E14). So a file has each sector whole, in blocks
whose numbers begin at a multiple of 16.
"""

import struct
from collections.abc import Mapping

RP2040 = 0xE48BFF56  # the chip of a Pico and a Pico W, as UF2 numbers its families
SECTOR = 4096
PAGE = 256
ERASED = b"\xff"

_BLOCK = struct.Struct("<8I476sI")
_MAGIC = (0x0A324655, 0x9E5D5157, 0x0AB16F30)
_NOT_MAIN_FLASH = 0x0001
_HAS_FAMILY = 0x2000

Memory = dict[int, bytes]  # address of a page → its 256 bytes


class Uf2Error(ValueError):
    """This is no file for a Pico; the text says why."""


def read(data: bytes) -> Memory:
    """Return the pages in a file for the RP2040. Raises Uf2Error."""
    if not data or len(data) % _BLOCK.size:
        raise Uf2Error("it is no UF2 file, or was not downloaded to its end")
    memory: Memory = {}
    for number, block in enumerate(_BLOCK.iter_unpack(data)):
        first, second, flags, address, size, block_number, blocks, family, payload, last = block
        if (first, second, last) != _MAGIC:
            raise Uf2Error("it is no UF2 file, or was not downloaded to its end")
        if not flags & _HAS_FAMILY or family != RP2040:
            raise Uf2Error("it is for another chip than a Pico's (RP2040); a Pico 2 will not do")
        if blocks != len(data) // _BLOCK.size or block_number != number:
            raise Uf2Error("some of its blocks are missing")
        if size != PAGE or address % PAGE or flags & _NOT_MAIN_FLASH:
            raise Uf2Error("it is not for the flash of a Pico")
        memory[address] = payload[:PAGE]
    return memory


def write(memory: Mapping[int, bytes]) -> bytes:
    """Return a file with these pages, and with all of each sector that one of them is in."""
    sectors = sorted({address - address % SECTOR for address in memory})
    addresses = [start + at for start in sectors for at in range(0, SECTOR, PAGE)]
    return b"".join(
        _BLOCK.pack(
            *_MAGIC[:2],
            _HAS_FAMILY,
            address,
            PAGE,
            number,
            len(addresses),
            RP2040,
            memory.get(address, ERASED * PAGE),
            _MAGIC[2],
        )
        for number, address in enumerate(addresses)
    )


def pages(address: int, data: bytes) -> Memory:
    """Return data as pages from an address on; both are multiples of 256."""
    return {address + at: data[at : at + PAGE] for at in range(0, len(data), PAGE)}


def take(memory: Mapping[int, bytes], address: int, size: int) -> bytes:
    """Return bytes at an address, which may be none's. Raises Uf2Error if a page is missing."""
    first = address - address % PAGE
    try:
        whole = b"".join(memory[at] for at in range(first, address + size, PAGE))
    except KeyError:
        raise Uf2Error("a part of the program is missing") from None
    return whole[address - first : address - first + size]
