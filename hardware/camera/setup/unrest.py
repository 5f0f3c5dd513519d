"""Measures over some seconds whether a camera shakes, or its focus or exposure hunts."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from hardware.camera.reading.registration import FrameRegistration
from hardware.camera.setup.conditions import sharpest_edges
from hardware.camera.types import Corners, Picture

# Seconds over which hunting is measured: an autofocus searches for one or two seconds, an exposure
# that hunts swings in one to four.
OVER = 12.0
# Seconds over which shaking is measured, and the fewest pictures to measure it in.
SHAKING_OVER, LEAST = 2.0, 5
# Share of the picture's width and height in whose middle sharpness is measured, to save time.
MIDDLE = 0.7
# Blocks in which brightness is measured; hands cover few of them.
BLOCKS = (16, 9)

Array = npt.NDArray[np.float32]


Sign = Literal["covered", "exposure-hunts", "focus-hunts", "shakes", "slow"]


@dataclass(frozen=True, slots=True)
class UnrestThresholds:
    """When a camera counts as shaking, hunting or slow, and the pile as covered."""

    # Factor by which edges become wider or narrower: 2.5 pixels against 3.4. Within 12 seconds of
    # drawn play they do so twice at most; eight times if blurred by 2.2 pixels every 3 seconds.
    focus: float = 1.35
    # Factor by which the picture becomes brighter or darker. In drawn play once at most, nine times
    # if it swings by a quarter every 3 seconds.
    exposure: float = 1.12
    # Swings within ``OVER`` from which it hunts: a lamp switched off and on makes two.
    swings: int = 3
    # Pixels, root mean square. Frames are registered: drawn films with 1 come out right, with 2
    # cards on a plain table are missed. What trembles by 2 and 3 is measured as 1.5 to 2.4.
    shaking: float = 1.4
    # Seconds for which something is over the pile without a pause. A hand takes one or two.
    covered_for: float = 10.0
    # Seconds from picture to picture while something moves, the mean of the last ``paces``, from
    # which they come too slowly: of a hand that lays a card for a second, three are too few to be
    # sure of what it did. A phone that is asked for six a second has half of that.
    slow_pace: float = 0.3
    paces: int = 6
    # Seconds between pictures that say so at rest, too.
    pause: float = 1.0


@dataclass(frozen=True, slots=True)
class Look:
    """Light and sharpness of a picture taken at ``at`` (seconds), against recent ones.

    ``edge`` is the width in pixels of the sharpest edges, None if there are hardly any, and
    ``sharpest`` the least lately. ``brightness`` is from 0 to 255, ``blocks`` its logarithm in
    blocks, and ``gain`` by how much that is lately more than usual.
    """

    at: float
    edge: float | None
    sharpest: float
    brightness: float
    blocks: Array
    gain: float


class Unrest:
    """Measurements of a camera's recent pictures, given a few times a second, in order.

    Cards and hands, which take a part of the picture, do not count.
    """

    def __init__(self) -> None:
        self._edges: deque[tuple[float, float]] = deque()
        self._light: deque[tuple[float, Array]] = deque()
        self._registration = FrameRegistration()
        self._places: deque[tuple[float, Array]] = deque()

    def add(self, picture: Picture, at: float, pile: Corners | None = None) -> Look:
        """Measure a picture taken at ``at`` (seconds); shaking only with the pile's place in it."""
        if pile is not None:
            self._add_shift(picture, at, pile)
        grey = picture if picture.ndim == 2 else cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        height, width = (round(side * (1 - MIDDLE) / 2) for side in grey.shape)
        middle = grey[height : grey.shape[0] - height, width : grey.shape[1] - width]
        edge = sharpest_edges(np.asarray(middle, np.uint8))
        if edge is not None:
            self._edges.append((at, edge))
        blocks = cv2.resize(grey, BLOCKS, interpolation=cv2.INTER_AREA)
        self._light.append((at, np.log(np.maximum(blocks.astype(np.float32).ravel(), 4.0))))
        for series in (self._edges, self._light):
            while series and not 0 <= at - series[0][0] <= OVER:
                series.popleft()
        return Look(
            at,
            edge,
            min((edge for _, edge in self._edges), default=0.0),
            float(blocks.mean()),
            self._light[-1][1],
            float(self._gains()[-1]),
        )

    def signs(self, limits: UnrestThresholds | None = None) -> tuple[Sign, ...]:
        """Return which of the camera, its focus and its exposure do not rest."""
        limits = limits or UnrestThresholds()
        signs: list[Sign] = ["shakes"] if self.shaking > limits.shaking else []
        if self.focus_swings(limits.focus) >= limits.swings:
            signs.append("focus-hunts")
        if self.exposure_swings(limits.exposure) >= limits.swings:
            signs.append("exposure-hunts")
        return tuple(signs)

    @property
    def calm(self) -> bool:
        """Whether neither has swung at all."""
        limits = UnrestThresholds()
        return not (self.focus_swings(limits.focus) or self.exposure_swings(limits.exposure))

    @property
    def shaking(self) -> float:
        """How far the camera lately was from its mean place, root mean square, in pixels."""
        if len(self._places) < LEAST:
            return 0.0
        places = np.array([place for _, place in self._places])
        return float(np.sqrt(((places - places.mean(axis=0)) ** 2).sum(axis=1).mean()))

    def focus_swings(self, least: float) -> int:
        """Count how often edges lately became wider or narrower by the factor ``least``."""
        return swings([np.log(edge) for _, edge in self._edges], np.log(least))

    def exposure_swings(self, least: float) -> int:
        """Count how often the whole picture lately became brighter or darker by that factor."""
        gains = self._gains()
        # Flicker alternates from picture to picture.
        calm = np.convolve(gains, np.ones(3) / 3, "valid") if len(gains) > 3 else gains
        return swings(list(calm), np.log(least))

    def _add_shift(self, picture: Picture, at: float, pile: Corners) -> None:
        certain = self._registration.follow(picture, at, pile)
        if certain:
            middle = np.append(pile.mean(axis=0), 1.0)
            place = self._registration.matrix @ middle
            self._places.append((at, np.asarray(place[:2] - middle[:2], np.float32)))
        while self._places and not 0 <= at - self._places[0][0] <= SHAKING_OVER:
            self._places.popleft()

    def _gains(self) -> npt.NDArray[np.float64]:
        """Return by how much each picture is brighter than usual, as a logarithm."""
        if not self._light:
            return np.zeros(0)
        blocks = np.array([light for _, light in self._light])
        # Against its usual light, most blocks show what changes everywhere.
        return np.asarray(np.median(blocks - np.median(blocks, axis=0), axis=1), np.float64)


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
