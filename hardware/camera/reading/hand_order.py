"""Sorts cards as people name them: along a fan from its left end, row by row in a spread."""

from collections.abc import Sequence

import cv2
import numpy as np

from hardware.camera.types import Corners, Detection


def in_hand_order(found: Sequence[Detection]) -> list[Detection]:
    """Sort cards in the order of the hand.

    Overlapping cards are a fan, sorted from its left end, or from its upper end if it is steep.
    Fans and single cards follow one another like words on a page.
    """
    return [one for row in _rows(_fans(found)) for fan in row for one in _along(fan)]


def _fans(found: Sequence[Detection]) -> list[list[Detection]]:
    """Group cards that touch, directly or through others."""
    fans: list[list[Detection]] = []
    for one in found:
        joined, apart = [one], []
        for fan in fans:
            if any(_touch(one, other) for other in fan):
                joined += fan
            else:
                apart.append(fan)
        fans = [*apart, joined]
    return fans


def _touch(one: Detection, other: Detection) -> bool:
    if not (cv2.isContourConvex(one.corners) and cv2.isContourConvex(other.corners)):
        return False
    common, _ = cv2.intersectConvexConvex(one.corners, other.corners)
    # Outlines are inexact: neighbours in a spread may overlap a little.
    return bool(common > 0.05 * min(_area(one.corners), _area(other.corners)))


def _along(fan: list[Detection]) -> list[Detection]:
    middles = np.array([one.corners.mean(axis=0) for one in fan], np.float64)
    if len(fan) == 1:
        return fan
    off = middles - middles.mean(axis=0)
    axis = np.linalg.svd(off, full_matrices=False)[2][0]
    # Point the axis right, or down if it is steep.
    if axis[int(abs(axis[1]) > abs(axis[0]))] < 0:
        axis = -axis
    return [fan[place] for place in np.argsort(off @ axis, kind="stable")]


def _rows(fans: list[list[Detection]]) -> list[list[list[Detection]]]:
    """Arrange groups in rows, each from the left."""
    rows: list[list[list[Detection]]] = []
    for fan in sorted(fans, key=lambda one: _middle(one)[1]):
        if rows and _middle(fan)[1] < _bottom(rows[-1][0]):
            rows[-1].append(fan)
        else:
            rows.append([fan])
    return [sorted(row, key=lambda one: _middle(one)[0]) for row in rows]


def _middle(fan: list[Detection]) -> tuple[float, float]:
    x, y = np.mean([one.corners.mean(axis=0) for one in fan], axis=0)
    return float(x), float(y)


def _bottom(fan: list[Detection]) -> float:
    return max(float(one.corners[:, 1].max()) for one in fan)


def _area(corners: Corners) -> float:
    return float(cv2.contourArea(corners))
