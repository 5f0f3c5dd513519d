"""Detects movement by contrast, which light, flicker and exposure leave unchanged."""

from collections import deque
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from hardware.camera.track.thresholds import Thresholds
from hardware.camera.types import Picture

Plane = npt.NDArray[Any]

# Added to brightness before dividing by it, to suppress noise in the dark.
DARK_OFFSET = 24.0
# Frames remembered: more than ``lag`` seconds at any usual rate.
REMEMBERED = 12
# Share of the noise estimate that each frame renews.
NOISE_RATE = 0.05


def contrast(grey: Plane) -> Plane:
    """Return each spot's brightness above its surroundings, relative to them."""
    plane = np.asarray(grey, np.float32)
    # A fifth of the picture: wider than a finger, narrower than bands of flicker and soft shadows.
    side = (min(plane.shape) // 5) | 1
    around = cv2.blur(plane, (side, side), borderType=cv2.BORDER_REFLECT)
    return np.asarray((plane - around) / (around + DARK_OFFSET))


class MotionDetector:
    """Finds movement between views.

    ``since_last`` masks what moved since the last view alone; slow hands do not show in it.
    """

    def __init__(self, limits: Thresholds) -> None:
        self._limits = limits.motion
        self._past: deque[tuple[float, Plane]] = deque(maxlen=REMEMBERED)
        self._noise = 0.0
        self.since_last: Plane = np.zeros((0, 0), np.uint8)

    def moving(self, view: Picture, time: float) -> Plane:
        """Return a mask (height / 2, width / 2), 1 where something moves.

        Views, (height, width, 3), always have the same size; ``time`` is in seconds.
        """
        size = (view.shape[1] // 2, view.shape[0] // 2)
        half = cv2.resize(view, size, interpolation=cv2.INTER_AREA)
        now = contrast(cv2.cvtColor(half, cv2.COLOR_BGR2GRAY))
        if self._past and self._past[-1][1].shape != now.shape:
            self._past.clear()
        if not self._past:
            self._past.append((time, now))
            self.since_last = np.ones(now.shape, np.uint8)
            return self.since_last
        newest = moved = self._difference(now, time, self._past[-1])
        earlier = [past for past in self._past if past[0] <= time - self._limits.lag + 1e-6]
        if earlier and earlier[-1] is not self._past[-1]:
            moved = np.maximum(newest, cv2.absdiff(now, earlier[-1][1]))
        self._past.append((time, now))
        self._learn_noise(newest)
        self.since_last = self._mask(newest)
        return self._mask(moved)

    def forget(self) -> None:
        """Drop earlier views; the next one is compared with none of them."""
        self._past.clear()

    def _difference(self, now: Plane, time: float, past: tuple[float, Plane]) -> Plane:
        """Return how far a view differs from the one before it."""
        before = past[1]
        if time - past[0] < self._limits.sparse:
            return np.asarray(cv2.absdiff(now, before))
        # Long after it a trembling camera is elsewhere, and edges are registered to a pixel at
        # best. What really moves has by then moved further.
        kernel = np.ones((3, 3), np.uint8)
        beyond = np.maximum(now - cv2.dilate(before, kernel), cv2.erode(before, kernel) - now)
        return np.asarray(np.maximum(beyond, 0))

    def _mask(self, moved: Plane) -> Plane:
        limit = max(self._limits.contrast, self._limits.over_noise * self._noise)
        mask = cv2.medianBlur((moved > limit).astype(np.uint8), 3)
        if int(np.count_nonzero(mask)) < self._limits.smallest * mask.size:
            mask[:] = 0
        return np.asarray(mask)

    def _learn_noise(self, difference: Plane) -> None:
        # The median ignores what moves in a part of the view; 0.6745 turns it into a deviation.
        sample = float(np.median(difference[::3, ::3])) / 0.6745
        kept = (1 - NOISE_RATE) * self._noise + NOISE_RATE * sample
        self._noise = sample if not self._noise else kept
