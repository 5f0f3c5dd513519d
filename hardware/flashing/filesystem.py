"""The file system of a Pico as MicroPython keeps it: littlefs 2 with a program in it."""

from collections.abc import Mapping
from typing import Any

from hardware.flashing.uf2 import ERASED, SECTOR, Memory, pages

PROGRAM_SIZE = 256  # bytes written at a time: MicroPython's progsize on a Pico
CACHE_SIZE = 4 * PROGRAM_SIZE  # MicroPython's
DISK_VERSION = 0x00020000  # what every littlefs 2 reads


class _Flash:
    """A flash in memory that remembers which sectors were looked at, written or erased."""

    def __init__(self, sectors: int) -> None:
        self.data = bytearray(ERASED * SECTOR * sectors)
        self.touched: set[int] = set()

    def read(self, _: object, block: int, off: int, size: int) -> bytearray:
        self.touched.add(block)
        start = block * SECTOR + off
        return self.data[start : start + size]

    def prog(self, _: object, block: int, off: int, data: bytes) -> int:
        self.touched.add(block)
        start = block * SECTOR + off
        self.data[start : start + len(data)] = data
        return 0

    def erase(self, _: object, block: int) -> int:
        self.touched.add(block)
        self.data[block * SECTOR : (block + 1) * SECTOR] = ERASED * SECTOR
        return 0

    def sync(self, _: object) -> int:
        return 0


def make(files: Mapping[str, bytes], address: int, size: int) -> Memory:
    """Return a file system with these files, by path, at an address; whole sectors of it.

    Sectors are left out that nothing refers to: whatever is in them is free. One is not left out
    because it is empty, for littlefs compares both sectors of a pair, and takes an old one for new.
    The same files give the same bytes. Raises ImportError without the package littlefs-python.
    """
    from littlefs import LittleFS

    flash = _Flash(size // SECTOR)
    # It asks for a class of the package, but uses these methods alone.
    context: Any = flash
    system = LittleFS(
        context,
        mount=False,
        block_size=SECTOR,
        block_count=size // SECTOR,
        read_size=PROGRAM_SIZE,
        prog_size=PROGRAM_SIZE,
        cache_size=CACHE_SIZE,
        disk_version=DISK_VERSION,
    )
    system.format()
    system.mount()
    for folder in sorted({path.rpartition("/")[0] for path in files} - {""}):
        system.makedirs(folder, exist_ok=True)
    for path, content in sorted(files.items()):
        with system.open(path, "wb") as file:
            file.write(content)
    system.unmount()
    memory: Memory = {}
    for block in flash.touched:
        start = block * SECTOR
        memory.update(pages(address + start, bytes(flash.data[start : start + SECTOR])))
    return memory
