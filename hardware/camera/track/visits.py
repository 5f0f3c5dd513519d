"""What hands bring to the pile and what they take away, told from their colours on the way.

A card in a moving hand is too blurred to be read, but its colours show: coming, when it was laid,
going, when it was lifted, both ways or not at all when a hand only passed or pushed the pile.
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

BINS = (12, 12, 4)
MORE = 1.5
"""So much larger a hand may show coming than going."""
OVER = 0.2
"""Until it hides so much of the pile, a hand is coming; from when it hides less for good, going."""
LONGEST = 240
"""Frames of a visit that are kept; of a longer one, the latest."""

LEAST_ARM = 30.0
"""So many pixels of the view's edge, over all frames, have to show an arm."""
ONE_ARM = 0.75
"""How much of what crosses the edge has to come from one side; of two arms across it is 0."""

Colours = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class _Moment:
    """A frame at half size, where a hand was in it, and whether over the pile."""

    view: Picture
    reach: Mask
    over: bool


@dataclass(frozen=True, slots=True)
class Carried:
    """What hands did with a card's colours.

    Attributes:
        brought: How much of them came and did not leave, in areas of the card; negative for what
            left and had not come.
        watched: Whether the hand was well seen on its way to the pile.
    """

    brought: float
    watched: bool


class Visit:
    """A hand's visit to the pile, from when something moved until all is still.

    Attributes:
        over: Whether a hand was over the pile.
    """

    def __init__(self) -> None:
        self._moments: deque[_Moment] = deque(maxlen=LONGEST)
        self.over = False

    def note(self, half: Picture, reach: Mask, *, over: bool) -> None:
        """A frame of it.

        Args:
            half: What is watched, at half size.
            reach: What came in from the edge, at half size.
            over: Whether a hand is over the pile.
        """
        if reach.any():
            self._moments.append(_Moment(half, reach, over))
        self.over = self.over or over

    def arm(self) -> float | None:
        """From where a hand reached over the pile, in degrees clockwise from the view's top.

        None if that cannot be told: no arm was seen, or several from different sides.
        """
        found = [_reached_from(one.reach) for one in self._moments if one.over]
        if not found:
            return None
        whole = sum(length for _, length in found)
        toward = sum(point for point, _ in found)
        if whole < LEAST_ARM or abs(toward) < ONE_ARM * whole:
            return None
        return float(np.degrees(np.angle(toward)) % 360)

    def carried(self, view: Picture, corners: Quad, *places: Quad) -> Carried:
        """What hands did with a card's colours.

        Args:
            view: A view in which the card is seen.
            corners: Where.
            places: Where cards lay on the pile, before and after: there one does not look.
        """
        size = (view.shape[1] // 2, view.shape[0] // 2)
        moments = [m for m in self._moments if m.reach.shape == (size[1], size[0])]
        pile: Mask = np.zeros((size[1], size[0]), np.uint8)
        for place in places:
            pile |= fill(size, place / 2)
        hidden = [_share(one.reach, pile) for one in moments]
        first = next((n for n, part in enumerate(hidden) if part > OVER), len(moments))
        after = (n for n in range(len(hidden) - 1, -1, -1) if hidden[n] > OVER)
        last = next(after, len(moments))
        outside = 1 - cv2.dilate(pile, np.ones((11, 11), np.uint8))
        half = cv2.resize(view, size, interpolation=cv2.INTER_AREA)
        card = fill(size, corners / 2, -1)
        palette = _palette(half, card)
        coming = [colours(one.view, one.reach & outside) for one in moments[:first]]
        going = [colours(one.view, one.reach & outside) for one in moments[last + 1 :]]
        area = max(1, int(np.count_nonzero(card)))
        brought = _only(coming, going, palette) - _only(going, coming, palette)
        return Carried(brought / area, len(coming) >= 2)


def _palette(half: Picture, card: Mask) -> npt.NDArray[np.bool_]:
    """The colours that a card has a fair amount of."""
    own = colours(half, card).astype(np.float32)
    return np.asarray(own >= 0.015 * max(1.0, float(own.sum())))


def _nearby(counts: Colours) -> Colours:
    """The most of each colour or one of its neighbours: light shifts colours a little."""
    for axis in range(counts.ndim):
        padded = np.pad(counts, [(int(n == axis),) * 2 for n in range(counts.ndim)])
        size = counts.shape[axis]
        parts = [padded.take(range(n, n + size), axis) for n in range(3)]
        counts = np.maximum.reduce(parts)
    return counts


def colours(half: Picture, mask: Mask) -> Colours:
    """How many pixels of a part have which colour: two shares of it, and brightness."""
    pixels = half[mask > 0].astype(np.float32)
    total = pixels.sum(axis=1) + 45
    first = (pixels[:, 0] - pixels[:, 1]) / total + 0.5
    second = (pixels[:, 2] - pixels[:, 1]) / total + 0.5
    shares = np.stack([first, second, (total - 45) / 766], axis=1)
    cells = np.clip((shares * BINS).astype(np.int64), 0, np.array(BINS) - 1)
    flat = np.ravel_multi_index(tuple(cells.T), BINS)
    return np.bincount(flat, minlength=int(np.prod(BINS))).reshape(BINS)


def _only(here: list[Colours], there: list[Colours], palette: npt.NDArray[np.bool_]) -> float:
    """The most pixels of a card's colours at a time that were not, by far, as many at another.

    Hands have something of the colours of many cards, coming and going.
    """
    if not here:
        return 0.0
    usual = MORE * _nearby(np.max(there, axis=0)) if there else np.zeros_like(here[0])
    return max(float(np.maximum(one - usual, 0)[palette].sum()) for one in here)


def _reached_from(reach: Mask) -> tuple[complex, float]:
    """Which way an arm comes in over the edge, and over how many pixels of that.

    A way is a complex number: 1 is down from above, and angles count clockwise. It is as long as
    the edge is crossed on one side, and short if arms come in from several.
    """
    height, width = reach.shape
    edge = np.zeros_like(reach)
    edge[[0, -1], :] = edge[:, [0, -1]] = 1
    crossed = _points(edge & reach)
    if not crossed.size:
        return 0j, 0.0
    outward = crossed - complex(-(height - 1) / 2, (width - 1) / 2)
    one_side = abs((outward / np.abs(outward)).sum())
    # Along the arm: a hand does not always aim at the middle.
    along = crossed.mean() - _points(reach).mean()
    return complex(one_side * along / max(abs(along), 1.0)), float(crossed.size)


def _points(mask: Mask) -> npt.NDArray[np.complex128]:
    """What is marked, as complex numbers: upward from the top edge, and to the right."""
    rows, columns = np.nonzero(mask)
    return np.asarray(columns * 1j - rows, np.complex128)


def _share(mask: Mask, within: Mask) -> float:
    return float(np.count_nonzero(mask & within)) / max(1, int(np.count_nonzero(within)))
