"""From millivolts to what stands where: thresholds, hysteresis, debouncing, and faults.

A linear hall sensor without a magnet gives half its supply, with one it is clearly off it; a broken
wire or a station that is not plugged in gives nothing, a short circuit the supply itself.
"""

from .ticks import elapsed

ABSENT = 0
PRESENT = 1
UNKNOWN = 2
STARTING = 3  # not known since the start; told as unknown, but no failure

POWERS = 4
DEBOUNCE_MS = 25


class SensorThresholds:
    """Where one reading ends and the next begins, all in millivolts.

    ``middle`` is without a magnet; ``present`` or more off it is one, ``absent`` or less is none,
    in between stays as it was. Below ``broken`` or above ``short`` a sensor is not believed.
    """

    def __init__(
        self,
        middle: int = 1650,
        present: int = 400,
        absent: int = 250,
        broken: int = 150,
        short: int = 3200,
    ) -> None:
        if not 0 <= broken < middle - present < middle - absent < middle + present < short:
            raise ValueError("thresholds have to be in order: broken, present, absent, short")
        self.middle: int = middle
        self.present: int = present
        self.absent: int = absent
        self.broken: int = broken
        self.short: int = short

    def judge(self, millivolts: int, before: int) -> int:
        """What the reading says; ``before`` is what was known."""
        if not self.broken <= millivolts <= self.short:
            return UNKNOWN
        off = abs(millivolts - self.middle)
        if off >= self.present:
            return PRESENT
        if off <= self.absent:
            return ABSENT
        return before


class Sensing:
    """What stands at each place, as far as readings have lasted."""

    def __init__(self, places: int, thresholds: SensorThresholds) -> None:
        self._thresholds: SensorThresholds = thresholds
        count = places * POWERS
        self._known: bytearray = bytearray([STARTING] * count)
        self._seen: bytearray = bytearray([STARTING] * count)
        self._since: list[int] = [0] * count

    def cell(self, place: int) -> int:
        """The place's cell: two bits a power, power 0 in the lowest."""
        cell = 0
        for power in range(POWERS):
            known = self._known[place * POWERS + power]
            cell |= min(known, UNKNOWN) << 2 * power
        return cell

    def cells(self) -> bytes:
        """The cells of all places, the tray's first."""
        return bytes([self.cell(place) for place in range(len(self._known) // POWERS)])

    def update(self, place: int, row: "list[int] | None", now: int) -> tuple[bool, int, int]:
        """Take one place's readings; None if it cannot be read.

        Returns whether the place's cell is another one now, and as masks of powers whose sensors
        have just failed, and whose work again.
        """
        changed = False
        failed = works = 0
        for power in range(POWERS):
            index = place * POWERS + power
            known = self._known[index]
            seen = UNKNOWN if row is None else self._thresholds.judge(row[power], known)
            if seen == known:
                self._seen[index] = known
            elif seen != self._seen[index]:
                self._seen[index] = seen
                self._since[index] = now
            elif elapsed(now, self._since[index]) >= DEBOUNCE_MS:
                self._known[index] = seen
                changed = changed or seen != min(known, UNKNOWN)
                if seen == UNKNOWN:
                    failed |= 1 << power
                elif known == UNKNOWN:
                    works |= 1 << power
        return changed, failed, works
