"""Cards read in single frames: which lies on top, and how several readings combine."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from hardware.camera.thresholds import SURE
from hardware.camera.track.reading.occlusion import lies_on
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.view.change import share
from hardware.camera.track.view.shift import estimate_shift
from hardware.camera.track.view.top_cards import (
    Quad,
    TopCard,
    aligned,
    card_height,
    corner_distance,
)
from hardware.camera.track.view.window import Mask, Window, fill
from hardware.camera.types import Detection, Picture


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
        """Probability of the likeliest card."""
        return next(iter(self.probabilities.values()), 0.0)

    @property
    def sure(self) -> bool:
        """Whether this frame alone names the card."""
        return self.chance >= SURE


def to_sightings(found: Sequence[Detection], window: Window, time: float) -> list[CardSighting]:
    """Convert what a recogniser found in the cut picture."""
    return [
        CardSighting(time, one.probabilities, window.from_crop(one.corners), one.whole)
        for one in found
        if one.probabilities and np.isfinite(one.corners).all()
    ]


def topmost(
    sightings: Sequence[CardSighting],
    view: Picture,
    window: Window,
    news: Mask | None,
    limits: Thresholds,
) -> CardSighting | None:
    """Return the card on top of the pile, None if there is none.

    ``news`` masks what has changed since the last top was read.
    """
    most = limits.reading

    def score(one: CardSighting) -> float:
        new = 0.0 if news is None else share(news, fill(window.size, one.corners))
        # Cards below may be read as surely, but they did not change and their middle may be hidden.
        # Which of two or three lookalikes it is may be unsure, while it surely is one of them.
        named = sum(list(one.probabilities.values())[: most.lookalikes])
        return named + most.news_weight * new + most.whole_weight * one.whole

    ranked = sorted((one for one in sightings if lies_in(one, window)), key=score, reverse=True)
    outlines = [one.corners for one in ranked]
    for one in ranked:
        # A card above shows completely, so it reads no worse; an outline across two cards does.
        rivals = [
            other
            for other in ranked
            if other is not one
            and other.chance >= one.chance - most.rival_lag
            and (other.whole or not one.whole)
        ]
        if not any(lies_on(other.corners, one.corners, view, limits, outlines) for other in rivals):
            return one
    # Outlines that are no card's can seem to lie on one another in a circle.
    return ranked[0] if ranked else None


def lies_in(one: CardSighting, window: Window) -> bool:
    """Return whether a card's middle is in the pile's place."""
    x, y = one.corners.mean(axis=0)
    (left, top), (right, bottom) = window.zone[0], window.zone[2]
    return bool(left <= x <= right and top <= y <= bottom)


def without_covered(
    sightings: Sequence[CardSighting], tops: Sequence[TopCard], now: Picture, limits: Thresholds
) -> list[CardSighting]:
    """Return the sightings that may be of the top.

    While all of an earlier top shows, no card that overlaps it lies on top: not one that sticks out
    below a pushed top, though it changed most; nor a card further down once the top was lifted. The
    old top itself is left out if only its corner shows below an unreadable card. ``tops`` are the
    latest first.
    """
    size = (now.shape[1], now.shape[0])
    left = list(sightings)
    for top in tops:
        for one in sightings:
            if one.card is None or one.card != top.card or top.view.shape != now.shape:
                continue
            shift = estimate_shift(top.view, top.corners, now, one.corners, limits)
            if shift.differs < limits.reading.whole:
                place = fill(size, one.corners)
                return [
                    other
                    for other in sightings
                    if other is one
                    or share(place, fill(size, other.corners)) < limits.reading.beside
                ]
            # A top whose middle shows may differ because of the light, or because an equal card was
            # laid on it the other way round.
            if shift.differs > limits.reading.covered and top is tops[0] and not one.whole:
                left = [other for other in left if other is not one]
    return left


def in_same_place(sightings: Sequence[CardSighting], limits: Thresholds) -> list[CardSighting]:
    """Return the sightings at the place of the latest: earlier ones may show a moving card."""
    if not sightings:
        return []
    last = sightings[-1].corners
    near = limits.reading.same_place * card_height(last)
    return [one for one in sightings if corner_distance(one.corners, last) <= near]


def fuse(sightings: Sequence[CardSighting]) -> tuple[dict[str, float], Quad]:
    """Return probabilities, likeliest first, and corners from at least one sighting.

    Frames of a still card err together, so probabilities are averaged, not multiplied: ten doubtful
    readings are doubtful.
    """
    total: dict[str, float] = {}
    for one in sightings:
        for card, chance in one.probabilities.items():
            total[card] = total.get(card, 0.0) + chance / len(sightings)
    ranked = sorted(total.items(), key=lambda pair: -pair[1])
    like = sightings[-1].corners
    quads = [aligned(one.corners, like) for one in sightings]
    return dict(ranked), np.asarray(np.median(quads, axis=0))
