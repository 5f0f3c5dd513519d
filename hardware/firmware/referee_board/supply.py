"""Whether the board's supply is too low, as with a thin or long USB cable."""

from .ticks import elapsed

# VSYS of a Pico: the USB port less some 300 mV of its diode. USB allows a device down to 4.4 V.
LOW_MV = 4100
FINE_MV = 4250  # above the limit, so that a supply near it is not reported again and again
NO_READING_MV = 1800  # the Pico runs on no less: nothing measures the supply
LASTS_MS = 500


class Supply:
    """Watches the supply; ``low`` is the state, after it has lasted."""

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
