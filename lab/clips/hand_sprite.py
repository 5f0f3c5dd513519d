"""A hand with its arm from above, drawn once and then moved."""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from lab.clips.pose import Matrix
from lab.draw.hands import random_skin

Layer = npt.NDArray[Any]

SCALE = 2.5
"""Pixels per millimetre in the layers."""
LEFT, TOP, RIGHT, BOTTOM = -75.0, -30.0, 75.0, 430.0
"""Extent of the layers in mm around the point where thumb and fingers meet; the arm is below."""

_FINGERS = (
    # Knuckle, joint and tip, and thickness, in mm.
    (((-27.0, 74.0), (-33.0, 36.0), (-14.0, 4.0)), 17.0),
    (((-9.0, 66.0), (-13.0, 24.0), (-3.0, -9.0)), 18.0),
    (((10.0, 68.0), (10.0, 28.0), (9.0, -3.0)), 17.0),
    (((26.0, 76.0), (29.0, 44.0), (22.0, 14.0)), 14.5),
)
_THUMB = (((-38.0, 112.0), (-46.0, 72.0), (-30.0, 38.0), (-7.0, 9.0)), 20.0)


@dataclass(frozen=True)
class HandSprite:
    """A hand in two layers, (height, width, 4) in BGRA.

    ``under`` is below a held card, ``over`` is the thumb on the card.
    """

    under: Layer
    over: Layer

    @property
    def to_mm(self) -> Matrix:
        """Transform from the layers' pixels to the hand's millimetres."""
        return np.array([[1 / SCALE, 0, LEFT], [0, 1 / SCALE, TOP], [0, 0, 1.0]])


def random_hand(rng: np.random.Generator) -> HandSprite:
    """Return a random left or right hand."""
    tone, sleeve = random_skin(rng), rng.uniform(10, 245, 3)
    thick, cuff = rng.uniform(0.88, 1.12), rng.uniform(160, 300)
    shape = (round((BOTTOM - TOP) * SCALE), round((RIGHT - LEFT) * SCALE), 4)
    under: Layer = np.zeros(shape, np.uint8)
    over: Layer = np.zeros(shape, np.uint8)
    _limb(under, ((2.0, 100.0), (6.0, 200.0), (10.0, 440.0)), 62.0 * thick, tone)
    _limb(under, ((10.0, cuff), (12.0, 300.0), (14.0, 470.0)), 82.0 * thick, sleeve)
    _limb(under, ((-10.0, 98.0), (8.0, 108.0)), 70.0 * thick, tone)
    for points, width in _FINGERS:
        _limb(under, points, width * thick, tone)
    _limb(over, _THUMB[0], _THUMB[1] * thick, tone)
    if rng.random() < 0.5:
        under, over = np.flip(under, 1), np.flip(over, 1)
    return HandSprite(np.ascontiguousarray(under), np.ascontiguousarray(over))


def _limb(
    layer: Layer,
    points: tuple[tuple[float, float], ...],
    thick: float,
    tone: npt.NDArray[np.float64],
) -> None:
    """Draw a rounded line with a dark rim, lit from the upper left."""
    line = (_smooth(np.array(points)) - (LEFT, TOP)) * SCALE
    lit = np.array([-0.14, -0.18]) * thick * SCALE
    # The rim separates the fingers.
    for part, light in ((1.0, 0.55), (0.93, 0.8), (0.72, 0.92), (0.5, 1.0), (0.26, 1.06)):
        tint = (*(float(v) for v in np.minimum(tone * light, 255)), 255.0)
        path = np.round((line + lit * (1 - part)) * 16).astype(np.int32)
        width = max(1, round(thick * SCALE * part))
        cv2.polylines(layer, [path], False, tint, width, cv2.LINE_AA, 4)


def _smooth(points: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Round the bends of a line (Chaikin), keeping its ends."""
    for _ in range(3 if len(points) > 2 else 0):
        early = 0.75 * points[:-1] + 0.25 * points[1:]
        late = 0.25 * points[:-1] + 0.75 * points[1:]
        cut = np.stack([early, late], axis=1).reshape(-1, 2)
        points = np.vstack([points[:1], cut[1:-1], points[-1:]])
    return points
