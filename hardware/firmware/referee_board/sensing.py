"""From millivolts to cells: thresholds, hysteresis, debouncing and faults; and a supply too low.

A linear hall sensor gives half its supply without a magnet and clearly more or less with one. A
broken wire or an unplugged station gives nothing, a short circuit the full supply.
"""

from .ticks import elapsed

ABSENT = 0
PRESENT = 1
UNKNOWN = 2
STARTING = 3  # no reading yet; reported as unknown, but not as a failure

POWERS = 4
DEBOUNCE_MS = 25


class SensorThresholds:
    """Limits between readings, in millivolts.

    ``middle`` is the voltage without a magnet, of sensors that were not calibrated. At least
    ``present`` from its middle a sensor has a magnet, at most ``absent`` it has none; in between
    the state stays. Below ``broken`` or above ``short`` the sensor has failed.
    """

    def __init__(
        self,
        middle: int = 1650,
        present: int = 400,
        absent: int = 300,
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

    def judge(self, millivolts: int, before: int, middle: int) -> int:
        """Return the reading of a voltage; ``before`` is the previous one."""
        if not self.broken <= millivolts <= self.short:
            return UNKNOWN
        off = abs(millivolts - middle)
        if off >= self.present:
            return PRESENT
        if off <= self.absent:
            return ABSENT
        return before


class Sensing:
    """The debounced readings of all places.

    ``middles`` are the voltages of all sensors without a magnet, in the order of place and power;
    it may be changed.
    """

    def __init__(self, places: int, thresholds: SensorThresholds) -> None:
        self._thresholds: SensorThresholds = thresholds
        count = places * POWERS
        self.middles: list[int] = [thresholds.middle] * count
        self._known: bytearray = bytearray([STARTING] * count)
        self._seen: bytearray = bytearray([STARTING] * count)
        self._since: list[int] = [0] * count

    def cell(self, place: int) -> int:
        """Return the place's cell: two bits per power, power 0 in the lowest."""
        cell = 0
        for power in range(POWERS):
            known = self._known[place * POWERS + power]
            cell |= min(known, UNKNOWN) << 2 * power
        return cell

    def cells(self) -> bytes:
        """Return the cells of all places, the tray's first."""
        return bytes([self.cell(place) for place in range(len(self._known) // POWERS)])

    def update(self, place: int, row: "list[int] | None", now: int) -> tuple[bool, int, int]:
        """Take one place's readings, or None if it cannot be read.

        Returns whether the place's cell has changed, and the masks of powers whose sensors have
        failed or recovered.
        """
        changed = False
        failed = works = 0
        for power in range(POWERS):
            index = place * POWERS + power
            known = self._known[index]
            seen = UNKNOWN
            if row is not None:
                seen = self._thresholds.judge(row[power], known, self.middles[index])
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


# VSYS of a Pico: the USB port less some 300 mV of its diode. USB allows a device down to 4.4 V.
LOW_MV = 4100
FINE_MV = 4250  # above the limit, so that a supply near it is not reported again and again
NO_READING_MV = 1800  # the Pico runs on no less: nothing measures the supply
LASTS_MS = 500


class Supply:
    """Watches the supply; ``low`` becomes True or False after ``LASTS_MS``. Times are in ms."""

    def __init__(self) -> None:
        self.low: bool = False
        self.millivolts: int = 0
        self._since: int | None = None

    def update(self, millivolts: int, now: int) -> bool:
        """Take a reading, 0 if there is none; return whether the supply has just become low."""
        if millivolts < NO_READING_MV:
            return False
        self.millivolts = millivolts
        changing = millivolts > FINE_MV if self.low else millivolts < LOW_MV
        if not changing:
            self._since = None
        elif self._since is None:
            self._since = now
        elif elapsed(now, self._since) >= LASTS_MS:
            self._since = None
            self.low = not self.low
            return self.low
        return False
