"""A second look at a card that reads as the one that lay there and does not look like it.

Of a card laid across one of its own colour the network may see the middle, and draw around it the
outline of the card below, whose corners show. Seen upside down, the same picture is another one to
it: it seldom errs twice in the same way.
"""

from dataclasses import replace

import numpy as np

from hardware.camera.cards import Found, Picture, Recogniser
from hardware.camera.track.shift import shift_of
from hardware.camera.track.sightings import Sighting
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.tops import Top


def looks_otherwise(one: Sighting, top: Top | None, now: Picture, limits: Thresholds) -> bool:
    """Whether a card lies where the top does and reads as it, but does not look like it.

    Args:
        one: What reads so.
        top: What lay on top before, if that is known.
        now: The view that it was read in.
        limits: The thresholds.
    """
    if top is None or one.card is None or one.card != top.card or top.view.shape != now.shape:
        return False
    shift = shift_of(top.view, top.corners, now, one.corners, limits)
    return shift.far < limits.near and shift.differs > limits.turned


def upside_down(recogniser: Recogniser, picture: Picture) -> list[Found]:
    """What is found in a picture that was turned by half a turn; the corners are the picture's."""
    last = np.array((picture.shape[1] - 1, picture.shape[0] - 1))
    found = recogniser.recognise(np.ascontiguousarray(picture[::-1, ::-1]))
    return [replace(one, corners=last - one.corners) for one in found]
