"""Is the pile's place empty?"""

import cv2
import numpy as np

from hardware.camera.track.change import ComparableView, changed, share
from hardware.camera.track.hand_visits import colours
from hardware.camera.track.motion import contrast
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.window import Mask

AS_EMPTY = 0.06
"""Of the place may differ from the empty one that was seen before."""
BUSIER = 1.6
"""So much more contrast the place may have than the table around it; a mat prints an outline."""
PLAIN = 0.05
"""Mean contrast of a table without any pattern."""
FOREIGN = 0.25
"""So much of the place may have colours that the table around it has not."""
COMMON = 0.004
"""Of the table is a colour of the table."""


def is_empty(
    now: ComparableView, empty: ComparableView | None, zone: Mask, limits: Thresholds
) -> bool:
    """Whether no card lies there.

    Args:
        now: The place.
        empty: The place when it was empty, if that was seen.
        zone: Where the cards would lie.
        limits: The thresholds.
    """
    if empty is not None and empty.view.shape == now.view.shape:
        return share(changed(empty, now), zone) < AS_EMPTY
    grey = cv2.cvtColor(now.view, cv2.COLOR_BGR2GRAY)
    strength = np.abs(contrast(cv2.GaussianBlur(grey, (5, 5), 0)))
    inside, around = zone > 0, zone == 0
    # A table goes on beneath the place as it is around it.
    busy, usual = float(strength[inside].mean()), float(strength[around].mean())
    if busy > max(PLAIN, BUSIER * usual):
        return False
    smooth = cv2.GaussianBlur(now.view, (0, 0), 2)
    here, there = (colours(smooth, part.astype(np.uint8)) for part in (inside, around))
    # Neighbouring colours count too: light falls off from one side to the other.
    near = cv2.dilate((there >= COMMON * there.sum()).astype(np.uint8), np.ones((3, 3), np.uint8))
    return float(here[np.asarray(near) == 0].sum()) < FOREIGN * float(here.sum())
