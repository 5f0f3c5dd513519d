"""Which of two cards lies on the other, told from where their edges are seen.

The edge of a card on top is seen all around; of a card below it ends where it is covered.
"""

import cv2
import numpy as np

from hardware.camera.cards import Picture
from hardware.camera.track.tops import Quad
from hardware.camera.track.window import fill

EDGE = 14.0
"""How much brighter or darker, of 255 and in any of its colours, it is across an edge at least."""
INSIDE = 9
"""So many pixels inside the other card a part of an edge must lie to tell anything: more than the
border that is printed on it, whose edge may run along."""
LEAST = 12
"""With so few pixels of both edges nothing is told."""
SEEN, MORE = 0.6, 0.2
"""So much of its edge is seen of a card on top, and so much more than of the one below."""
OFF = 3
"""So many pixels an outline may be off. Along one side it is off by as much all the way; what is
printed on a card has edges as well, here and there."""


def lies_on(one: Quad, other: Quad, view: Picture) -> bool:
    """Whether a card lies on another that it overlaps; False as well if that cannot be told.

    Args:
        one: Its corners in the view, (4, 2).
        other: The other's.
        view: What is seen.
    """
    upper, lower = seen(one, other, view), seen(other, one, view)
    return upper is not None and lower is not None and upper >= max(SEEN, lower + MORE)


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
