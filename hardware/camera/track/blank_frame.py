"""Distinguishes blank views (a lost signal, a covered lens) from an empty table."""

import cv2
import numpy as np

from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.window import Mask
from hardware.camera.types import Picture


def is_blank(view: Picture, limits: Thresholds) -> bool:
    """Return whether the view is black or one colour all over."""
    grey = cv2.cvtColor(np.ascontiguousarray(view[::4, ::4]), cv2.COLOR_BGR2GRAY)
    return bool(np.percentile(grey, 99) < limits.view.dark or grey.std() < limits.view.flat)


def is_dark_table(view: Picture, before: Picture, around: Mask, limits: Thresholds) -> bool:
    """Return whether a blank view shows a dark table whose cards, seen ``before``, have gone.

    ``around`` is the part of both views that shows the table.
    """
    if before.shape != view.shape or not around.any():
        return False
    now, earlier = (picture[around > 0].mean(axis=0) for picture in (view, before))
    # A covered lens and a lost signal are darker than any visible table.
    most = limits.view.dark_table
    return bool(np.abs(now - earlier).max() < most and earlier.max() > most)
