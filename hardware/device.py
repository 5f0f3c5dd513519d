"""Shared by board and camera: an observing thread, and a queue in front of the sink."""

import logging
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import ClassVar

from hardware.observation import DeviceStatus, Memory, Observation, Sink
from hardware.retry import Retry

log = logging.getLogger(__name__)

SINK_RETRY = 0.5  # seconds before a sink that failed is tried again
POLL_EVERY = 0.05


class SinkQueue:
    """Observations until the sink has stored them; none is lost when it fails.

    Args:
        name: The device's name, for the log.
        clock: Seconds that never go back.

    Attributes:
        sink: Where to put observations; None until the device is started.
        trouble: Why the sink fails, as a sentence; empty when it works.
    """

    def __init__(self, name: str, clock: Callable[[], float] = time.monotonic) -> None:
        self.sink: Sink | None = None
        self.trouble = ""
        self._name = name
        self._waiting: list[Observation] = []
        self._retry = Retry(SINK_RETRY, SINK_RETRY, clock=clock)

    def __len__(self) -> int:
        """Count the observations that the sink has not stored yet."""
        return len(self._waiting)

    def add(self, observations: Iterable[Observation]) -> None:
        """Queue observations; ``flush`` hands them to the sink."""
        self._waiting += observations

    def flush(self, memory: Memory, *, even_if_empty: bool = False, at_once: bool = False) -> bool:
        """Hand the queue and the device's memory to the sink; return whether it stored them.

        Args:
            memory: The device's memory after these observations.
            even_if_empty: Store the memory even without observations.
            at_once: Do not wait for the delay after a failure.
        """
        if not (self._waiting or even_if_empty) or self.sink is None:
            return False
        if not (self._retry.due or at_once):
            return False
        try:
            self.sink(tuple(self._waiting), memory)
        except Exception as error:  # whatever it is, no observation may be lost
            self._retry.failed()
            if not self.trouble:
                log.warning("%s: observations cannot be stored: %s", self._name, error)
            self.trouble = f"what it sees cannot be kept on the disk ({error})"
            return False
        self._waiting.clear()
        self._retry.succeeded()
        self.trouble = ""
        return True


class ThreadedDevice(ABC):
    """A device (``hardware.observation.Device``) that observes in its own thread.

    ``_observe`` opens the hardware and works until it breaks off or ``_stopping`` is set; it is
    called again after a delay of ``_retry``. Meanwhile ``_poll`` runs every 50 ms.

    Args:
        name: The device's name, for the log.
        retry: The delays between calls of ``_observe``.
        clock: Seconds that never go back.
    """

    EXPECTED_ERRORS: ClassVar[tuple[type[Exception], ...]] = ()
    """Raised by ``_observe`` when the hardware is missing; the text says why."""

    def __init__(
        self, name: str, retry: Retry, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.name = name
        self._retry = retry
        self._clock = clock
        self._queue = SinkQueue(name, clock)
        self._status = DeviceStatus("starting", "not started", {}, {})
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, sink: Sink, memory: Memory) -> None:
        """Begin to observe, in the background. Raises RuntimeError if already started."""
        if self._thread is not None:
            raise RuntimeError(f"{self.name} is started already")
        self._queue.sink = sink
        self._restore(memory)
        self._thread = threading.Thread(target=self._run, name=f"device {self.name}", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop; returns once nothing more will be put into the sink."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join()

    def status(self) -> DeviceStatus:
        """Return the device's current state."""
        return self._status

    @abstractmethod
    def _restore(self, memory: Memory) -> None:
        """Go on from the memory of an earlier run."""

    @abstractmethod
    def _observe(self) -> None:
        """Open the hardware and observe until it breaks off."""

    @abstractmethod
    def _lost(self, detail: str) -> None:
        """Report that the hardware cannot be used, and why."""

    @abstractmethod
    def _poll(self) -> None:
        """Do what has to be done while there is no hardware: flush the queue."""

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                self._observe()
            except self.EXPECTED_ERRORS as error:
                self._lost(str(error))
            except Exception as error:
                log.exception("%s: unexpected error, trying again", self.name)
                self._lost(f"unexpected error ({error!r})")
            self._idle(self._retry.failed())

    def _idle(self, seconds: float) -> None:
        until = self._clock() + seconds
        while self._clock() < until and not self._stopping.wait(POLL_EVERY):
            self._poll()
