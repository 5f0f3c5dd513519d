"""What hands bring to the pile and what they take away, told from their colours on the way.

A card in a moving hand is too blurred to be read, but its colours show: coming, when it was laid,
going, when it was lifted, both ways or not at all when a hand only passed or pushed the pile. What
it does at the pile is left out: whoever takes a card up and puts it back holds one, too.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from hardware.camera.track.change import changed, comparable, edge_connected
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.top_cards import Quad
from hardware.camera.track.window import Mask, fill
from hardware.camera.types import Picture

BINS = (12, 12, 4)
MORE = 1.5
"""So much larger a hand may show coming than going."""
TOUCH, OVER = 0.03, 0.2
"""A hand that hides so much of the pile can be at a card of it; it is over the pile."""
GRASP = 0.15
"""For so long, in seconds, a hand that came has hold of nothing there, or one that goes has let go
of it."""
COMING_OVER, GOING_OVER = 2, 1
"""So many frames of a hand over the pile are looked at: further ones show what it does there."""
LONGEST = 240
"""Frames of a visit that are kept; of a longer one, the latest."""

LEAST_ARM = 30.0
"""So many pixels of the view's edge, over all frames, have to show an arm."""
ONE_ARM = 0.75
"""How much of what crosses the edge has to come from one side; of two arms across it is 0."""

Colours = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class _Moment:
    """A frame at half size, its time, where a hand was in it, and whether over the pile."""

    time: float
    view: Picture
    reach: Mask
    over: bool


@dataclass(frozen=True, slots=True)
class CardFlow:
    """What hands did with a card's colours.

    Attributes:
        brought: How much of them came and did not leave, in areas of the card; negative for what
            left and had not come.
        watched: Whether the hand was well seen on its way to the pile.
    """

    brought: float
    watched: bool


class HandVisit:
    """A hand's visit to the pile, from when something moved until all is still.

    Args:
        limits: The thresholds.

    Attributes:
        over: Whether a hand was over the pile.
    """

    def __init__(self, limits: Thresholds) -> None:
        self._limits = limits
        self._moments: deque[_Moment] = deque(maxlen=LONGEST)
        self.over = False

    def note(self, time: float, half: Picture, reach: Mask, *, over: bool) -> None:
        """A frame of it.

        Args:
            time: Its time.
            half: What is watched, at half size.
            reach: What came in from the edge, at half size.
            over: Whether a hand is over the pile.
        """
        if reach.any():
            self._moments.append(_Moment(time, half, reach, over))
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

    def carried(
        self, view: Picture, corners: Quad, places: Sequence[Quad], after: Picture
    ) -> CardFlow:
        """What hands did with a card's colours.

        Args:
            view: A view in which the card is seen.
            corners: Where.
            places: Where cards lay on the pile, before and after.
            after: The view when all was still again.
        """
        size = (view.shape[1] // 2, view.shape[0] // 2)
        moments = [m for m in self._moments if m.reach.shape == (size[1], size[0])]
        pile: Mask = fill(size, corners / 2)
        for place in places:
            pile |= fill(size, place / 2)
        middle = (len(moments) + 1) // 2
        now = comparable(cv2.resize(after, size, interpolation=cv2.INTER_AREA), self._limits)
        coming = list(_empty_handed(((m, m.reach) for m in moments[:middle]), pile, COMING_OVER))
        # As the pile looks now: what was laid or taken is no hand.
        leaving = (
            (one, edge_connected(changed(now, comparable(one.view, self._limits))))
            for one in reversed(moments[middle:])
        )
        going = list(_empty_handed(leaving, pile, GOING_OVER))
        if not coming or not going:
            return CardFlow(0.0, watched=False)
        half = cv2.resize(view, size, interpolation=cv2.INTER_AREA)
        card = fill(size, corners / 2, -1)
        palette = _palette(half, card)
        came, went = ([colours(one.view, reach) for one, reach in some] for some in (coming, going))
        area = max(1, int(np.count_nonzero(card)))
        brought = _only(came, went, palette) - _only(went, came, palette)
        seen = sum(_share(reach, pile) <= OVER for _, reach in coming)
        return CardFlow(brought / area, seen >= 2)


def _empty_handed(
    moments: Iterable[tuple[_Moment, Mask]], pile: Mask, most: int
) -> Iterator[tuple[_Moment, Mask]]:
    """The moments until a hand may have got hold of a card of the pile, or back to that time.

    Args:
        moments: With where the hand is in them; from when it comes on, or back from when it goes.
        pile: Where the cards lie.
        most: In so many of them it may be over the pile.
    """
    touched: float | None = None
    over = 0
    for one, reach in moments:
        hidden = _share(reach, pile)
        over += hidden > OVER
        if touched is None and hidden > TOUCH:
            touched = one.time
        if over > most or (touched is not None and abs(one.time - touched) > GRASP):
            return
        if reach.any():
            yield one, reach


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
    usual = MORE * _nearby(np.max(there, axis=0))
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
