"""The one retry policy: delays that grow, are capped, and are spread by chance."""

import random
import time
from collections.abc import Callable


class Retry:
    """Delays between tries, in seconds, doubling from ``first`` to ``longest``.

    A thread that may block waits for what ``failed`` returns, on the event that stops it; a loop
    that is polled asks ``due``. Delays beyond the first are shortened by up to half at random, so
    that several clients of a server that was away do not all return at the same moment.

    Args:
        first: The delay after the first failure.
        longest: The cap.
        clock: Seconds that never go back.
        randomness: The source of the jitter.
    """

    def __init__(
        self,
        first: float = 0.1,
        longest: float = 5.0,
        *,
        clock: Callable[[], float] = time.monotonic,
        randomness: random.Random | None = None,
    ) -> None:
        self.longest = longest
        self._first = first
        self._clock = clock
        self._random = randomness or random.Random()  # noqa: S311 - jitter, no secret
        self._failures = 0
        self._due_at = float("-inf")

    @property
    def due(self) -> bool:
        """Whether the delay after the latest failure is over."""
        return self._clock() >= self._due_at

    def failed(self) -> float:
        """Count a failure; return the seconds to wait before the next try."""
        cap = min(self.longest, self._first * 2.0 ** min(self._failures, 30))
        self._failures += 1
        delay = self._random.uniform(max(cap / 2, min(self._first, cap)), cap)
        self._due_at = self._clock() + delay
        return delay

    def succeeded(self) -> None:
        """Start again from the first delay."""
        self._failures = 0
        self._due_at = float("-inf")
