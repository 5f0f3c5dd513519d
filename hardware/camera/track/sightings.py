"""Readings of the same card in several frames, made one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from hardware.camera.thresholds import SURE
from hardware.camera.track.change import share
from hardware.camera.track.occlusion import lies_on
from hardware.camera.track.shift import estimate_shift
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.top_cards import Quad, TopCard, aligned, card_height
from hardware.camera.track.window import Mask, Window, fill
from hardware.camera.types import Detection, Picture

WHOLE = 0.08
"""If no more than this share of a card looks different, all of it is seen; a corner is more."""
COVERED = 0.4
"""If more than this looks different, something else lies there."""
ALIKE = 3
"""So many cards of a deck may look the same."""
AS_WELL = 0.05
"""What is so much less likely what it seems to be is not read as well."""
BESIDE = 0.1
"""A card of which less than this share reaches another's place lies beside it."""


@dataclass(frozen=True, slots=True)
class CardSighting:
    """A card read in one frame; its corners are the view's, ``whole`` as in ``Detection``."""

    time: float
    probabilities: Mapping[str, float]
    corners: Quad
    whole: bool = True

    @property
    def card(self) -> str | None:
        """The likeliest card."""
        return next(iter(self.probabilities), None)

    @property
    def chance(self) -> float:
        """How likely it is the likeliest card."""
        return next(iter(self.probabilities.values()), 0.0)

    @property
    def sure(self) -> bool:
        """Whether this frame alone would do to name it."""
        return self.chance >= SURE


def to_sightings(found: Sequence[Detection], window: Window, time: float) -> list[CardSighting]:
    """What a recogniser found in the cut picture, as sightings in the view."""
    return [
        CardSighting(time, one.probabilities, window.from_crop(one.corners), one.whole)
        for one in found
        if one.probabilities and np.isfinite(one.corners).all()
    ]


def topmost(
    sightings: Sequence[CardSighting], view: Picture, window: Window, news: Mask | None
) -> CardSighting | None:
    """The one that lies on top of the pile, None if none does.

    Args:
        sightings: What was found in a frame.
        view: The frame's view.
        window: Where one looks.
        news: Where the view has changed since a card was last on top.
    """

    def score(one: CardSighting) -> float:
        new = 0.0 if news is None else share(news, fill(window.size, one.corners))
        # Cards below may be read as surely; but they did not change, and their middle may not show.
        # Of two or three that look the same none is sure, and it is sure that it is one of them.
        return sum(list(one.probabilities.values())[:ALIKE]) + 0.5 * new + 0.5 * one.whole

    ranked = sorted((one for one in sightings if lies_in(one, window)), key=score, reverse=True)
    places = [one.corners for one in ranked]
    for one in ranked:
        # All of a top is seen, so that it is read as well as what sticks out below it; an outline
        # drawn across two cards is not.
        rivals = [
            other
            for other in ranked
            if other is not one
            and other.chance >= one.chance - AS_WELL
            and (other.whole or not one.whole)
        ]
        if not any(lies_on(other.corners, one.corners, view, places) for other in rivals):
            return one
    # Outlines that are no card's can seem to lie on one another in a circle.
    return ranked[0] if ranked else None


def lies_in(one: CardSighting, window: Window) -> bool:
    """Whether a card's middle is in the pile's place."""
    x, y = one.corners.mean(axis=0)
    (left, top), (right, bottom) = window.zone[0], window.zone[2]
    return bool(left <= x <= right and top <= y <= bottom)


def without_covered(
    sightings: Sequence[CardSighting], lay: Sequence[TopCard], now: Picture, limits: Thresholds
) -> list[CardSighting]:
    """Those that may lie on top: while all of an earlier top is seen, no card that reaches it.

    A card that sticks out below one that was pushed has changed the most, and is read as surely; so
    may the old top be by what sticks out of it below a card that cannot be read, and a card further
    down once the top was lifted.

    Args:
        sightings: What was found in a frame.
        lay: What lay on top before, and on top before that.
        now: The view of the frame.
        limits: The thresholds.
    """
    size = (now.shape[1], now.shape[0])
    left = list(sightings)
    for top in lay:
        for one in sightings:
            if one.card is None or one.card != top.card or top.view.shape != now.shape:
                continue
            shift = estimate_shift(top.view, top.corners, now, one.corners, limits)
            if shift.differs < WHOLE:
                place = fill(size, one.corners)
                return [
                    other
                    for other in sightings
                    if other is one or share(place, fill(size, other.corners)) < BESIDE
                ]
            # One whose middle shows looks otherwise when the light does, or when an equal one was
            # laid on it the other way round.
            if shift.differs > COVERED and top is lay[0] and not one.whole:
                left = [other for other in left if other is not one]
    return left


def in_same_place(sightings: Sequence[CardSighting], near: float = 0.06) -> list[CardSighting]:
    """Those of the same place as the latest; what the hand still moved is left out.

    Args:
        sightings: One a frame, in order.
        near: How far apart they may lie, in card heights.
    """
    if not sightings:
        return []
    last = sightings[-1].corners
    reach = near * card_height(last)

    def apart(one: CardSighting) -> float:
        return float(np.hypot(*(aligned(one.corners, last) - last).T).max())

    return [one for one in sightings if apart(one) <= reach]


def fuse(sightings: Sequence[CardSighting]) -> tuple[dict[str, float], Quad]:
    """Probabilities, likeliest first, and corners from all of them; there has to be one at least.

    Frames of a still card err together, so that their probabilities are averaged and not
    multiplied: ten doubtful readings are doubtful.
    """
    total: dict[str, float] = {}
    for one in sightings:
        for card, chance in one.probabilities.items():
            total[card] = total.get(card, 0.0) + chance / len(sightings)
    ranked = sorted(total.items(), key=lambda pair: -pair[1])
    like = sightings[-1].corners
    quads = [aligned(one.corners, like) for one in sightings]
    return dict(ranked), np.asarray(np.median(quads, axis=0))
