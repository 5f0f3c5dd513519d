"""A camera that was knocked: the whole picture has moved, and nothing on the table."""

import cv2
import numpy as np

from hardware.camera.track.change import changed, comparable, share
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.window import Mask, Matrix
from hardware.camera.types import Picture

MOST = 0.2
"""So far, in shares of the view, a picture may have moved to be found again."""
REST = 0.08
"""So much around the pile's place may differ after the two are laid over one another."""


def estimate_camera_motion(
    before: Picture, now: Picture, around: Mask, limits: Thresholds
) -> Matrix | None:
    """How the view has moved as a whole.

    Args:
        before: The view as it was.
        now: The view as it is.
        around: The part of the view without the pile, (height, width).
        limits: The thresholds.

    Returns:
        Pixels of the earlier view to those of the later one, 3 by 3; None if it is not the camera
        that has moved, or the table has nothing by which it could be told.
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
    if np.hypot(*matrix[:2, 2]) > MOST * max(size) * 2:
        return None
    # What came into the picture only now is not to be compared.
    inside = cv2.warpPerspective(np.ones(now.shape[:2], np.uint8), matrix, size)
    inside = cv2.erode(inside, np.ones((5, 5), np.uint8)) & around
    if int(np.count_nonzero(inside)) < 0.5 * int(np.count_nonzero(around)):
        return None
    view = comparable(now, limits)
    shifted = cv2.warpPerspective(before, matrix, size, borderMode=cv2.BORDER_REPLICATE)
    rest = share(changed(comparable(np.asarray(shifted), limits), view), np.asarray(inside))
    usual = share(changed(comparable(before, limits), view), np.asarray(inside))
    return np.asarray(matrix) if rest < REST and rest < 0.5 * usual else None
