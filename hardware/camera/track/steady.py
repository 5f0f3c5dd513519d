"""Keeps the watched place steady while the camera trembles, and measures how much it does."""

from collections import deque

import numpy as np

from hardware.camera.registration import FrameRegistration
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.window import project
from hardware.camera.types import Corners, Picture


class SteadyRegion:
    """The pile's place from frame to frame, to a small part of a pixel."""

    def __init__(self, limits: Thresholds) -> None:
        self._limits = limits.steady
        self._registration = FrameRegistration()
        # The place in the registration's reference.
        self._home: Corners | None = None
        self._shifts: deque[tuple[float, Corners]] = deque()

    @property
    def tremble(self) -> float:
        """How far the camera lately was from its mean place, root mean square, in pixels."""
        if len(self._shifts) < self._limits.least_frames:
            return 0.0
        shifts = np.array([shift for _, shift in self._shifts])
        return float(np.sqrt(((shifts - shifts.mean(axis=0)) ** 2).sum(axis=1).mean()))

    @property
    def lost_at(self) -> float:
        """When the whole picture last looked different for good; minus infinity if it never did."""
        return self._registration.lost_at

    def at(self, frame: Picture, time: float, region: Corners) -> Corners:
        """Return the corners of the place in a frame; ``region`` is where it is thought to be."""
        certain = self._registration.follow(frame, time, region)
        matrix = self._registration.matrix
        if self._home is not None:
            here = project(matrix, self._home)
            off = float(np.hypot(*(here - region).T).max())
            if off <= self._limits.farthest * max(frame.shape[:2]):
                if certain:
                    self._note(time, here.mean(axis=0))
                return here
        # The camera or the mat has been moved.
        self._home = project(np.linalg.inv(matrix), region)
        self._shifts.clear()
        return region

    def _note(self, time: float, shift: Corners) -> None:
        self._shifts.append((time, shift))
        while time - self._shifts[0][0] > self._limits.tremble_over:
            self._shifts.popleft()
