"""Sorts cards as people name them: along a fan from its left end, row by row in a spread."""

from collections.abc import Sequence

import cv2
import numpy as np

from hardware.camera.types import Corners, Detection


def in_hand_order(detections: Sequence[Detection]) -> list[Detection]:
    """Sort cards in the order of the hand.

    Overlapping cards are a fan, sorted from its left end, or from its upper end if it is steep.
    Fans and single cards follow one another like words on a page.
    """
    return [card for row in _rows(_fans(detections)) for fan in row for card in _along(fan)]


def _fans(detections: Sequence[Detection]) -> list[list[Detection]]:
    """Group cards that touch, directly or through others."""
    fans: list[list[Detection]] = []
    for detection in detections:
        joined, apart = [detection], []
        for fan in fans:
            if any(_touch(detection, other) for other in fan):
                joined += fan
            else:
                apart.append(fan)
        fans = [*apart, joined]
    return fans


def _touch(card: Detection, other: Detection) -> bool:
    if not (cv2.isContourConvex(card.corners) and cv2.isContourConvex(other.corners)):
        return False
    common, _ = cv2.intersectConvexConvex(card.corners, other.corners)
    # Outlines are inexact: neighbours in a spread may overlap a little.
    return bool(common > 0.05 * min(_area(card.corners), _area(other.corners)))


def _along(fan: list[Detection]) -> list[Detection]:
    middles = np.array([card.corners.mean(axis=0) for card in fan], np.float64)
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
    for fan in sorted(fans, key=lambda fan: _middle(fan)[1]):
        if rows and _middle(fan)[1] < _bottom(rows[-1][0]):
            rows[-1].append(fan)
        else:
            rows.append([fan])
    return [sorted(row, key=lambda fan: _middle(fan)[0]) for row in rows]


def _middle(fan: list[Detection]) -> tuple[float, float]:
    x, y = np.mean([card.corners.mean(axis=0) for card in fan], axis=0)
    return float(x), float(y)


def _bottom(fan: list[Detection]) -> float:
    return max(float(card.corners[:, 1].max()) for card in fan)


def _area(corners: Corners) -> float:
    return float(cv2.contourArea(corners))
