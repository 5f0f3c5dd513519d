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
from hardware.camera.types import Picture

# Seconds of one window: the smallest offset of the last two counts, since clocks drift apart.
WINDOW = 60.0
# Seconds by which messages may be late, before the sender's clock is suspected of a new beginning,
# and for which several in a row have to say so. A phone that was locked, or a page loaded again,
# begins anew; what was held up on its way arrives all at once.
LATE, SUSPECTED_FOR = 5.0, 1.0


class SenderClock:
    """The clock of one sender, such as a page's ``performance.now``.

    No message takes less than no time, so the smallest difference between sending and arriving is
    the best guess of the clocks' offset.
    """

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Start over, as with another sender."""
        self._window = float("-inf")
        self._smallest = self._before = float("inf")
        self._newest = self._last = float("-inf")
        # What a new beginning rests on: its first arrival, offset and newest time.
        self._suspected: tuple[float, float, float] | None = None

    def place(self, taken: float, sent: float, arrived: float) -> float | None:
        """Return when something was made, on our clock, later than everything before it.

        ``made`` and ``sent`` are in seconds of the sender's clock, ``arrived`` of ours. None for
        what is not newer than what came before.
        """
        offset = arrived - sent
        if offset > min(self._smallest, self._before) + LATE:
            if not self._began_anew(taken, offset, arrived):
                return None
            last = self._last
            self.forget()
            self._last = last
        else:
            self._suspected = None
        if taken <= self._newest:
            return None
        self._newest = taken
        if arrived - self._window > WINDOW:
            self._before = self._smallest if arrived - self._window <= 2 * WINDOW else offset
            self._window, self._smallest = arrived, offset
        self._smallest = min(self._smallest, offset)
        at = min(taken, sent) + min(self._smallest, self._before)
        # A better guess of the offset may place this one before the last.
        self._last = max(at, self._last + 0.001)
        return self._last

    def _began_anew(self, taken: float, offset: float, arrived: float) -> bool:
        suspected = self._suspected
        if suspected is None or abs(offset - suspected[1]) > LATE:
            self._suspected = arrived, offset, taken
            return False
        if taken <= suspected[2]:
            return False
        self._suspected = suspected[0], min(offset, suspected[1]), taken
        return arrived - suspected[0] >= SUSPECTED_FOR


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

    def push(self, data: bytes | None, taken: float, sent: float) -> bool:
        """Add a picture, or None for "what the last one shows, still"; any thread may call it.

        ``made`` and ``sent`` are in seconds of the sender's clock. Returns whether it is taken: not
        if it is older than what came before. The oldest make room for what does not fit.
        """
        with self._changed:
            arrived = self._clock()
            at = self._sender.place(taken, sent, arrived)
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
