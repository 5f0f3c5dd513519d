"""Several serving processes behind one port; one that dies is started again."""

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from types import FrameType

# Seconds from the start of a process until it may be started again.
PAUSE = 1.0


class Processes:
    """``count`` processes that each call ``serve`` with their number.

    ``forget`` is called with the id of each that has ended.
    """

    def __init__(
        self, count: int, serve: Callable[[int], None], forget: Callable[[int], None]
    ) -> None:
        self._count, self._serve, self._forget = count, serve, forget
        self._running: dict[int, tuple[int, float]] = {}
        self._stopping = False

    def run(self, ready: Callable[[], None]) -> None:
        """Keep them running until a signal comes, and wait for them to finish."""
        before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
        for signum in before:
            signal.signal(signum, self._stop)
        for number in range(self._count):
            self._start(number)
        ready()
        while self._running:
            ended, _ = os.wait()
            number, began = self._running.pop(ended)
            self._forget(ended)
            if not self._stopping:
                time.sleep(max(0.0, began + PAUSE - time.monotonic()))
            # A signal may have come meanwhile.
            if not self._stopping:
                self._start(number)
        for signum, handler in before.items():
            signal.signal(signum, handler)

    def _start(self, number: int) -> None:
        child = os.fork()
        if child:
            self._running[child] = number, time.monotonic()
            if self._stopping:
                self._tell(child)
            return
        code = 1
        try:
            for signum in (signal.SIGTERM, signal.SIGINT):
                signal.signal(signum, signal.SIG_DFL)
            self._serve(number)
            code = 0
        finally:
            # Nothing of the parent's is cleaned up here.
            os._exit(code)

    def _stop(self, _signum: int, _frame: FrameType | None) -> None:
        self._stopping = True
        for child in list(self._running):
            self._tell(child)

    def _tell(self, child: int) -> None:
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGTERM)
