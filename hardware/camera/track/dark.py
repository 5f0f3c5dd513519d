"""Does the camera show anything at all? A lost signal or a covered lens is no empty table."""

import cv2
import numpy as np

from hardware.camera.cards import Picture

DARK = 24.0
"""Not even the brightest hundredth of the picture reaches this: there is no light to see by."""
FLAT = 0.5
"""Deviation of all brightness in a picture that no sensor took: every sensor has its noise."""


def shows_nothing(view: Picture) -> bool:
    """Whether the picture is black, or one colour all over."""
    grey = cv2.cvtColor(np.ascontiguousarray(view[::4, ::4]), cv2.COLOR_BGR2GRAY)
    return bool(np.percentile(grey, 99) < DARK or grey.std() < FLAT)
