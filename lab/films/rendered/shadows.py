"""The shadows that hands and what they hold throw on the table."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from lab.films.staging.eye import Eye, Ground, on_plane
from lab.films.staging.lighting import Lighting

Array = npt.NDArray[Any]
Picture = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Blocker:
    """Something that throws a shadow: an outline in space, (n, 3) in mm, or a fat line.

    With a radius the outline is two points, the ends of a fat line.
    """

    points: Array
    radius: tuple[float, float] | None = None


REACH = 560.0
"""Distance in mm from the pile up to which shadows fall on the table."""
_BINS = (8.0, 24.0, 55.0, 110.0, 1e9)
"""Heights in mm up to which blockers share one softness."""


def shadows(
    blockers: Sequence[Blocker], lighting: Lighting, eye: Eye, ground: Ground, level: float
) -> tuple[Picture, Picture] | None:
    """Return what reaches the table of the lamp and of the light around, (h, w) each, 0 to 1.

    ``level`` is the height in mm of what the shadows fall on. None if nothing blocks.
    """
    if not blockers:
        return None
    high, wide = ground.spots.shape[:2]
    matrix = np.diag([1 / ground.step, 1 / ground.step, 1.0]) @ eye.plane(level)
    scale = eye.scale / ground.step
    lamp = np.array(lighting.place)
    direct: Picture = np.ones((high, wide), np.float32)
    diffuse: Picture = np.ones((high, wide), np.float32)
    low = 0.0
    for top in _BINS:
        mask: Picture = np.zeros((high, wide), np.uint8)
        under: Picture = np.zeros((high, wide), np.uint8)
        heights = []
        for blocker in blockers:
            above = np.maximum(blocker.points[:, 2] - level, 0.5)
            mean = float(above.mean())
            if not low <= mean < top:
                continue
            heights.append(min(mean, 300.0))
            # From the lamp through the point onto the level.
            share = np.minimum(above / np.maximum(lamp[2] - level - above, 50.0), 1.5)[:, None]
            cast = blocker.points[:, :2] + (blocker.points[:, :2] - lamp[:2]) * share
            _fill(mask, matrix, cast, blocker.radius, scale)
            _fill(under, matrix, blocker.points[:, :2], blocker.radius, scale)
        low = top
        if not heights:
            continue
        middle = float(np.mean(heights))
        soft = max(0.6, lighting.radius * middle / max(lamp[2] - middle, 100.0) * scale)
        wider = max(0.8, (3.0 + 0.7 * middle) * scale)
        direct *= 1 - _soft(mask, soft)
        diffuse *= 1 - 0.75 * math.exp(-middle / 90) * _soft(under, wider)
    return direct, diffuse


def _soft(mask: Picture, sigma: float) -> Picture:
    """Return a mask as shares, blurred; at half size if that is enough."""
    if sigma > 5:
        small = cv2.resize(mask, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        done = cv2.GaussianBlur(small, (0, 0), sigma / 2)
        done = cv2.resize(done, mask.shape[::-1], interpolation=cv2.INTER_LINEAR)
    else:
        done = cv2.GaussianBlur(mask, (0, 0), sigma)
    return np.asarray(done.astype(np.float32) / 255)


def _fill(
    mask: Picture, matrix: Array, flat: Array, radius: tuple[float, float] | None, scale: float
) -> None:
    far = np.hypot(*flat.T)
    if far.min() > REACH:
        return
    if radius is not None and far.max() > REACH:
        # What lies beside or behind the camera cannot be mapped to the picture.
        near, away = int(np.argmin(far)), int(np.argmax(far))
        share = (REACH - far[near]) / (far[away] - far[near])
        flat = flat.copy()
        flat[away] = flat[near] + share * (flat[away] - flat[near])
    at = np.clip(on_plane(matrix, flat), -3000, 3000)
    if radius is None:
        cv2.fillPoly(mask, [np.round(at * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
        return
    way = at[1] - at[0]
    long = max(float(np.hypot(*way)), 1e-3)
    side = np.array([-way[1], way[0]]) / long
    a, b = radius[0] * scale, radius[1] * scale
    body = np.array([at[0] + a * side, at[1] + b * side, at[1] - b * side, at[0] - a * side])
    cv2.fillConvexPoly(mask, np.round(body * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    for end, size in ((at[0], a), (at[1], b)):
        middle = (round(float(end[0]) * 16), round(float(end[1]) * 16))
        cv2.circle(mask, middle, max(1, round(size * 16)), 255, -1, cv2.LINE_AA, 4)
