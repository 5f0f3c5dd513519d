"""A second look at a top that is in doubt, or cannot be what it reads as.

Turned by a quarter, the same picture is another one to a network, and it seldom errs twice in the
same way: of a card laid across one of its own colour it may see the middle, and draw around it the
outline of the card below, whose corners show; a card without a rim it may not see at all.
"""

from dataclasses import replace

import numpy as np

from hardware.camera.track.shift import estimate_shift
from hardware.camera.track.sightings import CardSighting, fuse
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.top_cards import TopCard, card_height
from hardware.camera.types import Detection, Picture, Recogniser

NEAR = 0.2
"""Outlines whose middles are so near, in card heights, are of one card."""


def is_doubtful(one: CardSighting | None, limits: Thresholds) -> bool:
    """Whether what was read of the top, None if nothing was, may be something else."""
    return one is None or not one.whole or one.chance < limits.clear


def looks_different(
    one: CardSighting | None, top: TopCard | None, now: Picture, limits: Thresholds
) -> bool:
    """Whether a card lies where the top did and reads as it, but does not look like it.

    Args:
        one: What was read, None if no card was found.
        top: What lay on top before, if that is known.
        now: The view that it was read in.
        limits: The thresholds.
    """
    if one is None or top is None or one.card != top.card or top.view.shape != now.shape:
        return False
    shift = estimate_shift(top.view, top.corners, now, one.corners, limits)
    return shift.far < limits.near and shift.differs > limits.turned


def recognise_rotated(recogniser: Recogniser, picture: Picture) -> list[Detection]:
    """Whole cards found in a picture turned by a quarter; the corners are the picture's."""
    last = picture.shape[1] - 1
    found = recogniser.recognise(np.ascontiguousarray(np.rot90(picture)), parts=False)
    return [
        replace(one, corners=np.stack((last - one.corners[:, 1], one.corners[:, 0]), axis=1))
        for one in found
    ]


def combine_readings(
    one: CardSighting | None, other: CardSighting | None, *, astray: bool
) -> CardSighting | None:
    """What both looks say of the top.

    Args:
        one: What was read at first.
        other: What was read in the second look.
        astray: Whether the first cannot be right.
    """
    if other is None or not other.whole:
        return one
    if one is None:
        # An empty place looks like a card now and then, but hardly like one that is certain.
        return other if other.sure else None
    if astray or not one.whole:
        return other if other.sure and other.card != one.card else one
    if other.card == one.card:
        return max(one, other, key=lambda sighting: sighting.chance)
    apart = np.hypot(*(one.corners.mean(axis=0) - other.corners.mean(axis=0)))
    if apart >= NEAR * card_height(one.corners):
        return one
    chances, corners = fuse((one, other))
    return CardSighting(one.time, chances, corners)
