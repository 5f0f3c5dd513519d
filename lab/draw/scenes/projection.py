"""The camera's projection: from millimetres on the table to pixels in the picture."""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.camera.reading.geometry import HEIGHT, WIDTH

Matrix = NDArray[np.float64]
Corners = NDArray[np.float32]

CARD_CORNERS = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * np.array([WIDTH, HEIGHT]) / 2
"""A card's corners in mm around its middle: upper left first, then clockwise."""


def project_points(matrix: Matrix, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points (n, 2) under a 3 by 3 projective map."""
    full = points @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(full[:, :2] / full[:, 2:])


def placement(x: float, y: float, turn: float) -> Matrix:
    """A card's own millimetres to the table's: turned by degrees clockwise, then moved."""
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    return np.array([[c, -s, x], [s, c, y], [0.0, 0.0, 1.0]])


def tilted_view(tilt: float, around: float, distance: float) -> Matrix:
    """Return the table's view from a camera above its origin, before zooming.

    ``tilt`` is in degrees from straight above, ``around`` its direction in degrees, ``distance`` in
    mm.
    """
    c, s = math.cos(math.radians(around)), math.sin(math.radians(around))
    turn = np.array([[c, -s], [s, c]])
    flat = np.diag([1.0, math.cos(math.radians(tilt))]) @ turn
    depth = math.sin(math.radians(tilt)) * turn[1]
    out = np.zeros((3, 3))
    out[:2, :2] = turn.T @ flat
    out[2] = [depth[0] / distance, depth[1] / distance, 1.0]
    return out


def zoomed_view(
    seen: Matrix, points: NDArray[np.float64], at: tuple[float, float], extent: tuple[float, float]
) -> Matrix:
    """Return a view zoomed and moved so that some points fill a given part of the picture.

    ``points`` are on the table, (n, 2) in mm. The middle of their box comes to lie at ``at``, and
    ``extent`` is the box's greatest width and height, both in pixels.
    """
    shown = project_points(seen, points)
    low, high = shown.min(axis=0), shown.max(axis=0)
    scale = float(np.min(np.array(extent) / np.maximum(high - low, 1e-6)))
    move = np.array(at) - scale * (low + high) / 2
    zoom = np.array([[scale, 0.0, move[0]], [0.0, scale, move[1]], [0.0, 0.0, 1.0]])
    return zoom @ seen


def card_corners(view: Matrix, place: Matrix) -> Corners:
    """Where a placed card's corners are in the picture, (4, 2)."""
    return project_points(view @ place, CARD_CORNERS).astype(np.float32)


def quad_area(quad: Corners) -> float:
    """Area of a quadrilateral in square pixels."""
    return abs(float(cv2.contourArea(quad)))


def in_front(view: Matrix, points: NDArray[np.float64]) -> bool:
    """Whether all points of the table lie well before the camera."""
    depth = points @ view[2, :2] + view[2, 2]
    return bool(depth.min() > 0.25 * view[2, 2])
