"""Measures over some seconds whether the camera's focus or exposure hunts."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from hardware.camera.setup.conditions import sharpest_edges
from hardware.camera.types import Picture

# Seconds over which hunting is measured: an autofocus searches for one or two seconds, an exposure
# that hunts swings in one to four.
OVER = 12.0
# Blocks in which brightness is measured; hands cover few of them.
BLOCKS = (16, 9)

Array = npt.NDArray[np.float32]


Sign = Literal["focus-hunts", "exposure-hunts"]


@dataclass(frozen=True, slots=True)
class UnrestThresholds:
    """When a focus or an exposure counts as hunting."""

    # Factor by which edges become wider or narrower: 2.5 pixels against 3.4. Within 12 seconds of
    # drawn play they do so twice at most; eight times if blurred by 2.2 pixels every 3 seconds.
    focus: float = 1.35
    # Factor by which the picture becomes brighter or darker. In drawn play once at most, nine times
    # if it swings by a quarter every 3 seconds.
    exposure: float = 1.12
    # Swings within ``OVER`` from which it hunts: a lamp switched off and on makes two.
    swings: int = 3


class Unrest:
    """Measurements of a camera's recent pictures, given a few times a second, in order.

    Cards and hands, which take a part of the picture, do not count.
    """

    def __init__(self) -> None:
        self._edges: deque[tuple[float, float]] = deque()
        self._light: deque[tuple[float, Array]] = deque()

    def add(self, picture: Picture, at: float) -> None:
        """Measure a picture taken at ``at`` (seconds)."""
        grey = picture if picture.ndim == 2 else cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        edge = sharpest_edges(np.asarray(grey, np.uint8))
        if edge is not None:
            self._edges.append((at, edge))
        blocks = cv2.resize(grey, BLOCKS, interpolation=cv2.INTER_AREA)
        self._light.append((at, np.log(np.maximum(blocks.astype(np.float32).ravel(), 4.0))))
        for series in (self._edges, self._light):
            while series and not 0 <= at - series[0][0] <= OVER:
                series.popleft()

    def signs(self, limits: UnrestThresholds | None = None) -> tuple[Sign, ...]:
        """Return what hunts."""
        limits = limits or UnrestThresholds()
        found: list[Sign] = []
        if self.focus_swings(limits.focus) >= limits.swings:
            found.append("focus-hunts")
        if self.exposure_swings(limits.exposure) >= limits.swings:
            found.append("exposure-hunts")
        return tuple(found)

    @property
    def calm(self) -> bool:
        """Whether neither has swung at all."""
        limits = UnrestThresholds()
        return not (self.focus_swings(limits.focus) or self.exposure_swings(limits.exposure))

    def focus_swings(self, least: float) -> int:
        """Count how often edges lately became wider or narrower by the factor ``least``."""
        return swings([np.log(edge) for _, edge in self._edges], np.log(least))

    def exposure_swings(self, least: float) -> int:
        """Count how often the whole picture lately became brighter or darker by that factor."""
        if not self._light or self._light[0][1].shape != self._light[-1][1].shape:
            return 0
        blocks = np.array([light for _, light in self._light])
        # Against its usual light, most blocks show what changes everywhere.
        gains = np.median(blocks - np.median(blocks, axis=0), axis=1)
        # Flicker alternates from picture to picture.
        calm = np.convolve(gains, np.ones(3) / 3, "valid") if len(gains) > 3 else gains
        return swings(list(calm), np.log(least))


def swings(series: Sequence[float], least: float) -> int:
    """Count the ways up and down of a series that are at least so high."""
    count, way = 0, 0
    low = high = series[0] if series else 0.0
    for value in series:
        if way >= 0:
            high = max(high, value)
            if high - value >= least:
                count, way, low = count + 1, -1, value
        if way <= 0:
            low = min(low, value)
            if value - low >= least:
                count, way, high = count + 1, 1, value
    return count
