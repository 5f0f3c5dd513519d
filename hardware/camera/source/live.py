"""A source that shows the present: a thread reads it, the newest wins, it comes back by itself."""

import threading
import time
from collections.abc import Callable
from typing import Protocol, Self

from hardware.camera.source.base import Frame
from hardware.camera.source.errors import PictureError, SourceError
from hardware.camera.source.image import Limits, read_picture
from hardware.camera.types import Picture
from hardware.retry import Retry

# Longer than any single wait of the grabbers: if nothing came by then, say so.
SILENT = 8.0
# A picture that cannot be decoded now and then is nothing; so many in a row are worth a word.
BROKEN_IN_A_ROW = 3


class Grabber(Protocol):
    """What the thread uses. Every call returns after some seconds at the latest."""

    def open(self) -> None:
        """Connect. Raises SourceError."""

    def grab(self) -> Picture | bytes:
        """The newest picture, or what it is decoded from. Raises SourceError."""

    def interrupt(self) -> None:
        """From another thread: let a call that waits return, if that is possible."""

    def close(self) -> None:
        """Disconnect, whatever the state."""


class Live:
    """A camera or a stream."""

    live = True

    def __init__(
        self,
        name: str,
        grabber: Grabber,
        retry: Retry | None = None,
        clock: Callable[[], float] = time.monotonic,
        limits: Limits | None = None,
    ) -> None:
        self.name = name
        self._grabber = grabber
        self._retry = retry or Retry(first=0.2)
        self._clock = clock
        self._limits = limits
        self._changed = threading.Condition()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._shot: tuple[float, int, Picture | bytes] | None = None
        self._number = 0
        self._last = 0.0
        self._trouble: str | None = None
        self._broken = 0

    @property
    def trouble(self) -> str | None:
        """What keeps it from giving pictures at the moment."""
        with self._changed:
            if self._trouble is not None or self._thread is None:
                return self._trouble
            silence = self._clock() - self._last
        if silence <= SILENT:
            return None
        return f"{self.name} has sent no picture for {silence:.0f} seconds"

    @property
    def ended(self) -> bool:
        """Whether it was closed; by itself it never ends."""
        return self._stop.is_set()

    def start(self) -> None:
        """Start the thread; whether anything is connected shows later."""
        self._last = self._clock()
        self._thread = threading.Thread(target=self._run, name=f"read {self.name}", daemon=True)
        self._thread.start()

    def read(self, timeout: float = 1.0) -> Frame | None:
        """The newest picture that was not read yet; None if none came in time."""
        until = time.monotonic() + timeout
        while True:
            with self._changed:
                while self._shot is None:
                    left = until - time.monotonic()
                    if left <= 0 or self._stop.is_set():
                        return None
                    self._changed.wait(left)
                (at, number, shot), self._shot = self._shot, None
            picture = self._decoded(shot)
            if picture is not None:
                return Frame(picture, at, number)

    def close(self) -> None:
        """Stop the thread. One that hangs in a driver is left behind; it ends with the program."""
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
                self._say(str(error))
            except Exception as error:  # whatever it is, the camera is to come back by itself
                self._say(f"{self.name} cannot be read: {error!r}")
            finally:
                self._grabber.close()
            self._stop.wait(self._retry.failed())

    def _take(self, shot: Picture | bytes) -> None:
        self._retry.succeeded()
        with self._changed:
            self._last = self._clock()
            self._shot = (self._last, self._number, shot)
            self._number += 1
            if self._broken < BROKEN_IN_A_ROW:
                self._trouble = None
            self._changed.notify_all()

    def _decoded(self, shot: Picture | bytes) -> Picture | None:
        if not isinstance(shot, bytes):
            return shot
        try:
            picture = read_picture(shot, self._limits)
        except PictureError as error:
            self._broken += 1
            if self._broken >= BROKEN_IN_A_ROW:
                said = str(error).removeprefix("the picture ")
                self._say(f"what {self.name} sends {said}")
            return None
        if self._broken >= BROKEN_IN_A_ROW:
            self._say(None)
        self._broken = 0
        return picture

    def _say(self, trouble: str | None) -> None:
        with self._changed:
            self._trouble = trouble
            self._changed.notify_all()
