"""The virtual board's hardware: firmware, power supply, and faulty wires to the port."""

import random
from collections.abc import Callable
from typing import Protocol

from hardware.firmware.referee_board.board import Board
from hardware.firmware.referee_board.ports import Sensors, Uart
from hardware.virtual_board.ports import Port
from hardware.virtual_board.table import SETS, VirtualTable
from hardware.virtual_board.view import LightPanel
from hardware.virtual_board.wire import GOOD, Faults, Wire

# Bytes that a hanging board buffers; further ones are lost.
RECEIVED_AT_MOST = 512
STEPS_A_TURN = 16
USUAL_SUPPLY_MV = 4700


class Firmware(Protocol):
    """The board's program (``hardware.firmware``)."""

    def step(self) -> None:
        """Do what is due; never waits."""


# Starts the firmware: (uart, sensors, lights, clock in ms, boot number, after the watchdog).
MakeFirmware = Callable[[Uart, Sensors, LightPanel, Callable[[], int], int, bool], Firmware]


class Circuit:
    """Firmware, wires and port. Times are simulated milliseconds and never go back.

    Args:
        table: The simulated table.
        port: Where hosts connect.
        make_firmware: Starts the firmware.
        to_host: Faults of the wire from board to host.
        to_board: Faults of the wire from host to board.
        seed: Seed of the wires' faults.
    """

    def __init__(
        self,
        table: VirtualTable,
        port: Port,
        make_firmware: MakeFirmware,
        to_host: Faults = GOOD,
        to_board: Faults = GOOD,
        seed: int = 0,
    ) -> None:
        self.table = table
        self.port = port
        self.lights = LightPanel(table.powers)
        self.to_host = Wire(to_host, 2 * seed)
        self.to_board = Wire(to_board, 2 * seed + 1)
        self.supply_mv = USUAL_SUPPLY_MV
        self.frozen = False
        self.starts = 0
        self.unread = 0
        self._make_firmware = make_firmware
        self._firmware: Firmware | None = None
        self._now = 0.0
        self._started_at = 0.0
        self._received = bytearray()

    @property
    def powered(self) -> bool:
        """Whether the board has power."""
        return self._firmware is not None

    def power_on(self, now: float, after_watchdog: bool = False) -> None:
        """Start the firmware with an empty memory and a new boot number."""
        self.power_off()
        self._now = now
        if self.starts:
            self._started_at = now
        self.starts += 1
        # The system's randomness: a host may remember the boots of other runs with this seed.
        boot = random.SystemRandom().randint(1, 0xFFFFFFFF)
        self._firmware = self._make_firmware(
            self, self, self.lights, self._board_clock, boot, after_watchdog
        )

    def power_off(self) -> None:
        """Stop the firmware; its memory is lost and its lights go out."""
        self._firmware = None
        self.frozen = False
        self._received.clear()
        self.lights.darken()

    def cut(self) -> None:
        """Remove the port, with all bytes under way."""
        self.port.unplug()
        self.to_host.cut()
        self.to_board.cut()
        self._received.clear()

    def turn(self, now: float) -> bool:
        """Carry bytes and run the firmware; return whether any byte moved."""
        self._now = self.lights.now_ms = now
        from_host = self.port.read()
        self.to_board.put(from_host, now)
        self._receive(self.to_board.take(now))
        sent_before = self.to_host.counts.put
        if self._firmware and not self.frozen:
            for _ in range(STEPS_A_TURN):
                put = self.to_host.counts.put
                self._firmware.step()
                if self.to_host.counts.put == put and not self._received:
                    break
        to_host = self.to_host.take(now)
        if to_host:
            self.unread += len(to_host) - self.port.write(to_host)
        return bool(from_host or to_host or self.to_host.counts.put != sent_before)

    def next_due(self) -> float | None:
        """Return when the next bytes arrive; None if there are none."""
        dues = [due for due in (self.to_host.due(), self.to_board.due()) if due is not None]
        return min(dues, default=None)

    def read(self) -> bytes:
        """Return the received bytes, acting as the firmware's UART."""
        data = bytes(self._received)
        self._received.clear()
        return data

    def write(self, data: bytes) -> int:
        """Send all bytes, as the firmware's UART; unplugged, they are lost."""
        if self.port.plugged:
            self.to_host.put(bytes(data), self._now)
        return len(data)

    def scan(self) -> list[list[int] | None]:
        """Read all sensors on behalf of the firmware."""
        return self.table.scan(self._now)

    def supply(self) -> int:
        """Return the supply's millivolts on behalf of the firmware."""
        return self.supply_mv

    def _receive(self, data: bytes) -> None:
        if self._firmware:
            room = RECEIVED_AT_MOST - len(self._received) if self.frozen else len(data)
            self._received += data[: max(0, room)]

    def _board_clock(self) -> int:
        return int(self._now - self._started_at)


class StoredMiddles:
    """The middles of a board's sensors, kept as long as there is a board, like a file on a Pico."""

    def __init__(self) -> None:
        self._middles: list[int] = []

    def load(self) -> list[int]:
        """Return the middles in the order of place and power; none if there are none."""
        return list(self._middles)

    def store(self, middles: list[int]) -> None:
        """Keep them."""
        self._middles = list(middles)


def referee_board(powers: str, seats: int, board_id: bytes) -> MakeFirmware:
    """Return a function that starts the project's firmware with a set, seats and 8-byte id."""
    number = [*SETS].index(powers) + 1
    middles = StoredMiddles()

    def make(
        uart: Uart,
        sensors: Sensors,
        lights: LightPanel,
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
            middles=middles,
        )

    return make
