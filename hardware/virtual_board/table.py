"""The simulated table: true positions, and the voltages of its sensors."""

import random
from collections.abc import Mapping
from typing import Literal

from hardware.board.wire.messages import MAX_SEATS, POWER_NAMES, SET_NAMES

SETS: Mapping[str, tuple[str, ...]] = {
    name: POWER_NAMES[number] for number, name in SET_NAMES.items()
}
TRAY = 0
SUPPLY_MV = 3300
# A linear hall sensor rests at half its supply; the magnet in a tower's foot moves it from there.
MAGNET_MV = 800
USUAL_NOISE_MV = 8

SensorFault = Literal["broken", "stuck"]


class VirtualTable:
    """The true position of each power, and the faults of the sensors.

    Powers have names (``U``, ``red``), places numbers: 0 is the tray, 1 … the seats. All
    methods raise ValueError for a power or a place that this table does not have.

    Args:
        powers: One of ``SETS``: "towers" or "stands".
        seats: 1 … 10.
        noise_mv: Maximum deviation of a reading, in mV.
        seed: Seed of the noise.
    """

    def __init__(
        self,
        powers: str = "towers",
        seats: int = 4,
        noise_mv: int = USUAL_NOISE_MV,
        seed: int = 0,
    ) -> None:
        if powers not in SETS:
            raise ValueError(f"there is no set {powers!r}; there are {' and '.join(SETS)}")
        if not 1 <= seats <= MAX_SEATS:
            raise ValueError(f"a board has 1 to {MAX_SEATS} seats, not {seats}")
        self.powers = SETS[powers]
        self.seats = seats
        self.noise_mv = noise_mv
        self.supply_mv = SUPPLY_MV
        self._random = random.Random(seed)  # noqa: S311 - repeatable on purpose, no secret
        self._at: list[int | None] = [TRAY] * len(self.powers)
        self._bumped_until = [0.0] * len(self.powers)
        self._faults: dict[tuple[int, int], SensorFault] = {}
        self._dead_stations: set[int] = set()
        self._off: dict[tuple[int, int], int] = {}

    def place(self, power: str, place: int) -> None:
        """Put the power down, wherever it was before."""
        self._at[self.index(power)] = self.known_place(place)

    def lift(self, power: str) -> None:
        """Lift the power."""
        self._at[self.index(power)] = None

    def bump(self, power: str, until_ms: float) -> None:
        """Knock the power: its magnet is off its sensor until that time."""
        self._bumped_until[self.index(power)] = until_ms

    def break_sensor(self, place: int, power: str) -> None:
        """Cut the sensor's wire: 0 V."""
        self._faults[self.known_place(place), self.index(power)] = "broken"

    def stick_sensor(self, place: int, power: str) -> None:
        """Let the sensor always report the power, as with a magnet beside it."""
        self._faults[self.known_place(place), self.index(power)] = "stuck"

    def mend_sensor(self, place: int, power: str) -> None:
        """Mend the sensor."""
        self._faults.pop((self.known_place(place), self.index(power)), None)

    def break_station(self, place: int) -> None:
        """Unplug the place's cable: none of its sensors can be read."""
        self._dead_stations.add(self.known_place(place))

    def mend_station(self, place: int) -> None:
        """Plug in the place's cable, and mend its sensors."""
        self._dead_stations.discard(self.known_place(place))
        for power in range(len(self.powers)):
            self._faults.pop((place, power), None)

    def shift_sensor(self, place: int, power: str, millivolts: int) -> None:
        """Let the sensor give so much more, or less, than usual."""
        self._off[self.known_place(place), self.index(power)] = millivolts

    def positions(self) -> dict[str, int | None]:
        """Return each power's true place; None if lifted."""
        return dict(zip(self.powers, self._at, strict=True))

    def faults(self) -> dict[int, tuple[str, ...]]:
        """Return the faults by place: "U broken", "cable off"."""
        wrong: dict[int, tuple[str, ...]] = {}
        for (place, power), fault in sorted(self._faults.items()):
            wrong[place] = (*wrong.get(place, ()), f"{self.powers[power]} {fault}")
        for place in sorted(self._dead_stations):
            wrong[place] = ("cable off", *wrong.get(place, ()))
        return wrong

    def scan(self, now_ms: float) -> list[list[int] | None]:
        """Return millivolts: a row for the tray and each seat, a column for each power.

        A row is None if its station cannot be read.
        """
        rest, span = self.supply_mv // 2, 2 * self.noise_mv + 1
        chance = self._random.random
        field = MAGNET_MV * self.supply_mv // SUPPLY_MV
        rows: list[list[int] | None] = []
        for place in range(self.seats + 1):
            if place in self._dead_stations:
                rows.append(None)
                continue
            row = [rest + int(chance() * span) - self.noise_mv for _ in self.powers]
            for power, at in enumerate(self._at):
                if at == place and now_ms >= self._bumped_until[power]:
                    row[power] += field
            rows.append(row)
        for (place, power), off in self._off.items():
            shifted = rows[place]
            if shifted is not None:
                shifted[power] += off
        for (place, power), fault in self._faults.items():
            faulty = rows[place]
            if faulty is not None:
                faulty[power] = 0 if fault == "broken" else rest + field
        return rows

    def index(self, power: str) -> int:
        """Return the power's number on the wire."""
        for number, name in enumerate(self.powers):
            if name.lower() == power.lower():
                return number
        raise ValueError(f"there is no power {power!r}; there are {', '.join(self.powers)}")

    def known_place(self, place: int) -> int:
        """Return the place if the table has it."""
        if not 0 <= place <= self.seats:
            raise ValueError(
                f"there is no place {place}; there are the tray and {self.seats} seats"
            )
        return place
