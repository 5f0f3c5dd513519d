"""The backend ``virtual-board``: a virtual board and the driver of real boards in one process."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from hardware.board.driver import SerialBoard, serial_board
from hardware.observation import DeviceStatus, Hint, Memory, Sink
from hardware.virtual_board.board import DEFAULT_ID, VirtualBoard
from hardware.virtual_board.ports import Port, PortError, PtyPort
from hardware.virtual_board.script import Script, parse_script
from hardware.virtual_board.table import SETS, USUAL_NOISE_MV
from hardware.virtual_board.wire import GOOD, Faults


@dataclass(frozen=True, slots=True)
class VirtualBoardOptions:
    """Options of a virtual board.

    ``board`` is the id as 16 hex digits, ``script`` a file, ``wire`` the faults of both
    directions, each an option of its own; ``VirtualBoard`` describes the others.
    """

    set: str = "towers"
    seats: int = 4
    board: str = DEFAULT_ID.hex()
    script: str | None = None
    wire: Faults = GOOD
    noise_mv: int = USUAL_NOISE_MV
    powered_by_usb: bool = False
    seed: int = 0
    speed: float = 1.0

    def make_board(self, port: Port | None = None) -> VirtualBoard:
        """Make the board, not started. Raises ValueError with a readable sentence."""
        return VirtualBoard(
            port,
            seats=self.seats,
            powers=self.set,
            to_host=self.wire,
            to_board=self.wire,
            seed=self.seed,
            noise_mv=self.noise_mv,
            board_id=bytes.fromhex(self.board),
            powered_by_usb=self.powered_by_usb,
            speed=self.speed,
        )

    def read_script(self) -> Script:
        """Read the script, empty if there is none. Raises ValueError with a readable sentence."""
        if self.script is None:
            return Script(())
        try:
            text = Path(self.script).read_text(encoding="utf-8")
        except OSError as error:
            raise ValueError(f"{self.script} cannot be read: {error.strerror}") from None
        except UnicodeDecodeError:
            raise ValueError(f"{self.script} is no text in UTF-8") from None
        try:
            return parse_script(text, SETS[self.set], self.seats)
        except ValueError as error:
            raise ValueError(f"{self.script}, {error}") from None


_KINDS: Mapping[str, tuple[tuple[type, ...], str]] = {
    "str": ((str,), "a text"),
    "str | None": ((str,), "a text"),
    "int": ((int,), "a whole number"),
    "float": ((int, float), "a number"),
    "bool": ((bool,), "true or false"),
}


_WIRE = [field.name for field in fields(Faults)]
# Name of an option in a configuration → the type of its value.
OPTIONS: Mapping[str, str] = {
    field.name: str(getattr(field.type, "__name__", field.type))
    for field in (*fields(VirtualBoardOptions), *fields(Faults))
    if field.name != "wire"
}


def read_options(options: Mapping[str, Any]) -> VirtualBoardOptions:
    """Check the options of a configuration. Raises ValueError with a readable sentence."""
    unknown = sorted(options.keys() - OPTIONS.keys())
    if unknown:
        raise ValueError(f"there is no option {unknown[0]!r}; there are {', '.join(OPTIONS)}")
    for name, value in options.items():
        kinds, word = _KINDS[OPTIONS[name]]
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            raise ValueError(f"{name} is {word}, not {value!r}")
    wire = Faults(**{name: value for name, value in options.items() if name in _WIRE})
    others = {name: value for name, value in options.items() if name not in _WIRE}
    board = VirtualBoardOptions(wire=wire, **others)
    if not re.fullmatch("[0-9a-fA-F]{16}", board.board):
        raise ValueError(f"board is the id of a board, 16 hex digits, not {board.board!r}")
    if not 0 <= board.noise_mv <= 1000:
        raise ValueError(f"noise_mv is from 0 to 1000, not {board.noise_mv}")
    board.make_board()  # checks the rest
    return board


class VirtualBoardDevice:
    """A virtual board as a device (``hardware.observation.Device``).

    It uses the real firmware, bytes, a pseudo terminal and the real driver. Each start powers the
    board on with all powers in the tray.

    Args:
        name: The device's name.
        options: The board's properties.

    Attributes:
        board: The virtual board.
        tape: As of ``SerialBoard``.

    Raises:
        ValueError: The script cannot be read or understood.
    """

    def __init__(self, name: str, options: VirtualBoardOptions) -> None:
        self.name = name
        self.board = options.make_board(PtyPort())
        self._options = options
        self._script = options.read_script()
        self.tape: Callable[[str, bytes], None] | None = None
        self._driver: SerialBoard | None = None
        self._status = DeviceStatus("starting", "not started", {}, {})

    def start(self, sink: Sink, memory: Memory) -> None:
        """Power the board on and begin to observe it, in the background."""
        try:
            self.board.start()
        except PortError as error:
            self._status = DeviceStatus("gone", str(error), {}, {})
            return
        self._driver = serial_board(
            self.name,
            {"port": self.board.port.url, "set": self._options.set, "seats": self._options.seats},
        )
        self._driver.tape = self.tape
        self._driver.start(sink, memory)
        self._script.run(self.board)

    def stop(self) -> None:
        """Stop; returns once nothing more will be put into the sink."""
        if self._driver:
            self._driver.stop()
            self._status = self._driver.status()
            self._driver = None
        self.board.close()

    def status(self) -> DeviceStatus:
        """Return the driver's state."""
        return self._driver.status() if self._driver else self._status

    def indicate(self, hints: Sequence[Hint]) -> None:
        """Show these hints and no others."""
        if self._driver:
            self._driver.indicate(hints)


def virtual_board(name: str, options: Mapping[str, Any]) -> VirtualBoardDevice:
    """Make a board from its ``VirtualBoardOptions``, not started. Raises ValueError."""
    return VirtualBoardDevice(name, read_options(options))
