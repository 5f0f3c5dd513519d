"""A thread that works in turns: when it is time, when a byte comes, or when it is woken."""

import contextlib
import os
import select
import threading
from collections.abc import Callable


class Loop:
    """Calls ``turn`` again and again, in a thread of its own.

    Args:
        turn: Does what there is to do; returns after how many seconds it wants to be called again.
        watched: The descriptors that call for a turn as soon as they are readable.
    """

    def __init__(self, turn: Callable[[], float], watched: Callable[[], list[int]]) -> None:
        self._turn = turn
        self._watched = watched
        self._thread: threading.Thread | None = None
        self._stopping = False
        self._lock = threading.Lock()
        self._ears = self._bell = -1
        self.failure: Exception | None = None

    def start(self, name: str) -> None:
        """Begin."""
        self._ears, self._bell = os.pipe()
        os.set_blocking(self._ears, False)
        os.set_blocking(self._bell, False)
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """Have a turn at once."""
        if threading.current_thread() is self._thread:
            return
        with self._lock:
            if self._bell >= 0:
                # A full pipe wakes as well.
                with contextlib.suppress(BlockingIOError):
                    os.write(self._bell, b"!")

    def stop(self) -> None:
        """End, after the turn that is under way."""
        self._stopping = True
        self.wake()
        if self._thread:
            self._thread.join()
            self._thread = None
        with self._lock:
            for end in (self._ears, self._bell):
                if end >= 0:
                    os.close(end)
            self._ears = self._bell = -1

    def _run(self) -> None:
        try:
            while not self._stopping:
                pause = self._turn()
                # A port may be closed by another thread just now; the next turn knows.
                with contextlib.suppress(OSError, ValueError):
                    select.select([self._ears, *self._watched()], [], [], pause)
                with contextlib.suppress(BlockingIOError):
                    os.read(self._ears, 4096)
        except Exception as error:
            self.failure = error
