"""Recognises the pile's place without cards."""

import cv2
import numpy as np

from hardware.camera.track.change import ComparableView, changed, share
from hardware.camera.track.hand_visits import colours
from hardware.camera.track.motion import contrast
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.window import Mask


def is_empty(
    now: ComparableView, empty: ComparableView | None, zone: Mask, limits: Thresholds
) -> bool:
    """Return whether no card lies in the zone; ``empty`` is an earlier view of it empty, if any."""
    most = limits.empty
    if empty is not None and empty.view.shape == now.view.shape:
        return share(changed(empty, now), zone) < most.differs
    grey = cv2.cvtColor(now.view, cv2.COLOR_BGR2GRAY)
    strength = np.abs(contrast(cv2.GaussianBlur(grey, (5, 5), 0)))
    inside, around = zone > 0, zone == 0
    # An empty place looks like the table around it.
    busy, usual = float(strength[inside].mean()), float(strength[around].mean())
    if busy > max(most.plain, most.busier * usual):
        return False
    smooth = cv2.GaussianBlur(now.view, (0, 0), 2)
    here, there = (colours(smooth, part.astype(np.uint8)) for part in (inside, around))
    common = (there >= most.common * there.sum()).astype(np.uint8)
    # Neighbouring colours count too: light falls off from one side to the other.
    near = np.asarray(cv2.dilate(common, np.ones((3, 3), np.uint8)))
    return float(here[near == 0].sum()) < most.foreign * float(here.sum())
