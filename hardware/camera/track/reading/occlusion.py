"""Decides which of two overlapping cards lies on the other.

Where a card is covered, the colour seen elsewhere on it is missing. For two cards of one colour the
edges decide: that of the upper card shows all around, that of the lower one ends where it is
covered.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.view.top_cards import Quad
from hardware.camera.track.view.window import Mask, fill
from hardware.camera.types import Picture

TINTS = 36


def lies_on(
    one: Quad, other: Quad, view: Picture, limits: Thresholds, outlines: Sequence[Quad] = ()
) -> bool:
    """Return whether a card lies on another that it overlaps; False also if neither is certain.

    ``outlines`` are the corners of all cards found in the view.
    """
    most = limits.occlusion
    covered = remaining_colour(other, one, view, [one, *outlines], limits)
    if covered is not None and covered < most.remaining:
        # If the upper card hides nearly all of the other, only its border may show alone.
        shown = remaining_colour(one, other, view, [other], limits) or remaining_colour(
            one, other, view, [], limits
        )
        if shown is not None and shown >= most.remaining:
            return True
    upper, lower = visible_edge(one, other, view, limits), visible_edge(other, one, view, limits)
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
    for one in others:
        if one is not quad:
            alone &= 1 - fill(size, one, most.rim)
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
    found = cv2.remap(view, x[None], y[None], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    return np.asarray(found, np.float32).reshape(len(points), -1)
