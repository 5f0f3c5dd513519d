"""Reads a doubtful top again in the picture rotated by a quarter turn.

To the networks the rotated picture is another one, and they seldom err twice alike. Of a card laid
across one of its own colour they may see the middle, but the outline of the card below; a card
without a border they may miss.
"""

from dataclasses import replace

import numpy as np

from hardware.camera.track.shift import estimate_shift
from hardware.camera.track.sightings import CardSighting, fuse
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.top_cards import TopCard, card_height
from hardware.camera.types import Detection, Picture, Recogniser


def is_doubtful(one: CardSighting | None, limits: Thresholds) -> bool:
    """Return whether a reading of the top, None for no card, may be wrong."""
    return one is None or not one.whole or one.chance < limits.reading.clear


def looks_different(
    one: CardSighting | None, top: TopCard | None, now: Picture, limits: Thresholds
) -> bool:
    """Return whether a card reads as the last top, in its place, but does not look like it."""
    if one is None or top is None or one.card != top.card or top.view.shape != now.shape:
        return False
    shift = estimate_shift(top.view, top.corners, now, one.corners, limits)
    return shift.distance < limits.still.near and shift.differs > limits.still.turned


def recognise_rotated(recogniser: Recogniser, picture: Picture) -> list[Detection]:
    """Find whole cards in the rotated picture; their corners are the picture's."""
    last = picture.shape[1] - 1
    found = recogniser.recognise(np.ascontiguousarray(np.rot90(picture)), parts=False)
    return [
        replace(one, corners=np.stack((last - one.corners[:, 1], one.corners[:, 0]), axis=1))
        for one in found
    ]


def combine_readings(
    one: CardSighting | None, other: CardSighting | None, limits: Thresholds, *, different: bool
) -> CardSighting | None:
    """Combine a reading of the top with that of the rotated picture.

    ``different`` says that the first cannot be right, by ``looks_different``.
    """
    if other is None or not other.whole:
        return one
    if one is None:
        # An empty place sometimes looks like a card, but hardly ever like a certain one.
        return other if other.sure else None
    if different or not one.whole:
        return other if other.sure and other.card != one.card else one
    if other.card == one.card:
        return max(one, other, key=lambda sighting: sighting.chance)
    apart = np.hypot(*(one.corners.mean(axis=0) - other.corners.mean(axis=0)))
    if apart >= limits.reading.same_card * card_height(one.corners):
        return one
    chances, corners = fuse((one, other))
    return CardSighting(one.time, chances, corners)
