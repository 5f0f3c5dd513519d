"""Where things are on a card, and the size of the crops that networks see."""

import cv2
import numpy as np

from hardware.camera.types import Array, Corners

WIDTH, HEIGHT = 56.0, 87.0
"""Size of a card, in mm."""
INDEX = (0.13, 0.1)
"""Place of an index, as shares of the card's width and height from the nearest corner."""
CARD_CROP = (96, 144)
"""Width and height of a whole card's crop, in pixels."""
CORNER_CROP = (64, 64)
"""Width and height of a corner's crop, in pixels."""
CORNER_MM = 24.0
"""Side of the square at a card's corner that such a crop shows, in mm."""
_CORNER_SHARE = np.array([CORNER_MM / WIDTH, CORNER_MM / HEIGHT])


def corner_square(corners: Corners) -> Corners:
    """Return the square at an outline's first corner, in the outline's perspective."""
    right, low = _CORNER_SHARE
    return _places(corners, np.array([[0, 0], [right, 0], [right, low], [0, low]]))


def index_places(corners: Corners) -> Array:
    """Return the centres of a card's two indices (2 x 2), the one at the first corner first."""
    return _places(corners, np.array([INDEX, (1 - INDEX[0], 1 - INDEX[1])]))


def start_at(corners: Corners, anchor: Array) -> Corners:
    """Rotate an outline so that the corner nearest to ``anchor`` comes first."""
    nearest = int(np.argmin(np.linalg.norm(corners - anchor, axis=1)))
    rotated: Corners = np.roll(corners, -nearest, axis=0)
    return rotated


def width_of(corners: Corners) -> float:
    """Return the width in pixels of an unforeshortened card with the outline's area."""
    return float(np.sqrt(max(cv2.contourArea(corners), 1.0) * WIDTH / HEIGHT))


def grown(corners: Corners, factor: float) -> Corners:
    """Return an outline enlarged around its middle."""
    middle = corners.mean(axis=0)
    return np.asarray(middle + (corners - middle) * factor, np.float32)


def overlap(outline: Corners, other: Corners) -> float:
    """Return the intersection of two outlines over their union; 0 unless both are convex."""
    if not (cv2.isContourConvex(outline) and cv2.isContourConvex(other)):
        return 0.0
    common, _ = cv2.intersectConvexConvex(outline, other)
    union = cv2.contourArea(outline) + cv2.contourArea(other) - common
    return float(common / union) if union > 0 else 0.0


def _places(corners: Corners, shares: Array) -> Array:
    """Map shares of a card's width and height to points in the picture."""
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    matrix = cv2.getPerspectiveTransform(unit, corners.astype(np.float32))
    places = cv2.perspectiveTransform(shares[None].astype(np.float32), matrix)[0]
    return np.asarray(places, np.float32)
