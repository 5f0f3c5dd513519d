"""Measures what hands carry to and from the pile, by the colours seen on the way.

A card in a moving hand is too blurred to be read, but its colours show: on the way there if it was
laid, on the way back if it was lifted, both ways or not at all if a hand only passed or pushed the
pile. What happens at the pile itself is left out: a hand that takes a card up and puts it back
holds one, too.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hardware.camera.track.thresholds import HandThresholds, Thresholds
from hardware.camera.track.view.change import changed, comparable, edge_connected, halved
from hardware.camera.track.view.top_cards import Quad
from hardware.camera.track.view.window import Mask, fill
from hardware.camera.types import Picture

# Cells of the colour histogram: two shares of colours, and brightness.
BINS = (12, 12, 4)
# Added to the sum of a pixel's channels, to suppress noise in the dark.
DARK_SUM = 45

Colours = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class _Moment:
    """A frame at half size, with the mask of hands and whether one was over the pile."""

    time: float
    view: Picture
    reach: Mask
    over: bool


class _Stay:
    """A time in which hands were over the pile throughout.

    ``comings`` counts those that came and went again, by the share of the view that all hide.
    """

    def __init__(self, time: float, limits: HandThresholds) -> None:
        self._limits = limits
        self._began = self._ended = time
        self._turn = 0.0
        self._rises = True
        self.comings = 0

    def add(self, time: float, hidden: float, *, over: bool) -> None:
        """Add a frame; ``hidden`` is the share of the view that hands hide."""
        if over:
            self._ended = time
        if (hidden > self._turn) == self._rises:
            self._turn = hidden
        elif abs(hidden - self._turn) >= self._limits.comes:
            self.comings += self._rises
            self._turn, self._rises = hidden, not self._rises

    @property
    def lasted(self) -> float:
        """How long it lasted, in seconds."""
        return self._ended - self._began


class HandVisit:
    """A hand's visit to the pile, from the first movement until all is still."""

    def __init__(self, limits: Thresholds) -> None:
        self._limits = limits
        self._moments: deque[_Moment] = deque(maxlen=limits.hands.longest)
        self._stay: _Stay | None = None
        self._is_over = False
        self.over = False

    def add(self, time: float, half: Picture, reach: Mask, *, over: bool) -> None:
        """Add a frame at half size, with the mask of hands."""
        if reach.any():
            self._moments.append(_Moment(time, half, reach, over))
        if over and not self._is_over:
            self._stay = _Stay(time, self._limits.hands)
        if self._stay is not None:
            self._stay.add(time, float(reach.mean()), over=over)
        self._is_over = over
        self.over = self.over or over

    @property
    def unseen(self) -> int:
        """How many hands came and went while others hid the pile for too long to look back."""
        stay = self._stay
        longest = self._limits.covered.keep_for
        return 0 if stay is None or stay.lasted < longest else stay.comings

    @property
    def lasted(self) -> float:
        """For how long hands were over the pile, in seconds."""
        times = [moment.time for moment in self._moments if moment.over]
        return times[-1] - times[0] if times else 0.0

    def arm_direction(self) -> float | None:
        """Return the direction the arm over the pile came from, None if unknown.

        It is in degrees clockwise from the view's top, and unknown if no arm was seen or several
        came from different sides.
        """
        directions = [_direction(moment.reach) for moment in self._moments if moment.over]
        if not directions:
            return None
        whole = sum(length for _, length in directions)
        toward = sum(point for point, _ in directions)
        most = self._limits.hands
        if whole < most.least_arm or abs(toward) < most.one_arm * whole:
            return None
        return float(np.degrees(np.angle(toward)) % 360)

    def brought(
        self, view: Picture, corners: Quad, outlines: Sequence[Quad], after: Picture
    ) -> float:
        """Return the area of a card's colours that came with hands, less the area that left.

        The unit is the area of the card at ``corners`` in ``view``; 0 if too little was seen.
        ``outlines`` are the corners of the pile's cards, before and after; ``after`` is the view
        when all was still again.
        """
        limits = self._limits.hands
        size = (view.shape[1] // 2, view.shape[0] // 2)
        moments = [m for m in self._moments if m.reach.shape == (size[1], size[0])]
        pile: Mask = fill(size, corners / 2)
        for outline in outlines:
            pile |= fill(size, outline / 2)
        middle = (len(moments) + 1) // 2
        settled = comparable(halved(after), self._limits)
        arriving = ((m, m.reach) for m in moments[:middle])
        # Compare with the pile as it is now: a card laid or taken is no hand.
        leaving = (
            (moment, edge_connected(changed(settled, comparable(moment.view, self._limits))))
            for moment in reversed(moments[middle:])
        )
        coming = list(_before_grasp(arriving, pile, limits.arriving_over, limits))
        going = list(_before_grasp(leaving, pile, limits.leaving_over, limits))
        if not coming or not going:
            return 0.0
        card = fill(size, corners / 2, -1)
        palette = _palette(halved(view), card, limits)
        came, went = (
            [colours(moment.view, reach) for moment, reach in some] for some in (coming, going)
        )
        area = max(1, int(np.count_nonzero(card)))
        brought = _excess(came, went, palette, limits) - _excess(went, came, palette, limits)
        return brought / area


def _before_grasp(
    moments: Iterable[tuple[_Moment, Mask]], pile: Mask, most_over: int, limits: HandThresholds
) -> Iterator[tuple[_Moment, Mask]]:
    """Yield the moments before a hand could have grasped a card of the pile.

    They come in reverse for a hand that leaves; in ``most_over`` of them it may be over the pile.
    """
    touched: float | None = None
    over = 0
    for moment, reach in moments:
        hidden = _share(reach, pile)
        over += hidden > limits.over
        if touched is None and hidden > limits.touch:
            touched = moment.time
        if over > most_over or (touched is not None and abs(moment.time - touched) > limits.grasp):
            return
        if reach.any():
            yield moment, reach


def _palette(half: Picture, card: Mask, limits: HandThresholds) -> npt.NDArray[np.bool_]:
    """Return the colours that a card has a fair amount of."""
    own = colours(half, card).astype(np.float32)
    return np.asarray(own >= limits.own_colour * max(1.0, float(own.sum())))


def _nearby(counts: Colours) -> Colours:
    """Return each colour's maximum over its neighbours, as light shifts colours a little."""
    for axis in range(counts.ndim):
        padded = np.pad(counts, [(int(n == axis),) * 2 for n in range(counts.ndim)])
        size = counts.shape[axis]
        parts = [padded.take(range(n, n + size), axis) for n in range(3)]
        counts = np.maximum.reduce(parts)
    return counts


def colours(picture: Picture, mask: Mask) -> Colours:
    """Count the pixels of each colour in a part of a picture, as an array shaped ``BINS``."""
    pixels = picture[mask > 0].astype(np.float32)
    total = pixels.sum(axis=1) + DARK_SUM
    first = (pixels[:, 0] - pixels[:, 1]) / total + 0.5
    second = (pixels[:, 2] - pixels[:, 1]) / total + 0.5
    shares = np.stack([first, second, (total - DARK_SUM) / 766], axis=1)
    cells = np.clip((shares * BINS).astype(np.int64), 0, np.array(BINS) - 1)
    flat = np.ravel_multi_index(tuple(cells.T), BINS)
    return np.bincount(flat, minlength=int(np.prod(BINS))).reshape(BINS)


def _excess(
    here: list[Colours],
    there: list[Colours],
    palette: npt.NDArray[np.bool_],
    limits: HandThresholds,
) -> float:
    """Return by how many pixels of a card's colours a frame of ``here`` exceeds ``there``.

    Hands have some of the colours of many cards, both coming and going.
    """
    usual = limits.light_factor * _nearby(np.max(there, axis=0))
    return max(float(np.maximum(frame - usual, 0)[palette].sum()) for frame in here)


def _direction(reach: Mask) -> tuple[complex, float]:
    """Return an arm's direction over the edge, and how many pixels of the edge it crosses.

    The way is a complex number: 1 is down from above, and angles count clockwise. It is as long as
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
    # Along the arm: hands do not always aim at the middle.
    along = crossed.mean() - _points(reach).mean()
    return complex(one_side * along / max(abs(along), 1.0)), float(crossed.size)


def _points(mask: Mask) -> npt.NDArray[np.complex128]:
    """Return marked pixels as complex numbers: real upward from the top edge, imaginary right."""
    rows, columns = np.nonzero(mask)
    return np.asarray(columns * 1j - rows, np.complex128)


def _share(mask: Mask, within: Mask) -> float:
    return float(np.count_nonzero(mask & within)) / max(1, int(np.count_nonzero(within)))
