"""Follows a knocked camera: the whole view moves, but nothing on the table does."""

import cv2
import numpy as np

from hardware.camera.track.change import changed, comparable, share
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.window import Mask, Matrix
from hardware.camera.types import Picture


def estimate_camera_motion(
    before: Picture, now: Picture, around: Mask, limits: Thresholds
) -> Matrix | None:
    """Return the 3 by 3 map from pixels of an earlier view to those of a later one.

    None if the camera has not moved, or the table has too little texture to show it. ``around`` is
    the part of the view without the pile, (height, width).
    """
    size = (now.shape[1], now.shape[0])
    small = (size[0] // 2, size[1] // 2)
    first, second = (
        cv2.cvtColor(cv2.resize(v, small, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
        for v in (before, now)
    )
    frame = cv2.createHanningWindow(small, cv2.CV_32F)
    (dx, dy), _ = cv2.phaseCorrelate(first.astype(np.float32), second.astype(np.float32), frame)
    start = np.array([[1, 0, dx], [0, 1, dy]], np.float32)
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 50, 1e-4)
    try:
        _, fine = cv2.findTransformECC(
            first, second, start, cv2.MOTION_EUCLIDEAN, stop, np.ones_like(first), 5
        )
    except cv2.error:
        return None
    double = np.diag([2.0, 2.0, 1.0])
    matrix = double @ np.vstack([fine, [0, 0, 1]]).astype(np.float64) @ np.linalg.inv(double)
    if np.hypot(*matrix[:2, 2]) > limits.motion.farthest_knock * max(size):
        return None
    # Compare only what both views show.
    inside = cv2.warpPerspective(np.ones(now.shape[:2], np.uint8), matrix, size)
    inside = np.asarray(cv2.erode(inside, np.ones((5, 5), np.uint8)) & around)
    least = limits.motion.knock_overlap * int(np.count_nonzero(around))
    if int(np.count_nonzero(inside)) < least:
        return None
    after = comparable(now, limits)
    shifted = cv2.warpPerspective(before, matrix, size, borderMode=cv2.BORDER_REPLICATE)
    undone = share(changed(comparable(np.asarray(shifted), limits), after), inside)
    usual = share(changed(comparable(before, limits), after), inside)
    explained = undone < limits.motion.knock_explains * usual
    return np.asarray(matrix) if undone < limits.motion.knock_differs and explained else None
