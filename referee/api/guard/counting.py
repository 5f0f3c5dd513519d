"""Counting requests in the memory of this process, for the package ``limits``.

Its own memory storage starts a thread every ten milliseconds and looks at every key each time; with
a key for each token that costs more than the requests. This one drops a window when it is asked for
again, and all that have passed when there are many.
"""

import threading
import time
from collections.abc import Callable

from limits.storage import Storage

MOST_KEYS = 100_000


class ProcessMemory(Storage):
    """Counters of fixed windows, by a clock that nobody sets: a window must not last for hours."""

    STORAGE_SCHEME = ["referee-memory"]  # noqa: RUF012 - as the base class has it

    def __init__(self, clock: Callable[[], float] = time.monotonic, most: int = MOST_KEYS) -> None:
        super().__init__()
        self._clock = clock
        self._most = most
        self._windows: dict[str, tuple[int, float]] = {}
        self._guard = threading.Lock()

    @property
    def base_exceptions(self) -> type[Exception]:
        """What can go wrong with a storage like this."""
        return MemoryError

    def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        """One more; the count of the present window."""
        now = self._clock()
        with self._guard:
            count, until = self._windows.get(key, (0, 0.0))
            if until <= now:
                count, until = 0, now + expiry
                if len(self._windows) >= self._most:
                    self._sweep(now)
            self._windows[key] = count + amount, until
            return count + amount

    def get(self, key: str) -> int:
        """The count of the present window."""
        count, until = self._windows.get(key, (0, 0.0))
        return count if until > self._clock() else 0

    def get_expiry(self, key: str) -> float:
        """When the present window ends."""
        return self._windows.get(key, (0, self._clock()))[1]

    def check(self) -> bool:
        """It is always there."""
        return True

    def reset(self) -> int:
        """Forget everything; how much there was."""
        with self._guard:
            number = len(self._windows)
            self._windows.clear()
        return number

    def clear(self, key: str) -> None:
        """Forget one key."""
        with self._guard:
            self._windows.pop(key, None)

    def _sweep(self, now: float) -> None:
        """Make room: windows that have passed go, and if that is too few, the older half."""
        self._windows = {key: one for key, one in self._windows.items() if one[1] > now}
        for key in list(self._windows)[: len(self._windows) - self._most // 2]:
            del self._windows[key]
