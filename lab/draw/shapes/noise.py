"""Procedural noise for backgrounds and light."""

import cv2
import numpy as np
from numpy.typing import NDArray

Plane = NDArray[np.float32]


def value_noise(rng: np.random.Generator, shape: tuple[int, int], cells: tuple[int, int]) -> Plane:
    """Return smooth value noise from 0 to 1; ``cells`` is their number down and across."""
    grid = rng.random((cells[0] + 2, cells[1] + 2), dtype=np.float32)
    wide = cv2.resize(grid, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.clip(wide, 0, 1), dtype=np.float32)


def fractal_noise(
    rng: np.random.Generator, shape: tuple[int, int], octaves: int, first: int = 3
) -> Plane:
    """Return fractal noise from 0 to 1."""
    out = np.zeros(shape, np.float32)
    weight, total = 1.0, 0.0
    for k in range(octaves):
        cells = first * 2**k
        out += weight * value_noise(rng, shape, (cells, cells))
        total += weight
        weight *= 0.6
    return out / np.float32(total)


def blend_colours(
    plane: Plane, low: NDArray[np.float64], high: NDArray[np.float64]
) -> NDArray[np.uint8]:
    """Blend from one colour to another by a plane of weights."""
    span = (high - low).astype(np.float32)
    out = plane[..., None] * span + low.astype(np.float32)
    return np.asarray(np.clip(out, 0, 255), dtype=np.uint8)
