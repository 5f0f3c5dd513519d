"""Is the pile's place empty?"""

import cv2
import numpy as np

from hardware.camera.track.change import Look, changed, share
from hardware.camera.track.motion import contrast
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.window import Mask

AS_EMPTY = 0.06
"""Of the place may differ from the empty one that was seen before."""
PLAIN = 0.05
"""Mean contrast of a table; with print on it, such as a mat's outline, hardly more."""


def is_empty(now: Look, empty: Look | None, zone: Mask, limits: Thresholds) -> bool:
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
    if float(strength[inside].mean()) > max(PLAIN, 1.6 * float(strength[around].mean())):
        return False
    middle, rim = (np.median(now.planes[part], axis=0) for part in (inside, around))
    return bool((np.abs(middle - rim)[1:] < 1.0).all())
