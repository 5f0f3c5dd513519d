"""Places the times of a sender's clock on ours, from when its messages arrive."""

# Seconds of one window: the smallest offset of the last two counts, since clocks drift apart.
WINDOW = 60.0
# Seconds by which messages may be late, before the sender's clock is suspected of a new beginning,
# and for which several in a row have to say so. A phone that was locked, or a page loaded again,
# begins anew; what was held up on its way arrives all at once.
LATE, SUSPECTED_FOR = 5.0, 1.0


class SenderClock:
    """The clock of one sender, such as a page's ``performance.now``.

    No message takes less than no time, so the smallest difference between sending and arriving is
    the best guess of the clocks' offset.
    """

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Start over, as with another sender."""
        self._window = float("-inf")
        self._smallest = self._before = float("inf")
        self._newest = self._last = float("-inf")
        # What a new beginning rests on: its first arrival, offset and newest time.
        self._suspected: tuple[float, float, float] | None = None

    def place(self, made: float, sent: float, arrived: float) -> float | None:
        """Return when something was made, on our clock, later than everything before it.

        ``made`` and ``sent`` are in seconds of the sender's clock, ``arrived`` of ours. None for
        what is not newer than what came before.
        """
        offset = arrived - sent
        if offset > min(self._smallest, self._before) + LATE:
            if not self._began_anew(made, offset, arrived):
                return None
            last = self._last
            self.forget()
            self._last = last
        else:
            self._suspected = None
        if made <= self._newest:
            return None
        self._newest = made
        if arrived - self._window > WINDOW:
            self._before = self._smallest if arrived - self._window <= 2 * WINDOW else offset
            self._window, self._smallest = arrived, offset
        self._smallest = min(self._smallest, offset)
        at = min(made, sent) + min(self._smallest, self._before)
        # A better guess of the offset may place this one before the last.
        self._last = max(at, self._last + 0.001)
        return self._last

    def _began_anew(self, made: float, offset: float, arrived: float) -> bool:
        suspected = self._suspected
        if suspected is None or abs(offset - suspected[1]) > LATE:
            self._suspected = arrived, offset, made
            return False
        if made <= suspected[2]:
            return False
        self._suspected = suspected[0], min(offset, suspected[1]), made
        return arrived - suspected[0] >= SUSPECTED_FOR
