"""Cards read in single frames: which lies on top, and how several readings combine.

Where a card is covered, the colour seen elsewhere on it is missing. For two cards of one colour the
edges decide: that of the upper card shows all around, that of the lower one ends where it is
covered.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from hardware.camera.thresholds import SURE
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.view.change import share
from hardware.camera.track.view.top_cards import (
    Quad,
    TopCard,
    aligned,
    card_height,
    corner_distance,
    estimate_shift,
)
from hardware.camera.track.view.window import Mask, Window, fill
from hardware.camera.types import Detection, Picture

TINTS = 36


def lies_on(
    quad: Quad, other: Quad, view: Picture, limits: Thresholds, outlines: Sequence[Quad] = ()
) -> bool:
    """Return whether a card lies on another that it overlaps; False also if neither is certain.

    ``outlines`` are the corners of all cards found in the view.
    """
    most = limits.occlusion
    covered = remaining_colour(other, quad, view, [quad, *outlines], limits)
    if covered is not None and covered < most.remaining:
        # If the upper card hides nearly all of the other, only its border may show alone.
        shown = remaining_colour(quad, other, view, [other], limits) or remaining_colour(
            quad, other, view, [], limits
        )
        if shown is not None and shown >= most.remaining:
            return True
    upper, lower = visible_edge(quad, other, view, limits), visible_edge(other, quad, view, limits)
    if upper is None or lower is None:
        return False
    return lower < most.lower and upper >= max(most.upper, lower + most.lead)


def remaining_colour(
    quad: Quad, within: Quad, view: Picture, others: Sequence[Quad], limits: Thresholds
) -> float | None:
    """Return the share of a card's colour that is left where another card overlaps it.

    The result is about 1 if all of it is left, and None if too little shows of either card or the
    card has no plain colour. Its own colour is not sampled inside ``others``.
    """
    most = limits.occlusion
    size = (view.shape[1], view.shape[0])
    inside = fill(size, quad, -most.rim)
    alone = inside.copy()
    for other in others:
        if other is not quad:
            alone &= 1 - fill(size, other, most.rim)
    both = inside & fill(size, within, -most.rim)
    enough = most.least_overlap * float(np.count_nonzero(inside))
    if np.count_nonzero(alone) < most.least_alone or np.count_nonzero(both) < enough:
        return None
    counts = [_tints(view, part, limits) for part in (alone, both)]
    own = counts[0][0] >= most.own_tint * counts[0][1]
    first, second = (float(tints[own].sum()) / pixels for tints, pixels in counts)
    return second / first if first >= most.plain else None


def _tints(view: Picture, part: Mask, limits: Thresholds) -> tuple[Quad, int]:
    """Return the pixels of each tint, and the number of all pixels."""
    tints = cv2.cvtColor(view[part > 0][None], cv2.COLOR_BGR2HSV)[0]
    vivid = (tints[:, 1] >= limits.occlusion.vivid) & (tints[:, 2] >= limits.occlusion.lit)
    counts = np.bincount(tints[vivid, 0] // (180 // TINTS), minlength=TINTS).astype(np.float64)
    # Light shifts tints a little.
    return counts + np.roll(counts, 1) + np.roll(counts, -1), len(tints)


def visible_edge(quad: Quad, within: Quad, view: Picture, limits: Thresholds) -> float | None:
    """Return the visible share of a card's edge where it crosses another card.

    None if it hardly crosses it.
    """
    inside = fill((view.shape[1], view.shape[0]), within, -limits.occlusion.inside)
    shown = count = 0
    for start, end in zip(quad, np.roll(quad, -1, axis=0), strict=True):
        points, across = _side(start, end)
        there = _sampled(inside[..., None], points)[:, 0] > 0
        if there.any():
            edges = _edges(view, points[there], across, limits)
            # An outline is off by the same amount all along a side; printed edges are not.
            shown += int(edges.sum(axis=1).max())
            count += edges.shape[1]
    return shown / count if count >= limits.occlusion.least_edge else None


def _side(start: Quad, end: Quad) -> tuple[Quad, Quad]:
    """Return a point for each pixel of a side without its ends, and the direction across it."""
    length = max(float(np.hypot(*(end - start))), 1e-6)
    along = np.linspace(0.08, 0.92, max(2, int(0.84 * length)))[:, None]
    return start + along * (end - start), np.array([start[1] - end[1], end[0] - start[0]]) / length


def _edges(view: Picture, points: Quad, across: Quad, limits: Thresholds) -> Quad:
    """Return a mask of edges, (distances, points)."""
    off = limits.occlusion.outline_error
    profile = [_sampled(view, points + n * across) for n in range(-off - 1, off + 2)]
    pairs = zip(profile[:-2], profile[2:], strict=True)
    return np.array([np.abs(b - a).max(axis=1) >= limits.occlusion.edge for a, b in pairs])


def _sampled(view: Picture, points: Quad) -> Quad:
    x, y = points.astype(np.float32).T
    colours = cv2.remap(view, x[None], y[None], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    return np.asarray(colours, np.float32).reshape(len(points), -1)


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


def to_sightings(cards: Sequence[Detection], window: Window, time: float) -> list[CardSighting]:
    """Convert what a recogniser found in the cut picture."""
    return [
        CardSighting(time, card.probabilities, window.from_crop(card.corners), card.whole)
        for card in cards
        if card.probabilities and np.isfinite(card.corners).all()
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

    def score(sighting: CardSighting) -> float:
        new = 0.0 if news is None else share(news, fill(window.size, sighting.corners))
        # Cards below may be read as surely, but they did not change and their middle may be hidden.
        # Which of two or three lookalikes it is may be unsure, while it surely is one of them.
        named = sum(list(sighting.probabilities.values())[: most.lookalikes])
        return named + most.news_weight * new + most.whole_weight * sighting.whole

    ranked = sorted(
        (sighting for sighting in sightings if lies_in(sighting, window, limits)),
        key=score,
        reverse=True,
    )
    outlines = [sighting.corners for sighting in ranked]
    for sighting in ranked:
        # A card above shows completely, so it reads no worse; an outline across two cards does.
        rivals = [
            other
            for other in ranked
            if other is not sighting
            and other.chance >= sighting.chance - most.rival_lag
            and (other.whole or not sighting.whole)
        ]
        if not any(
            lies_on(other.corners, sighting.corners, view, limits, outlines) for other in rivals
        ):
            return sighting
    # Outlines that are no card's can seem to lie on one another in a circle.
    return ranked[0] if ranked else None


def lies_in(sighting: CardSighting, window: Window, limits: Thresholds) -> bool:
    """Return whether a card's middle, or enough of it, is in the pile's place."""
    corners, zone = (np.asarray(quad, np.float32) for quad in (sighting.corners, window.zone))
    x, y = corners.mean(axis=0).tolist()
    if cv2.pointPolygonTest(zone, (x, y), measureDist=False) >= 0:
        return True
    inside, _ = cv2.intersectConvexConvex(corners, zone)
    return bool(sighting.whole and inside >= limits.reading.inside * cv2.contourArea(corners))


def without_covered(
    sightings: Sequence[CardSighting], tops: Sequence[TopCard], view: Picture, limits: Thresholds
) -> list[CardSighting]:
    """Return the sightings that may be of the top.

    While all of an earlier top shows, no card that overlaps it lies on top: not one that sticks out
    below a pushed top, though it changed most; nor a card further down once the top was lifted. The
    old top itself is left out if only its corner shows below an unreadable card. ``tops`` are the
    latest first.
    """
    size = (view.shape[1], view.shape[0])
    left = list(sightings)
    for top in tops:
        for sighting in sightings:
            if sighting.card is None or sighting.card != top.card or top.view.shape != view.shape:
                continue
            shift = estimate_shift(top.view, top.corners, view, sighting.corners, limits)
            if shift.differs < limits.reading.whole:
                place = fill(size, sighting.corners)
                return [
                    other
                    for other in sightings
                    if other is sighting
                    or share(place, fill(size, other.corners)) < limits.reading.beside
                ]
            # A top whose middle shows may differ because of the light, or because an equal card was
            # laid on it the other way round.
            if shift.differs > limits.reading.covered and top is tops[0] and not sighting.whole:
                left = [other for other in left if other is not sighting]
    return left


def in_same_place(sightings: Sequence[CardSighting], limits: Thresholds) -> list[CardSighting]:
    """Return the sightings at the place of the latest: earlier ones may show a moving card."""
    if not sightings:
        return []
    last = sightings[-1].corners
    near = limits.reading.same_place * card_height(last)
    return [sighting for sighting in sightings if corner_distance(sighting.corners, last) <= near]


def fuse(sightings: Sequence[CardSighting]) -> tuple[dict[str, float], Quad]:
    """Return probabilities, likeliest first, and corners from at least one sighting.

    Frames of a still card err together, so probabilities are averaged, not multiplied: ten doubtful
    readings are doubtful.
    """
    total: dict[str, float] = {}
    for sighting in sightings:
        for card, chance in sighting.probabilities.items():
            total[card] = total.get(card, 0.0) + chance / len(sightings)
    ranked = sorted(total.items(), key=lambda pair: -pair[1])
    like = sightings[-1].corners
    quads = [aligned(sighting.corners, like) for sighting in sightings]
    return dict(ranked), np.asarray(np.median(quads, axis=0))
