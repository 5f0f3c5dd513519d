"""Live sources: a thread reads the newest picture and reconnects after failures."""

import threading
import time
from collections.abc import Callable
from typing import Protocol, Self

from hardware.camera.source.base import Frame
from hardware.camera.source.controls import CameraControls
from hardware.camera.source.errors import PictureError, SourceError
from hardware.camera.source.image import read_picture
from hardware.camera.types import Picture
from hardware.retry import Retry

# Seconds without a picture that are reported; longer than any single wait of the grabbers.
SILENT = 8.0
# Undecodable pictures in a row that are reported.
BROKEN_IN_A_ROW = 3


class Grabber(Protocol):
    """Reads a camera or stream for the thread. Every call returns within seconds."""

    def open(self) -> None:
        """Connect. Raises SourceError."""

    def grab(self) -> Picture | bytes:
        """Return the newest picture, decoded or not. Raises SourceError."""

    def interrupt(self) -> None:
        """Make a waiting call return, if possible. Called from another thread."""

    def close(self) -> None:
        """Disconnect, in any state."""


class LiveSource:
    """A camera or a stream; ``controls`` are what it adjusts, if that can be told it."""

    live = True

    def __init__(
        self,
        name: str,
        grabber: Grabber,
        retry: Retry | None = None,
        clock: Callable[[], float] = time.monotonic,
        controls: CameraControls | None = None,
    ) -> None:
        self.name = name
        self.controls = controls
        self._grabber = grabber
        self._retry = retry or Retry(first=0.2)
        self._clock = clock
        self._changed = threading.Condition()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._newest: tuple[float, int, Picture | bytes] | None = None
        self._number = 0
        self._last = 0.0
        self._trouble: str | None = None
        self._broken = 0

    @property
    def trouble(self) -> str | None:
        """Why no pictures are arriving, in one sentence; None while they do."""
        with self._changed:
            if self._trouble is not None or self._thread is None:
                return self._trouble
            silence = self._clock() - self._last
        if silence <= SILENT:
            return None
        return f"{self.name} has sent no picture for {silence:.0f} seconds"

    @property
    def ended(self) -> bool:
        """True once it was closed; it never ends by itself."""
        return self._stop.is_set()

    def start(self) -> None:
        """Start the thread, which connects in the background."""
        self._last = self._clock()
        self._thread = threading.Thread(target=self._run, name=f"read {self.name}", daemon=True)
        self._thread.start()

    def read(self, timeout: float = 1.0) -> Frame | None:
        """Return the newest unread picture; None if none arrives in time."""
        until = time.monotonic() + timeout
        while True:
            with self._changed:
                while self._newest is None:
                    left = until - time.monotonic()
                    if left <= 0 or self._stop.is_set():
                        return None
                    self._changed.wait(left)
                (at, number, shot), self._newest = self._newest, None
            picture = self._decoded(shot)
            if picture is not None:
                return Frame(picture, at, number)

    def close(self) -> None:
        """Stop the thread; one that hangs in a driver is abandoned until the program ends."""
        self._stop.set()
        with self._changed:
            self._changed.notify_all()
        thread, self._thread = self._thread, None
        if thread is not None:
            self._grabber.interrupt()
            thread.join(2.0)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self._grabber.open()
                while not self._stop.is_set():
                    self._take(self._grabber.grab())
            except SourceError as error:
                self._report(str(error))
            except Exception as error:  # of any kind: keep reconnecting
                self._report(f"{self.name} cannot be read: {error!r}")
            finally:
                self._grabber.close()
            self._stop.wait(self._retry.failed())

    def _take(self, shot: Picture | bytes) -> None:
        self._retry.succeeded()
        with self._changed:
            self._last = self._clock()
            self._newest = (self._last, self._number, shot)
            self._number += 1
            if self._broken < BROKEN_IN_A_ROW:
                self._trouble = None
            self._changed.notify_all()

    def _decoded(self, shot: Picture | bytes) -> Picture | None:
        if not isinstance(shot, bytes):
            return shot
        try:
            picture = read_picture(shot)
        except PictureError as error:
            self._broken += 1
            if self._broken >= BROKEN_IN_A_ROW:
                reason = str(error).removeprefix("the picture ")
                self._report(f"the picture from {self.name} {reason}")
            return None
        if self._broken >= BROKEN_IN_A_ROW:
            self._report(None)
        self._broken = 0
        return picture

    def _report(self, trouble: str | None) -> None:
        with self._changed:
            self._trouble = trouble
            self._changed.notify_all()
