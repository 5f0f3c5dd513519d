"""Tells whether the pile's place is empty, and a view of nothing from one of a dark table."""

import cv2
import numpy as np

from hardware.camera.track.outcome.hand_visits import colours
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.view.change import ComparableView, changed, contrast, share
from hardware.camera.track.view.window import Mask
from hardware.camera.types import Picture


def is_empty(
    view: ComparableView, empty: ComparableView | None, zone: Mask, limits: Thresholds
) -> bool:
    """Return whether no card lies in the zone; ``empty`` is an earlier view of it empty, if any."""
    most = limits.empty
    if empty is not None and empty.view.shape == view.view.shape:
        return share(changed(empty, view), zone) < most.differs
    grey = cv2.cvtColor(view.view, cv2.COLOR_BGR2GRAY)
    strength = np.abs(contrast(cv2.GaussianBlur(grey, (5, 5), 0)))
    inside, around = zone > 0, zone == 0
    # An empty place looks like the table around it.
    busy, usual = float(strength[inside].mean()), float(strength[around].mean())
    if busy > max(most.plain, most.busier * usual):
        return False
    smooth = cv2.GaussianBlur(view.view, (0, 0), 2)
    here, there = (colours(smooth, part.astype(np.uint8)) for part in (inside, around))
    common = (there >= most.common * there.sum()).astype(np.uint8)
    # Neighbouring colours count too: light falls off from one side to the other.
    near = np.asarray(cv2.dilate(common, np.ones((3, 3), np.uint8)))
    return float(here[near == 0].sum()) < most.foreign * float(here.sum())


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
    colour, earlier = (picture[around > 0].mean(axis=0) for picture in (view, before))
    # A covered lens and a lost signal are darker than any visible table.
    most = limits.view.dark_table
    return bool(np.abs(colour - earlier).max() < most and earlier.max() > most)
