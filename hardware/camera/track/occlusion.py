"""Which of two cards lies on the other.

Where a card is covered, the colour that is seen of it elsewhere is missing. That tells nothing of
two cards of one colour: of those, the edge of the card on top is seen all around, and that of the
card below ends where it is covered.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from hardware.camera.track.top_cards import Quad
from hardware.camera.track.window import Mask, fill
from hardware.camera.types import Picture

EDGE = 14.0
"""How much brighter or darker, of 255 and in any of its colours, it is across an edge at least."""
INSIDE = 9
"""So many pixels inside the other card a part of an edge must lie to tell anything: more than the
border that is printed on it, whose edge may run along."""
LEAST = 12
"""With so few pixels of both edges nothing is told."""
SEEN, MORE, BELOW = 0.6, 0.2, 0.7
"""So much of its edge is seen of a card on top, and so much more than of the one below, of which
less than the last is seen: where edges of both are, one of them is another edge."""
RIM = 4
"""So many pixels beside an edge no colours are looked at."""
PART, BOTH = 60, 0.15
"""Of a card alone so many pixels have to be seen, and together so much of the card, for that."""
FIELD = 0.35
"""So much of what is seen of a card is its colour; of black ones less, which have several."""
LACKING = 0.2
"""If there is less of it, as a share of that, where another card lies too, it is covered there. In
drawn clips it was 0.02 and less of cards below, and 0.24 and more of those on top."""
OWN = 0.15
"""A tint that makes up so much of what is seen of a card is its own."""
VIVID, LIT = 80, 35
"""Of 255: what is paler, or darker, has no tint."""
OFF = 3
"""So many pixels an outline may be off. Along one side it is off by as much all the way; what is
printed on a card has edges as well, here and there."""


def lies_on(one: Quad, other: Quad, view: Picture, among: Sequence[Quad] = ()) -> bool:
    """Whether a card lies on another that it overlaps; False as well if that cannot be told.

    Args:
        one: Its corners in the view, (4, 2).
        other: The other's.
        view: What is seen.
        among: Those of all cards that were found there.
    """
    covered = remaining_colour_share(other, one, view, [one, *among])
    if covered is not None and covered < LACKING:
        # Of a card that covers nearly all of the other, what is seen alone may be its border.
        shown = remaining_colour_share(one, other, view, [other]) or remaining_colour_share(
            one, other, view, []
        )
        if shown is not None and shown >= LACKING:
            return True
    upper, lower = seen(one, other, view), seen(other, one, view)
    if upper is None or lower is None:
        return False
    return lower < BELOW and upper >= max(SEEN, lower + MORE)


def remaining_colour_share(
    quad: Quad, within: Quad, view: Picture, others: Sequence[Quad]
) -> float | None:
    """How much of a card's colour is left where another card lies too; about 1 if all of it is.

    None if it cannot be told: too little is seen of either, or the card has no one colour.

    Args:
        quad: The card's corners.
        within: The other's.
        view: What is seen.
        others: Where the card's own colour is not looked for.
    """
    size = (view.shape[1], view.shape[0])
    inside = fill(size, quad, -RIM)
    alone = inside.copy()
    for one in others:
        if one is not quad:
            alone &= 1 - fill(size, one, RIM)
    both = inside & fill(size, within, -RIM)
    enough = BOTH * float(np.count_nonzero(inside))
    if np.count_nonzero(alone) < PART or np.count_nonzero(both) < enough:
        return None
    counts = [_bright(view, part) for part in (alone, both)]
    own = counts[0][0] >= OWN * counts[0][1]
    first, second = (float(tints[own].sum()) / pixels for tints, pixels in counts)
    return second / first if first >= FIELD else None


def _bright(view: Picture, part: Mask) -> tuple[Quad, int]:
    """How many pixels have which tint, 36 around the circle, and how many there are at all."""
    tints = cv2.cvtColor(view[part > 0][None], cv2.COLOR_BGR2HSV)[0]
    vivid = (tints[:, 1] >= VIVID) & (tints[:, 2] >= LIT)
    counts = np.bincount(tints[vivid, 0] // 5, minlength=36).astype(np.float64)
    # Light shifts tints a little.
    return counts + np.roll(counts, 1) + np.roll(counts, -1), len(tints)


def seen(quad: Quad, within: Quad, view: Picture) -> float | None:
    """Which share of a card's edge is seen where it runs across another; None if it hardly does."""
    inside = fill((view.shape[1], view.shape[0]), within, -INSIDE)
    most = count = 0
    for start, end in zip(quad, np.roll(quad, -1, axis=0), strict=True):
        points, across = _side(start, end)
        there = _sampled(inside[..., None], points)[:, 0] > 0
        if there.any():
            edges = _edges(view, points[there], across)
            most += int(edges.sum(axis=1).max())
            count += edges.shape[1]
    return most / count if count >= LEAST else None


def _side(start: Quad, end: Quad) -> tuple[Quad, Quad]:
    """A point for each pixel of a side but its ends, and the direction across it."""
    length = max(float(np.hypot(*(end - start))), 1e-6)
    along = np.linspace(0.08, 0.92, max(2, int(0.84 * length)))[:, None]
    return start + along * (end - start), np.array([start[1] - end[1], end[0] - start[0]]) / length


def _edges(view: Picture, points: Quad, across: Quad) -> Quad:
    """Whether there is an edge, distances x points."""
    profile = [_sampled(view, points + off * across) for off in range(-OFF - 1, OFF + 2)]
    pairs = zip(profile[:-2], profile[2:], strict=True)
    return np.array([np.abs(b - a).max(axis=1) >= EDGE for a, b in pairs])


def _sampled(view: Picture, points: Quad) -> Quad:
    x, y = points.astype(np.float32).T
    found = cv2.remap(view, x[None], y[None], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    return np.asarray(found, np.float32).reshape(len(points), -1)
