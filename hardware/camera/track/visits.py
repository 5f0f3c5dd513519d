"""What hands bring to the pile and what they take away, told from their colours on the way.

A card in a moving hand is too blurred to be read, but its colours show. Only the rim around the
pile's place is looked at: there the hand passes coming and going, and no card lies.
"""

from collections import deque
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from hardware.camera.cards import Picture
from hardware.camera.track.tops import Quad
from hardware.camera.track.window import Mask, fill

BINS = 12
Colours = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class _Moment:
    time: float
    colours: Colours
    over: bool


def colours_of(view: Picture, mask: Mask) -> Colours:
    """How many pixels of a part of a view have which colour, (12, 12, 4) by hue-like shares."""
    pixels = cv2.GaussianBlur(view, (3, 3), 0)[mask > 0].astype(np.float32)
    total = pixels.sum(axis=1) + 45
    first = (pixels[:, 0] - pixels[:, 1]) / total + 0.5
    second = (pixels[:, 2] - pixels[:, 1]) / total + 0.5
    cells = np.stack([first * BINS, second * BINS, total / 811 * 4], axis=1).astype(np.int64)
    cells = np.clip(cells, 0, (BINS - 1, BINS - 1, 3))
    flat = np.ravel_multi_index(tuple(cells.T), (BINS, BINS, 4))
    return np.bincount(flat, minlength=BINS * BINS * 4).reshape(BINS, BINS, 4)


class Visit:
    """A hand's visit to the pile, from when something moved until all is still."""

    def __init__(self) -> None:
        self._moments: deque[_Moment] = deque(maxlen=400)

    def note(self, time: float, view: Picture, reach: Mask, *, over: bool) -> None:
        """A frame of it.

        Args:
            time: Its time.
            view: What is watched.
            reach: What came in from the edge, without the pile's place.
            over: Whether a hand is over the pile.
        """
        self._moments.append(_Moment(time, colours_of(view, reach), over))

    @property
    def over(self) -> bool:
        """Whether a hand was over the pile."""
        return any(one.over for one in self._moments)

    def seen_coming(self) -> bool:
        """Whether the hand was seen before it was over the pile."""
        coming = self._coming()
        return sum(int(one.colours.sum()) > 0 for one in coming) >= 2

    def brought(self, view: Picture, corners: Quad) -> float:
        """How much of a card's colours came with the hand and did not leave with it.

        In areas of the card; negative for what left and had not come.
        """
        mask = fill((view.shape[1], view.shape[0]), corners, -1)
        own = colours_of(view, mask).astype(np.float32)
        own /= max(1.0, float(own.sum()))
        palette = own >= 0.015
        size = max(1, int(np.count_nonzero(mask)))
        coming = max((int(m.colours[palette].sum()) for m in self._coming()), default=0)
        going = max((int(m.colours[palette].sum()) for m in self._going()), default=0)
        return (coming - going) / size

    def _coming(self) -> list[_Moment]:
        moments = list(self._moments)
        first = next((n for n, one in enumerate(moments) if one.over), len(moments))
        return moments[:first]

    def _going(self) -> list[_Moment]:
        moments = list(self._moments)
        later = next((n for n, one in enumerate(reversed(moments)) if one.over), 0)
        return moments[len(moments) - later :] if later else []
