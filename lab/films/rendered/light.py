"""The light on the table: one lamp with a surface, light from all around, a window's reflection."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from lab.films.rendered.eye import Eye, Ground, on_plane

Array = npt.NDArray[Any]
Picture = npt.NDArray[Any]


@dataclass(frozen=True)
class Lighting:
    """Strengths are shares of the light on a level card at the pile, in blue, green and red."""

    lamp: tuple[float, float, float] = (0.55, 0.6, 0.62)
    around: tuple[float, float, float] = (0.42, 0.4, 0.38)
    place: tuple[float, float, float] = (-300.0, -250.0, 900.0)  # Of the lamp, in mm
    radius: float = 60.0  # Of the lamp
    gloss: float = 40.0  # Levels that the lamp's reflection adds
    window: float = 0.0  # Levels that a window's reflection adds
    # Where a level card reflects the window's middle, and half its width and height, in mm.
    window_at: tuple[float, float] = (20.0, -10.0)
    window_size: tuple[float, float] = (75.0, 115.0)

    @property
    def towards(self) -> Array:
        """The unit vector from the pile towards the lamp."""
        way = np.array(self.place)
        return np.asarray(way / np.linalg.norm(way))

    def on_table(self, ground: Ground) -> Picture:
        """Return the lamp's light on the table without shadows, (h, w, 3)."""
        x, y, z = self.place
        away2 = (ground.spots[..., 0] - x) ** 2 + (ground.spots[..., 1] - y) ** 2 + z * z
        here = x * x + y * y + z * z
        falloff = (here / away2) ** 1.5
        return np.asarray(falloff[..., None] * np.array(self.lamp), np.float32)

    def on_surface(self, up: Picture, lit: Picture) -> Picture:
        """Return the light on a surface, (h, w, 3), that faces up and the lamp so far."""
        lamp, around = np.array(self.lamp, np.float32), np.array(self.around, np.float32)
        share = lit / max(float(self.towards[2]), 0.4)
        return np.asarray(share[..., None] * lamp + (0.5 + 0.5 * up)[..., None] * around)


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
        for one in blockers:
            above = np.maximum(one.points[:, 2] - level, 0.5)
            mean = float(above.mean())
            if not low <= mean < top:
                continue
            heights.append(min(mean, 300.0))
            # From the lamp through the point onto the level.
            share = np.minimum(above / np.maximum(lamp[2] - level - above, 50.0), 1.5)[:, None]
            cast = one.points[:, :2] + (one.points[:, :2] - lamp[:2]) * share
            _fill(mask, matrix, cast, one.radius, scale)
            _fill(under, matrix, one.points[:, :2], one.radius, scale)
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


def reflections(
    tilts: Picture, gloss: Picture, lighting: Lighting, ground: Ground
) -> Picture | None:
    """Return the levels that reflections add, (h, w); None if nothing reflects.

    ``tilts`` (h, w, 2) are the slopes of what lies there, ``gloss`` (h, w) how much it reflects.
    """
    if not gloss.any() or not (lighting.gloss or lighting.window):
        return None
    nx, ny = tilts[..., 0], tilts[..., 1]
    vx, vy, vz = (ground.views[..., k] for k in range(3))
    size = 1 / np.sqrt(1 + nx * nx + ny * ny)
    facing = (vx * nx + vy * ny + vz) * size
    rx, ry, rz = (2 * facing * n * size - v for n, v in ((nx, vx), (ny, vy), (1.0, vz)))
    rz = np.maximum(rz, 0.05)
    total: Picture = np.zeros(gloss.shape, np.float32)
    x, y, z = lighting.place
    spots = ground.spots
    if lighting.gloss:
        dx, dy = spots[..., 0] + rx / rz * z - x, spots[..., 1] + ry / rz * z - y
        wide = 1.3 * lighting.radius + 0.07 * z
        total += lighting.gloss * np.exp(-(dx * dx + dy * dy) / (2 * wide * wide))
    if lighting.window:
        far = 1400.0
        at = _mirrored(lighting.window_at, ground, far)
        dx, dy = spots[..., 0] + rx / rz * far - at[0], spots[..., 1] + ry / rz * far - at[1]
        half = lighting.window_size
        pane = _edge(half[0] - np.abs(dx), 35.0) * _edge(half[1] - np.abs(dy), 35.0)
        bars = 1 - 0.6 * np.exp(-((dx / 18) ** 2)) - 0.4 * np.exp(-((dy / 18) ** 2))
        total += lighting.window * pane * np.clip(bars, 0.2, 1)
    return np.asarray(total * gloss, np.float32)


def _edge(inside: Picture, soft: float) -> Picture:
    return np.asarray(1 / (1 + np.exp(-np.clip(inside / soft * 4, -20, 20))))


def _mirrored(spot: tuple[float, float], ground: Ground, far: float) -> tuple[float, float]:
    """Return where, ``far`` mm up, is what a level card reflects at a spot."""
    away = np.abs(ground.spots - np.array(spot, np.float32)).sum(axis=2)
    row, column = np.unravel_index(int(np.argmin(away)), away.shape)
    vx, vy, vz = ground.views[row, column]
    return float(spot[0] - vx / vz * far), float(spot[1] - vy / vz * far)
