"""The light on the table: one lamp with a surface, light from all around, a window's reflection."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from lab.films.staging.eye import Ground

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

    def times(self, factor: Array | float) -> "Lighting":
        """Return it stronger or weaker, by a factor or by one for each colour, (3,)."""
        lamp, around = (np.array(light) * factor for light in (self.lamp, self.around))
        return replace(self, lamp=tuple(lamp.tolist()), around=tuple(around.tolist()))

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
