"""Simulated time: acts scheduled for later, and a thread that runs a turn when one is due."""

import contextlib
import heapq
import select
import socket
import threading
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


class Loop:
    """Calls ``turn`` repeatedly in its own thread.

    Args:
        turn: Does what is due; returns the seconds until the next call.
        watched: Returns descriptors; a turn runs as soon as one is readable.
    """

    def __init__(self, turn: Callable[[], float], watched: Callable[[], list[int]]) -> None:
        self._turn = turn
        self._watched = watched
        self._thread: threading.Thread | None = None
        self._stopping = False
        self._lock = threading.Lock()
        self._ears: socket.socket | None = None
        self._bell: socket.socket | None = None
        self.failure: Exception | None = None

    def start(self, name: str) -> None:
        """Start the thread."""
        # Sockets, since Windows selects among nothing else.
        self._ears, self._bell = socket.socketpair()
        self._ears.setblocking(False)
        self._bell.setblocking(False)
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """Run a turn at once."""
        if threading.current_thread() is self._thread:
            return
        with self._lock:
            if self._bell is not None:
                # A full one wakes as well.
                with contextlib.suppress(BlockingIOError):
                    self._bell.send(b"!")

    def stop(self) -> None:
        """Stop after the current turn."""
        self._stopping = True
        self.wake()
        if self._thread:
            self._thread.join()
            self._thread = None
        with self._lock:
            for end in (self._ears, self._bell):
                if end is not None:
                    end.close()
            self._ears = self._bell = None

    def _run(self) -> None:
        ears = self._ears
        if ears is None:
            return
        try:
            while not self._stopping:
                pause = self._turn()
                # Another thread may close a port meanwhile; the next turn notices.
                with contextlib.suppress(OSError, ValueError):
                    select.select([ears.fileno(), *self._watched()], [], [], pause)
                with contextlib.suppress(BlockingIOError):
                    ears.recv(4096)
        except Exception as error:
            self.failure = error
