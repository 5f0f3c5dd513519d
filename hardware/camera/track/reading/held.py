"""Tells a card that somebody holds above the pile from one that lies on it."""

from collections.abc import Sequence

import cv2
import numpy as np

from hardware.camera.track.reading.sightings import CardSighting
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.view.change import ComparableView, changed, share
from hardware.camera.track.view.top_cards import Quad
from hardware.camera.track.view.window import fill


def without_held(
    sightings: Sequence[CardSighting], lying: Sequence[Quad], limits: Thresholds
) -> list[CardSighting]:
    """Return the sightings of one view that may be of cards that lie.

    A card that is nearer to the camera looks larger than those on the table, which are all equally
    large in a view; ``lying`` are the corners of some of them. What overlaps a raised card belongs
    to the same fan, or is hidden by it.
    """
    raised = [one for one in sightings if is_raised(one.corners, lying, limits)]
    return [
        one
        for one in sightings
        if not any(_overlap(one.corners, other.corners) for other in raised)
    ]


def is_raised(corners: Quad, lying: Sequence[Quad], limits: Thresholds) -> bool:
    """Return whether a card is nearer to the camera than those that lie, by its size."""
    usual = [_side(one) for one in lying]
    return bool(usual) and _side(corners) >= limits.held.larger * float(np.median(usual))


class HeldCard:
    """A card on top that looks raised, until it is certain whether it is held.

    Nobody holds a card as still as it lies: a card that has not swayed at all for a while lies,
    however large it looks.
    """

    def __init__(self, limits: Thresholds) -> None:
        self._limits = limits
        self._since: tuple[float, ComparableView] | None = None

    def forget(self) -> None:
        """Note that no card looks raised."""
        self._since = None

    def sways(self, corners: Quad, now: ComparableView, time: float) -> bool:
        """Return whether it may be held, given the view at a time, in seconds."""
        if self._since is None or self._since[1].view.shape != now.view.shape:
            self._since = (time, now)
            return True
        size = (now.view.shape[1], now.view.shape[0])
        moved = share(changed(self._since[1], now), fill(size, corners, 2))
        if moved >= self._limits.change.untouched:
            self._since = (time, now)
            return True
        return time - self._since[0] < self._limits.held.lies_after


def _overlap(one: Quad, other: Quad) -> bool:
    first, second = (np.asarray(quad, np.float32) for quad in (one, other))
    return cv2.intersectConvexConvex(first, second)[0] > 0


def _side(corners: Quad) -> float:
    return float(np.sqrt(abs(cv2.contourArea(np.asarray(corners, np.float32)))))
