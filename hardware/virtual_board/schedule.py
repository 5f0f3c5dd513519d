"""Actions scheduled for later in the simulation."""

import heapq
from collections.abc import Callable
from itertools import count

Act = Callable[[], object]


class Schedule:
    """Acts and their times, in simulated milliseconds."""

    def __init__(self) -> None:
        self._acts: list[tuple[float, int, Act]] = []
        self._order = count()
        self._expected: dict[str, object] = {}

    def add(self, due_ms: float, act: Act) -> None:
        """Schedule an act; acts of the same time run in the order added."""
        heapq.heappush(self._acts, (due_ms, next(self._order), act))

    def expect(self, what: str, due_ms: float, act: Act) -> None:
        """Schedule an act for ``what``; it replaces an earlier one and can be called off."""
        expected = self._expected[what] = object()

        def unless_off() -> None:
            if self._expected.get(what) is expected:
                del self._expected[what]
                act()

        self.add(due_ms, unless_off)

    def call_off(self, what: str) -> None:
        """Cancel the act of ``what``."""
        self._expected.pop(what, None)

    def expects(self, what: str) -> bool:
        """Return whether ``what`` has an act to come."""
        return what in self._expected

    def next_due(self) -> float | None:
        """Return when the next act is due; None if there is none."""
        return self._acts[0][0] if self._acts else None

    def pop_due(self, now_ms: float) -> Act | None:
        """Remove and return the next act that is due, if any."""
        if self._acts and self._acts[0][0] <= now_ms:
            return heapq.heappop(self._acts)[2]
        return None
