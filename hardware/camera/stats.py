"""Statistics of watching: pictures, their rate, and the time each takes."""

from collections import deque
from typing import Any

import numpy as np

from hardware.camera.source import Frame


class WatchStats:
    """Counts pictures, events, and live pictures that arrived while another was examined."""

    def __init__(self) -> None:
        self.frames = self.dropped = self.events = 0
        self._first: float | None = None
        self._last = 0.0
        self._number = -1
        self._spent: deque[float] = deque(maxlen=60)
        self._at: deque[float] = deque(maxlen=60)

    def add(self, frame: Frame, spent: float, events: int) -> None:
        """Add a picture that took ``spent`` seconds."""
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
        """Recent pictures per second, by their own times."""
        span = self._at[-1] - self._at[0] if self._at else 0.0
        return (len(self._at) - 1) / span if span > 0 else 0.0

    @property
    def seconds(self) -> float:
        """Seconds from the first picture to the last."""
        return 0.0 if self._first is None else self._last - self._first

    @property
    def ms(self) -> float:
        """Mean time per recent picture, in ms."""
        return 1000 * float(np.mean(self._spent)) if self._spent else 0.0

    def counts(self, unkept: int) -> dict[str, int]:
        """Return them as a device's figures; ``unkept`` counts observations not yet on disk."""
        return {
            "pictures": self.frames,
            "dropped": self.dropped,
            "a_second": round(self.rate),
            "ms_each": round(self.ms),
            "events": self.events,
            "unkept": unkept,
        }

    def to_json(self) -> dict[str, Any]:
        """Return them for programs."""
        return {
            "frames": self.frames,
            "dropped": self.dropped,
            "events": self.events,
            "seconds": round(self.seconds, 2),
            "rate": round(self.rate, 1),
            "ms": round(self.ms, 2),
        }
