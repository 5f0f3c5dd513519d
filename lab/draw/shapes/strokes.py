"""Outlines drawn as strokes of a broad pen: the bodies of digits, letters and signs.

A shape is a list of polygons whose union is the shape, each an array (n, 2) of x and y with y
downwards. A pen that is wider across than along gives heavy stems and lighter bars, as in print.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
Shape = list[Points]


def arc(
    centre: tuple[float, float],
    radii: tuple[float, float],
    start: float,
    end: float,
    power: float = 2.0,
) -> Points:
    """Return points (n, 2) of an elliptic arc; more ``power`` than 2 squares its shoulders.

    ``start`` and ``end`` are in degrees, clockwise from the right as y points down; an end greater
    than the start runs clockwise.
    """
    count = max(3, round(abs(end - start) / 9) + 1)
    angle = np.radians(np.linspace(start, end, count))
    cos, sin = np.cos(angle), np.sin(angle)
    x = np.sign(cos) * np.abs(cos) ** (2 / power)
    y = np.sign(sin) * np.abs(sin) ** (2 / power)
    return np.stack([centre[0] + radii[0] * x, centre[1] + radii[1] * y], axis=1)


def bezier(*controls: tuple[float, float]) -> Points:
    """Points of a quadratic (3 controls) or cubic (4 controls) Bézier curve, an array (n, 2)."""
    t = np.linspace(0, 1, 13)[:, None]
    points: Points = np.zeros((13, 2))
    degree = len(controls) - 1
    for k, control in enumerate(controls):
        weight = math.comb(degree, k) * t**k * (1 - t) ** (degree - k)
        points += weight * np.array(control, dtype=np.float64)
    return points


def path(*parts: Points | Sequence[tuple[float, float]]) -> Points:
    """One line through several parts; points that repeat the one before are left out."""
    points = np.concatenate([np.asarray(part, dtype=np.float64) for part in parts])
    step = np.abs(np.diff(points, axis=0)).sum(axis=1)
    return np.asarray(points[np.concatenate([[True], step > 1e-6])])


def stroke(line: Points, half: tuple[float, float], closed: bool = False) -> Shape:
    """Return the area that a pen leaves along a line (n, 2), with flat ends and mitred corners.

    ``half`` is half the width of an upright stroke, and of a level one. A ``closed`` line's last
    point joins the first. The area is a quadrilateral for each piece and a polygon for each joint.
    """
    points = np.concatenate([line, line[:1]]) if closed else line
    way = np.diff(points, axis=0)
    way /= np.maximum(np.hypot(way[:, :1], way[:, 1:]), 1e-9)
    normal = np.stack([-way[:, 1], way[:, 0]], axis=1)
    reach = np.hypot(normal[:, :1] * half[0], normal[:, 1:] * half[1])
    side = normal * reach
    shape = [
        np.array([a + s, b + s, b - s, a - s])
        for a, b, s in zip(points[:-1], points[1:], side, strict=True)
    ]
    count = len(way)
    pairs = [(i, (i + 1) % count) for i in range(count if closed else count - 1)]
    shape += [_joint(points[j], way[i], way[j], side[i], side[j]) for i, j in pairs]
    return shape


def _joint(at: Points, before: Points, after: Points, left: Points, right: Points) -> Points:
    turn = before[0] * after[1] - before[1] * after[0]
    a, b = (-left, -right) if turn > 0 else (left, right)
    det = -turn
    if abs(turn) < 0.3:
        return np.array([at, at + a, at + b])
    # The mitre: where the two outer edges would meet, unless that lies too far out.
    gap = (at + b) - (at + a)
    along = (-gap[0] * after[1] + gap[1] * after[0]) / det
    tip = at + a + before * along
    if abs(along) > 2.2 * max(float(np.hypot(*a)), float(np.hypot(*b))):
        return np.array([at, at + a, at + b])
    return np.array([at, at + a, tip, at + b])


def transform(shape: Shape, matrix: NDArray[np.float64]) -> Shape:
    """The shape under an affine map given as a 2 by 3 matrix."""
    return [piece @ matrix[:, :2].T + matrix[:, 2] for piece in shape]


def extent(shape: Shape) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of the shape."""
    points = np.concatenate(shape)
    low, high = points.min(axis=0), points.max(axis=0)
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def placed(
    shape: Shape, at: tuple[float, float], scale: float, slant: float = 0.0, turn: float = 0.0
) -> Shape:
    """Return the shape scaled, slanted, turned about its origin and moved to ``at``.

    ``slant`` is a sideways shift for each unit of height, positive to the right; ``turn`` is in
    degrees clockwise.
    """
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    lean = np.array([[1.0, -slant], [0.0, 1.0]])
    linear = scale * np.array([[c, -s], [s, c]]) @ lean
    return transform(shape, np.column_stack([linear, np.array(at)]))
