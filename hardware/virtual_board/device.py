"""The backend ``virtual-board``: a virtual board and the driver of real boards in one process."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hardware.board.driver import SerialBoard, serial_board
from hardware.observation import DeviceStatus, Hint, Memory, Sink
from hardware.virtual_board.options import VirtualBoardOptions, read_options
from hardware.virtual_board.ports import PortError, PtyPort


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
