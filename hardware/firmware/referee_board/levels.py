"""What each sensor measures, for whoever builds or mends a board, and where it rests.

A sensor's middle is its voltage without a magnet. It is measured once, on the host's command, and
kept in a file.
"""

from . import messages
from .sensing import POWERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .ports import Middles
    from .sensing import Sensing, SensorThresholds

# Without a magnet a sensor is at most 60 off half its supply (data sheet), the rest is the supply's
# and the converter's. Whatever is further off has a magnet near it, or is broken.
MOST_OFF_MV = 150
SHARE = 16  # of a new reading in a level; a scan is every 5 ms


class Levels:
    """The levels of all sensors, smoothed, while they are measured.

    Args:
        sensing: Its middles are set.
        thresholds: The limits, and the middle of sensors that were not calibrated.
        middles: Where the middles are kept; None if nowhere.
    """

    def __init__(
        self, sensing: "Sensing", thresholds: "SensorThresholds", middles: "Middles | None"
    ) -> None:
        self._sensing = sensing
        self._thresholds = thresholds
        self._stored = middles
        self._sums: list[int] = []  # SHARE times the level, -1: none; empty unless measuring
        for index, middle in enumerate(middles.load() if middles else []):
            if index < len(sensing.middles) and self._may_rest(middle):
                sensing.middles[index] = middle

    def clear(self) -> None:
        """Forget all levels."""
        self._sums = []

    def update(self, place: int, row: "list[int] | None") -> None:
        """Take one place's readings, or None if it cannot be read."""
        if not self._sums:
            self._sums = [-1] * len(self._sensing.middles)
        for power in range(POWERS):
            index = place * POWERS + power
            before = self._sums[index]
            if row is None:
                self._sums[index] = -1
            elif before < 0:
                self._sums[index] = row[power] * SHARE
            else:
                self._sums[index] = before + row[power] - before // SHARE

    def packet(self, place: int) -> bytes:
        """Return the message about a place."""
        first, limits = place * POWERS, self._thresholds
        return messages.levels(
            place,
            self._sensing.cell(place),
            [self._level(first + power) for power in range(POWERS)],
            self._sensing.middles[first : first + POWERS],
            (limits.present, limits.absent, limits.broken, limits.short),
        )

    def calibrate(self) -> int:
        """Make the levels of sensors without a magnet their middles; return the result."""
        if self._stored is None or not self._sums:
            return messages.NOT_POSSIBLE
        middles = self._sensing.middles
        for index in range(len(middles)):
            level = self._level(index)
            if self._may_rest(level):
                middles[index] = level
        try:
            self._stored.store(middles)
        except OSError:
            return messages.NOT_POSSIBLE
        return messages.RESULT_DONE

    def _level(self, index: int) -> int:
        level = self._sums[index] if self._sums else -1
        return messages.NO_LEVEL if level < 0 else level // SHARE

    def _may_rest(self, millivolts: int) -> bool:
        return abs(millivolts - self._thresholds.middle) <= MOST_OFF_MV


class MiddlesFile:
    """The middles in a file: a line has the four of a place, the tray's first."""

    def __init__(self, path: str) -> None:
        self._path = path

    def load(self) -> "list[int]":
        """Return the middles in the order of place and power; none if there are none to be read."""
        try:
            with open(self._path) as file:
                return [int(word) for word in file.read().split()]
        except (OSError, ValueError):
            return []

    def store(self, middles: "list[int]") -> None:
        """Write the middles to the file, a place a line. Raises OSError."""
        with open(self._path, "w") as file:
            for first in range(0, len(middles), POWERS):
                place = middles[first : first + POWERS]
                file.write(" ".join([str(middle) for middle in place]) + "\n")
