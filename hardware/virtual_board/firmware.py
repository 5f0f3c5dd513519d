"""The project's firmware, for the virtual board."""

from collections.abc import Callable

from hardware.firmware.referee_board.board import Board
from hardware.virtual_board.circuit import Firmware, MakeFirmware, Scanner, Uart
from hardware.virtual_board.lights import Lights
from hardware.virtual_board.table import SETS


def referee_board(powers: str, seats: int, board_id: bytes) -> MakeFirmware:
    """Makes the starts of a board with that set, that many seats, and that id of 8 bytes."""
    number = [*SETS].index(powers) + 1

    def make(
        uart: Uart,
        sensors: Scanner,
        lights: Lights,
        clock: Callable[[], int],
        boot: int,
        after_watchdog: bool,
    ) -> Firmware:
        return Board(
            uart,
            sensors,
            lights,
            clock,
            board_id,
            boot,
            number,
            seats,
            after_watchdog=after_watchdog,
        )

    return make
