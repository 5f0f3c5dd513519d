"""A sensor board without hardware: the real firmware, a simulated table, a real port."""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from typing import Literal, Self

from hardware.virtual_board.circuit import Circuit, MakeFirmware, referee_board
from hardware.virtual_board.loop import Loop, Schedule
from hardware.virtual_board.ports import Port, PortError, PtyPort
from hardware.virtual_board.table import USUAL_NOISE_MV, VirtualTable
from hardware.virtual_board.view import BoardView, RunState, ShownLight, Sound
from hardware.virtual_board.wire import GOOD, Faults, Wire

Direction = Literal["both", "to-host", "to-board"]

# Time between firmware runs: short while something is going on.
BUSY_MS = 2.0
IDLE_MS = 10.0
BUSY_FOR_MS = 120.0
PLUG_AGAIN_MS = 250.0
DEFAULT_ID = b"VIRTUAL1"
CABLE, HANGING, POWER = "the cable", "the hanging", "the power supply"


class VirtualBoard:
    """A simulated board; methods stand for hands at the table and may be called from any thread.

    Everything runs in simulated time, ``speed`` times as fast as the clock: debouncing,
    retransmission, delays, bumps, unplugging. A host in real time seems slow to a fast board: above
    4 times, its ``ack`` every second misses the board's limit of 5 s. Moves after a lull then
    arrive only when the host has reconnected, two seconds later; nothing is lost.

    Nothing is opened before ``start``. Without it, ``turn`` does the same work step by step.

    Args:
        port: Where hosts connect; a pseudo terminal by default.
        seats: 1 … 10.
        powers: "towers" or "stands".
        to_host: Faults of the wire to the host.
        to_board: Faults of the wire to the board.
        seed: Seed of faults and noise; boot numbers are always different.
        noise_mv: Maximum deviation of readings, in mV.
        board_id: 8 bytes.
        powered_by_usb: Whether unplugging also cuts the power, so that the board forgets all;
            otherwise it runs on, as with a power bank.
        speed: Simulated seconds per second of the clock.
        clock: Seconds, for tests.
        make_firmware: Firmware other than the project's, for tests.
    """

    def __init__(
        self,
        port: Port | None = None,
        *,
        seats: int = 4,
        powers: str = "towers",
        to_host: Faults = GOOD,
        to_board: Faults = GOOD,
        seed: int = 0,
        noise_mv: int = USUAL_NOISE_MV,
        board_id: bytes = DEFAULT_ID,
        powered_by_usb: bool = False,
        speed: float = 1.0,
        clock: Callable[[], float] = time.monotonic,
        make_firmware: MakeFirmware | None = None,
    ) -> None:
        if len(board_id) != 8:
            raise ValueError("a board's id is 8 bytes")
        if not 0.01 <= speed <= 100:
            raise ValueError("the speed is from 0.01 to 100")
        table = VirtualTable(powers, seats, noise_mv, seed)
        firmware = make_firmware or referee_board(powers, seats, board_id)
        self.port = port or PtyPort()
        self.powers = table.powers
        self.seats = seats
        self._table = table
        self._circuit = Circuit(table, self.port, firmware, to_host, to_board, seed)
        self._schedule = Schedule()
        self._powered_by_usb = powered_by_usb
        self._speed = speed
        self._clock = clock
        self._began: float | None = None
        self._busy_until = 0.0
        self._trouble = ""
        self._lock = threading.RLock()
        self._loop = Loop(lambda: self.turn() / 1000 / speed, self.port.watched)

    # Running

    def start(self) -> Self:
        """Power on, plug in, and run in a thread. Raises PortError."""
        self.plug()
        self._loop.start("virtual-board")
        return self

    def close(self) -> None:
        """Stop and remove the port. Raises the firmware's error, if it failed."""
        self._loop.stop()
        with self._lock:
            self._circuit.power_off()
            self.port.close()
        if self._loop.failure:
            raise self._loop.failure

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    def now_ms(self) -> float:
        """Return the simulated time in ms since the start."""
        with self._lock:
            if self._began is None:
                self._began = self._clock()
            return (self._clock() - self._began) * 1000 * self._speed

    def turn(self) -> float:
        """Do everything that is due; return the simulated ms until the next turn."""
        with self._lock:
            now = self.now_ms()
            while act := self._schedule.pop_due(now):
                act()
                self._busy_until = now + BUSY_FOR_MS
            if self._circuit.turn(now):
                self._busy_until = now + BUSY_FOR_MS
            pause = BUSY_MS if now < self._busy_until else IDLE_MS
            for due in (self._schedule.next_due(), self._circuit.next_due()):
                if due is not None:
                    pause = min(pause, due - now)
            return max(0.0, pause)

    def at(self, due_ms: float, act: Callable[[], object]) -> None:
        """Schedule an act at a simulated time; it runs in the board's thread."""
        with self._lock:
            self._schedule.add(due_ms, act)
        self._loop.wake()

    # Hands at the table

    def place(self, power: str, place: int) -> None:
        """Put the power down at a place: 0 is the tray, 1 … the seats."""
        with self._changing(power):
            self._table.place(power, place)

    def lift(self, power: str) -> None:
        """Lift the power."""
        with self._changing(power):
            self._table.lift(power)

    def move(self, power: str, place: int, hand_ms: float = 0) -> None:
        """Lift the power, and put it down at a place after ``hand_ms``."""
        with self._changing(power):
            self._table.known_place(place)
            self._table.lift(power)
            self._later(power, hand_ms, lambda: self._table.place(power, place))

    def bump(self, power: str, ms: float = 80) -> None:
        """Knock the power off its sensor for ``ms``."""
        with self._changing():
            until = self.now_ms() + ms
            self._table.bump(power, until)
            self._schedule.add(until, lambda: None)

    # Sensors that fail

    def break_sensor(self, place: int, power: str) -> None:
        """Cut the sensor's wire."""
        with self._changing():
            self._table.break_sensor(place, power)

    def stick_sensor(self, place: int, power: str) -> None:
        """Let the sensor always report the power."""
        with self._changing():
            self._table.stick_sensor(place, power)

    def shift_sensor(self, place: int, power: str, millivolts: int) -> None:
        """Let the sensor give so much more, or less, than usual: parts differ, magnets are weak."""
        with self._changing():
            self._table.shift_sensor(place, power, millivolts)

    def mend_sensor(self, place: int, power: str) -> None:
        """Mend the sensor."""
        with self._changing():
            self._table.mend_sensor(place, power)

    def break_station(self, place: int) -> None:
        """Unplug the place's cable."""
        with self._changing():
            self._table.break_station(place)

    def mend_station(self, place: int) -> None:
        """Plug in the place's cable, and mend its sensors."""
        with self._changing():
            self._table.mend_station(place)

    def set_noise(self, millivolts: int) -> None:
        """Set the maximum deviation of readings."""
        with self._changing():
            self._table.noise_mv = millivolts

    # The board and its cable

    def unplug(self, seconds: float | None = None) -> None:
        """Pull the cable; plug it in again after ``seconds``, if given."""
        with self._changing(CABLE):
            self._circuit.cut()
            if self._powered_by_usb:
                self._circuit.power_off()
            if seconds is not None:
                self._later(CABLE, seconds * 1000, self._plug_or_wait)

    def plug(self) -> None:
        """Plug the cable in. Raises PortError."""
        with self._changing(CABLE):
            self.port.plug()
            self._trouble = ""
            if not self._circuit.powered and not self._schedule.expects(POWER):
                self._circuit.power_on(self.now_ms())

    def freeze(self, seconds: float | None = None) -> None:
        """Let the board hang, until ``thaw`` or for ``seconds``."""
        with self._changing(HANGING):
            self._circuit.frozen = True
            if seconds is not None:
                self._later(HANGING, seconds * 1000, self.thaw)

    def thaw(self) -> None:
        """Let a hanging board continue."""
        with self._changing(HANGING):
            self._circuit.frozen = False

    def reboot(self, after_watchdog: bool = False) -> None:
        """Restart the board with an empty memory, a new boot number and its clock at 0.

        ``after_watchdog``: the board reports its watchdog as the cause.
        """
        with self._changing(HANGING):
            if self._circuit.powered:
                self._circuit.power_on(self.now_ms(), after_watchdog)

    def brown_out(self, ms: float = 300) -> None:
        """Cut the power for ``ms``; then the board restarts. The port stays."""
        with self._changing(POWER):
            self._circuit.power_off()
            self._later(POWER, ms, self._power_again)

    def set_supply(self, millivolts: int) -> None:
        """Set the supply's voltage; below 4100 mV for half a second, the board reports it."""
        with self._changing():
            self._circuit.supply_mv = millivolts

    # The wire

    def set_faults(self, direction: Direction = "both", **changes: float) -> None:
        """Change fields of the wires' ``Faults``. Raises ValueError."""
        with self._changing():
            for wire in self._wires(direction):
                wire.faults = replace(wire.faults, **changes)

    def mend_wire(self, direction: Direction = "both") -> None:
        """Remove all faults of the wires."""
        with self._changing():
            for wire in self._wires(direction):
                wire.faults = GOOD

    def garbage(self, length: int, direction: Direction = "both") -> None:
        """Put a burst of random bytes on the wires."""
        with self._changing():
            for wire in self._wires(direction):
                wire.inject(length, self.now_ms())

    # What can be seen

    def lights(self) -> dict[int, ShownLight]:
        """Return the lights that are on, by place."""
        with self._lock:
            return dict(self._circuit.lights.shown)

    def buzzes(self) -> tuple[Sound, ...]:
        """Return the latest sounds, oldest first."""
        with self._lock:
            return tuple(self._circuit.lights.buzzes)

    def positions(self) -> dict[str, int | None]:
        """Return each power's true place; None if lifted."""
        with self._lock:
            return self._table.positions()

    def view(self) -> BoardView:
        """Return the whole visible state. Raises the firmware's error, if it failed."""
        if self._loop.failure:
            raise self._loop.failure
        with self._lock:
            circuit = self._circuit
            state: RunState = "hanging" if circuit.frozen else "running"
            return BoardView(
                now_ms=self.now_ms(),
                positions=self._table.positions(),
                lights=self.lights(),
                buzzes=self.buzzes(),
                sensor_faults=self._table.faults(),
                state=state if circuit.powered else "off",
                plugged=self.port.plugged,
                trouble=self._trouble,
                starts=circuit.starts,
                to_host={**asdict(circuit.to_host.counts), "unread": circuit.unread},
                to_board=asdict(circuit.to_board.counts),
                faults=(circuit.to_host.faults, circuit.to_board.faults),
            )

    # Inside

    @contextlib.contextmanager
    def _changing(self, what: str = "") -> Iterator[None]:
        """Hold the simulation during a change, then run a turn at once.

        Acts scheduled for ``what`` are called off: plugging in overrides a later plug.
        """
        if self._loop.failure:
            raise self._loop.failure
        with self._lock:
            self._schedule.call_off(what.lower())
            self._busy_until = self.now_ms() + BUSY_FOR_MS
            yield
        self._loop.wake()

    def _later(self, what: str, ms: float, act: Callable[[], object]) -> None:
        if ms <= 0:
            act()
        else:
            self._schedule.expect(what.lower(), self.now_ms() + ms, act)

    def _plug_or_wait(self) -> None:
        """Plug in, or retry later if another program has taken the port."""
        try:
            self.plug()
        except PortError as error:
            self._trouble = str(error)
            self._later(CABLE, PLUG_AGAIN_MS, self._plug_or_wait)

    def _power_again(self) -> None:
        if not self._circuit.powered and (self.port.plugged or not self._powered_by_usb):
            self._circuit.power_on(self.now_ms())

    def _wires(self, direction: Direction) -> list[Wire]:
        wires = {"to-host": self._circuit.to_host, "to-board": self._circuit.to_board}
        return [wires[direction]] if direction in wires else list(wires.values())
