"""Count requests in memory, for the package ``limits``.

The package's own memory storage starts a thread every ten milliseconds that visits every key, which
with a key for each token costs more than the requests. This one replaces an expired window when its
key comes again, and drops all expired ones when there are many.
"""

import threading
import time
from collections.abc import Callable

from limits.storage import Storage

MOST_KEYS = 100_000


class ProcessMemory(Storage):
    """Counters of fixed windows, on a monotonic clock."""

    STORAGE_SCHEME = ["referee-memory"]  # noqa: RUF012 - as the base class has it

    def __init__(self, clock: Callable[[], float] = time.monotonic, most: int = MOST_KEYS) -> None:
        super().__init__()
        self._clock = clock
        self._most = most
        self._windows: dict[str, tuple[int, float]] = {}
        self._guard = threading.Lock()

    @property
    def base_exceptions(self) -> type[Exception]:
        """The errors that this storage can raise."""
        return MemoryError

    def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        """Count a request; return the count of the current window."""
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
        """Return the count of the current window."""
        count, until = self._windows.get(key, (0, 0.0))
        return count if until > self._clock() else 0

    def get_expiry(self, key: str) -> float:
        """Return the end of the current window."""
        return self._windows.get(key, (0, self._clock()))[1]

    def check(self) -> bool:
        """Return True: memory is always available."""
        return True

    def reset(self) -> int:
        """Forget all keys; return their number."""
        with self._guard:
            number = len(self._windows)
            self._windows.clear()
        return number

    def clear(self, key: str) -> None:
        """Forget one key."""
        with self._guard:
            self._windows.pop(key, None)

    def _sweep(self, now: float) -> None:
        """Drop expired windows, and if too many are left, the older half."""
        self._windows = {key: window for key, window in self._windows.items() if window[1] > now}
        for key in list(self._windows)[: len(self._windows) - self._most // 2]:
            del self._windows[key]
