"""A source whose pictures another thread pushes: a phone's, as they arrive over the network."""

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

from hardware.camera.source.base import Frame
from hardware.camera.source.errors import PictureError
from hardware.camera.source.image import PictureLimits, read_picture
from hardware.camera.source.live import BROKEN_IN_A_ROW, SILENT
from hardware.camera.source.sender_clock import SenderClock
from hardware.camera.types import Picture

PUSHED = PictureLimits(bytes=512 * 1024, pixels=1920 * 1920)
"""What is decoded of a phone's frame: 11 MB at most."""
MOST_WAITING, MOST_BYTES = 40, 8 * 1024 * 1024
"""Frames that wait, and their bytes: four seconds at ten a second, as large as phones make them."""


@dataclass(frozen=True, slots=True)
class _Pushed:
    """A frame that waits; without ``data`` it shows what the one before it shows."""

    at: float
    number: int
    data: bytes | None


class PushedSource:
    """A live source that is pushed to; none is dropped as long as the burst fits.

    Args:
        name: Its name for people.
        clock: Seconds that never go back; frames have its times.
    """

    live = True
    controls = None

    def __init__(self, name: str, clock: Callable[[], float] = time.monotonic) -> None:
        self.name = name
        self._clock = clock
        self._changed = threading.Condition()
        self._waiting: deque[_Pushed] = deque()
        self._bytes = 0
        self._sender = SenderClock()
        self._number = 0
        self._arrived = clock()
        self._picture: Picture | None = None
        self._broken = 0
        self._trouble: str | None = None
        self._closed = False

    def push(self, data: bytes | None, made: float, sent: float) -> bool:
        """Add a picture, or None for "what the last one shows, still"; any thread may call it.

        ``made`` and ``sent`` are in seconds of the sender's clock. Returns whether it is taken: not
        if it is older than what came before. The oldest make room for what does not fit.
        """
        with self._changed:
            arrived = self._clock()
            at = self._sender.place(made, sent, arrived)
            if at is None or self._closed:
                return False
            self._arrived = arrived
            self._waiting.append(_Pushed(at, self._number, data))
            self._number += 1
            self._bytes += len(data or b"")
            while len(self._waiting) > MOST_WAITING or self._bytes > MOST_BYTES:
                self._bytes -= len(self._waiting.popleft().data or b"")
            self._changed.notify_all()
            return True

    @property
    def waiting(self) -> int:
        """The frames that wait to be read."""
        return len(self._waiting)

    @property
    def silent_for(self) -> float:
        """Seconds since the last frame arrived."""
        return self._clock() - self._arrived

    @property
    def trouble(self) -> str | None:
        """Why no pictures are read, in one sentence; None while they are."""
        if self._trouble is not None or self.silent_for <= SILENT:
            return self._trouble
        return f"{self.name} has sent no picture for {self.silent_for:.0f} seconds"

    @property
    def ended(self) -> bool:
        """True once it was closed; it never ends by itself."""
        return self._closed

    def start(self) -> None:
        """Begin, or begin again; what was pushed before it counts."""
        self._closed = False

    def read(self, timeout: float = 1.0) -> Frame | None:
        """Return the next frame in order; None if none is there in time."""
        until = time.monotonic() + timeout
        while True:
            pushed = self._next(until)
            if pushed is None:
                return None
            if pushed.data is not None:
                self._decode(pushed.data)
            if self._picture is not None:
                return Frame(self._picture, pushed.at, pushed.number)

    def close(self) -> None:
        """Stop; whoever reads is woken."""
        with self._changed:
            self._closed = True
            self._waiting.clear()
            self._bytes = 0
            self._changed.notify_all()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _next(self, until: float) -> _Pushed | None:
        with self._changed:
            while not self._waiting:
                left = until - time.monotonic()
                if left <= 0 or self._closed:
                    return None
                self._changed.wait(left)
            pushed = self._waiting.popleft()
            self._bytes -= len(pushed.data or b"")
            return pushed

    def _decode(self, data: bytes) -> None:
        """Decode a picture; a broken one shows nothing, and neither does what repeats it."""
        try:
            self._picture = read_picture(data, PUSHED)
        except PictureError as error:
            self._picture = None
            self._broken += 1
            if self._broken >= BROKEN_IN_A_ROW:
                reason = str(error).removeprefix("the picture ")
                self._trouble = f"the picture from {self.name} {reason}"
            return
        self._broken, self._trouble = 0, None
