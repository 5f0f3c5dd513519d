"""Background tasks of the server."""

import threading
from collections.abc import Callable

import structlog

logger = structlog.get_logger(__name__)


class PeriodicTask:
    """Calls ``do`` at once and after each pause (seconds), in its own thread, until it is stopped.

    Exceptions are logged under ``name``.
    """

    def __init__(self, name: str, do: Callable[[], object], pause: float) -> None:
        self._name = name
        self._do = do
        self._pause = pause
        self._begin = threading.Lock()
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start, unless it has started."""
        with self._begin:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()

    def stop(self) -> None:
        """Stop, and wait for the run in progress."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._stopped.is_set():
            try:
                self._do()
            except Exception as error:
                logger.warning("task failed", task=self._name, exc_info=error)
            self._stopped.wait(self._pause)
