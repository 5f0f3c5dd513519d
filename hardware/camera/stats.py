"""How watching does: pictures, how many a second, and how long each takes."""

from collections import deque
from typing import Any

import numpy as np

from hardware.camera.source import Frame


class WatchStats:
    """Counts what is watched.

    Attributes:
        frames: Pictures looked at.
        dropped: Pictures of a live source that came while another was being looked at.
        events: What was told.
    """

    def __init__(self) -> None:
        self.frames = self.dropped = self.events = 0
        self._first: float | None = None
        self._last = 0.0
        self._number = -1
        self._spent: deque[float] = deque(maxlen=60)
        self._at: deque[float] = deque(maxlen=60)

    def add(self, frame: Frame, spent: float, events: int) -> None:
        """A picture was looked at, in ``spent`` seconds."""
        self.frames += 1
        self.events += events
        if frame.number > self._number + 1 and self._number >= 0:
            self.dropped += frame.number - self._number - 1
        self._number = frame.number
        self._first = frame.at if self._first is None else self._first
        self._last = frame.at
        self._spent.append(spent)
        self._at.append(frame.at)

    @property
    def rate(self) -> float:
        """Pictures a second, lately, by their own times."""
        span = self._at[-1] - self._at[0] if self._at else 0.0
        return (len(self._at) - 1) / span if span > 0 else 0.0

    @property
    def seconds(self) -> float:
        """From the first picture to the last."""
        return 0.0 if self._first is None else self._last - self._first

    @property
    def ms(self) -> float:
        """What a picture takes, in the mean of the latest."""
        return 1000 * float(np.mean(self._spent)) if self._spent else 0.0

    def counts(self, unkept: int) -> dict[str, int]:
        """Them as a device's figures; ``unkept`` is what the disk has not taken yet."""
        return {
            "pictures": self.frames,
            "dropped": self.dropped,
            "a_second": round(self.rate),
            "ms_each": round(self.ms),
            "events": self.events,
            "unkept": unkept,
        }

    def to_json(self) -> dict[str, Any]:
        """Them for programs."""
        return {
            "frames": self.frames,
            "dropped": self.dropped,
            "events": self.events,
            "seconds": round(self.seconds, 2),
            "rate": round(self.rate, 1),
            "ms": round(self.ms, 2),
        }
