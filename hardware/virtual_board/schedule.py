"""What is to happen later in the simulation."""

import heapq
from collections.abc import Callable
from itertools import count

Act = Callable[[], object]


class Schedule:
    """Acts and when they are due, in the simulation's milliseconds."""

    def __init__(self) -> None:
        self._acts: list[tuple[float, int, Act]] = []
        self._order = count()
        self._expected: dict[str, object] = {}

    def add(self, due_ms: float, act: Act) -> None:
        """Do it then; acts due at the same time happen in the order in which they were added."""
        heapq.heappush(self._acts, (due_ms, next(self._order), act))

    def expect(self, what: str, due_ms: float, act: Act) -> None:
        """Do it then, unless ``what`` is called off before, or something else is expected of it."""
        expected = self._expected[what] = object()

        def unless_off() -> None:
            if self._expected.get(what) is expected:
                del self._expected[what]
                act()

        self.add(due_ms, unless_off)

    def call_off(self, what: str) -> None:
        """Nothing is to come of ``what`` any more."""
        self._expected.pop(what, None)

    def expects(self, what: str) -> bool:
        """Whether anything is still to come of ``what``."""
        return what in self._expected

    def next_due(self) -> float | None:
        """When the next act is due; None: there is none."""
        return self._acts[0][0] if self._acts else None

    def pop_due(self, now_ms: float) -> Act | None:
        """The next act whose time has come, taken off the list."""
        if self._acts and self._acts[0][0] <= now_ms:
            return heapq.heappop(self._acts)[2]
        return None
