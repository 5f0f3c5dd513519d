"""Does anything move? Told from contrast, which light, flicker and exposure leave as it is."""

from collections import deque
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from hardware.camera.track.thresholds import Thresholds
from hardware.camera.types import Picture

Plane = npt.NDArray[Any]

DARK = 24.0
"""Added to brightness before dividing by it, so that noise in the dark is no contrast."""


def contrast(grey: Plane) -> Plane:
    """How much brighter each spot is than its surroundings, in shares of their brightness."""
    plane = np.asarray(grey, np.float32)
    # A fifth of the picture: wider than a finger, narrower than bands of flicker and soft shadows.
    side = (min(plane.shape) // 5) | 1
    around = cv2.blur(plane, (side, side), borderType=cv2.BORDER_REFLECT)
    return np.asarray((plane - around) / (around + DARK))


class MotionDetector:
    """Watches small pictures for movement.

    Args:
        limits: The thresholds.

    Attributes:
        just: Where something moved since the last picture, as ``moving`` tells it; a slow hand does
            not show in it.
    """

    def __init__(self, limits: Thresholds) -> None:
        self._limits = limits
        self._past: deque[tuple[float, Plane]] = deque(maxlen=12)
        self._noise = 0.0
        self.just: Plane = np.zeros((0, 0), np.uint8)

    def moving(self, view: Picture, time: float) -> Plane:
        """Where something moves.

        Args:
            view: The picture, (height, width, 3); always of the same size.
            time: When it was taken, in seconds.

        Returns:
            A mask (height / 2, width / 2), 1 where something moves.
        """
        size = (view.shape[1] // 2, view.shape[0] // 2)
        half = cv2.resize(view, size, interpolation=cv2.INTER_AREA)
        now = contrast(cv2.cvtColor(half, cv2.COLOR_BGR2GRAY))
        if self._past and self._past[-1][1].shape != now.shape:
            self._past.clear()
        if not self._past:
            self._past.append((time, now))
            self.just = np.ones(now.shape, np.uint8)
            return self.just
        newest = cv2.absdiff(now, self._past[-1][1])
        moved = newest
        earlier = [past for past in self._past if past[0] <= time - self._limits.lag + 1e-6]
        if earlier:
            moved = np.maximum(newest, cv2.absdiff(now, earlier[-1][1]))
        self._past.append((time, now))
        self._learn(newest)
        self.just = self._mask(newest)
        return self._mask(moved)

    def _mask(self, moved: Plane) -> Plane:
        limit = max(self._limits.moving, self._limits.over_noise * self._noise)
        mask = cv2.medianBlur((moved > limit).astype(np.uint8), 3)
        if int(np.count_nonzero(mask)) < self._limits.least_moving * mask.size:
            mask[:] = 0
        return np.asarray(mask)

    def forget(self) -> None:
        """Begin anew: what was seen so far is not to be compared with."""
        self._past.clear()

    def _learn(self, difference: Plane) -> None:
        """Follow the noise: the middle of all differences, whatever moves in a part of them."""
        # The median of the absolute difference of two normal variables.
        sample = float(np.median(difference[::3, ::3])) / 0.6745
        self._noise = sample if not self._noise else 0.95 * self._noise + 0.05 * sample
