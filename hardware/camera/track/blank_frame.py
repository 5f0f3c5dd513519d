"""Does the camera show anything at all? A lost signal or a covered lens is no empty table."""

import cv2
import numpy as np

from hardware.camera.track.window import Mask
from hardware.camera.types import Picture

DARK = 24.0
"""Not even the brightest hundredth of the picture reaches this: there is no light to see by."""
FLAT = 0.5
"""Deviation of all brightness in a picture that no sensor took: every sensor has its noise."""


LIKE = 6.0
"""So much may the brightness of a dark table change from one picture to the next."""


def is_blank(view: Picture) -> bool:
    """Whether the picture is black, or one colour all over."""
    grey = cv2.cvtColor(np.ascontiguousarray(view[::4, ::4]), cv2.COLOR_BGR2GRAY)
    return bool(np.percentile(grey, 99) < DARK or grey.std() < FLAT)


def is_dark_table(view: Picture, before: Picture, around: Mask) -> bool:
    """Whether a picture that shows nothing is of a dark table, from which the cards have gone.

    Args:
        view: The picture.
        before: One in which cards lay there.
        around: Where the table is seen in both.
    """
    if before.shape != view.shape or not around.any():
        return False
    levels = [picture[around > 0].mean(axis=0) for picture in (view, before)]
    # A covered lens and a lost signal are darker than any table that can be seen.
    return bool(np.abs(levels[0] - levels[1]).max() < LIKE and levels[1].max() > LIKE)
