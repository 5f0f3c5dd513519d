"""What the server does again and again beside serving."""

import threading
from collections.abc import Callable

import structlog

logger = structlog.get_logger(__name__)


class PeriodicTask:
    """Does something at once and after each pause, in a thread of its own, until it is stopped.

    Args:
        name: What it is, for the server's log.
        do: Does it. Whatever it raises is logged, and the next time may go well.
        pause: Seconds from the end of one time to the next.
    """

    def __init__(self, name: str, do: Callable[[], object], pause: float) -> None:
        self._name = name
        self._do = do
        self._pause = pause
        self._begin = threading.Lock()
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin, unless it has begun."""
        with self._begin:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()

    def stop(self) -> None:
        """End it."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._stopped.is_set():
            try:
                self._do()
            except Exception as error:
                logger.warning("chore failed", chore=self._name, exc_info=error)
            self._stopped.wait(self._pause)
