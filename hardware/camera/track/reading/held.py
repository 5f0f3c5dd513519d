"""Tells cards that somebody holds over the pile from those that lie."""

from collections.abc import Sequence

import cv2
import numpy as np

from hardware.camera.track.reading.sightings import CardSighting
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.view.top_cards import Quad


def without_held(
    sightings: Sequence[CardSighting], lying: Sequence[Quad], limits: Thresholds
) -> list[CardSighting]:
    """Return the sightings of one view that may be of cards that lie.

    A card that is nearer to the camera looks larger than those on the table, which are all equally
    large in a view; ``lying`` are the corners of some of them. What overlaps a raised card belongs
    to the same fan, or is hidden by it.
    """
    raised = [sighting for sighting in sightings if is_raised(sighting.corners, lying, limits)]
    return [sighting for sighting in sightings if not _overlapping(sighting, raised)]


def without_fans(sightings: Sequence[CardSighting]) -> list[CardSighting]:
    """Return the new cards of one view that overlap at most one other.

    Nobody lays three within a moment: they are held in a fan.
    """
    return [sighting for sighting in sightings if len(_overlapping(sighting, sightings)) <= 2]


def is_raised(corners: Quad, lying: Sequence[Quad], limits: Thresholds) -> bool:
    """Return whether a card is nearer to the camera than those that lie, by its size."""
    usual = [_side(quad) for quad in lying]
    return bool(usual) and _side(corners) >= limits.held.larger * float(np.median(usual))


def _overlapping(sighting: CardSighting, sightings: Sequence[CardSighting]) -> list[CardSighting]:
    """Return those that overlap a sighting, itself included if it is among them."""
    outline = sighting.corners.astype(np.float32)
    return [
        other
        for other in sightings
        if cv2.intersectConvexConvex(outline, other.corners.astype(np.float32))[0] > 0
    ]


def _side(corners: Quad) -> float:
    return float(np.sqrt(abs(cv2.contourArea(np.asarray(corners, np.float32)))))
