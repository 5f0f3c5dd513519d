"""Lays layers with an alpha channel over a picture, blurred by their motion."""

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from lab.draw.scenes.projection import project_points
from lab.films.photographed.pose import Matrix

Picture = npt.NDArray[Any]


def over(picture: Picture, layer: Picture, matrix: Matrix, blur: npt.NDArray[np.float64]) -> None:
    """Composite a layer onto the picture with motion blur."""
    height, width = layer.shape[:2]
    box = np.array([(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)])
    corners = project_points(matrix, box)
    room = 2 + float(np.abs(blur).max())
    low = np.maximum(0, np.floor(corners.min(axis=0) - room)).astype(int)
    most = np.array(picture.shape[1::-1])
    high = np.minimum(most, np.ceil(corners.max(axis=0) + room)).astype(int)
    if (high - low < 2).any():
        return
    shifts = _shifts(blur)
    x, y = np.sum(shifts, axis=0) / -2 - low if shifts else -low
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    moved = cv2.warpPerspective(layer, np.array([[1, 0, x], [0, 1, y], [0, 0, 1]]) @ matrix, size)
    for dx, dy in shifts:
        shift = np.array([[1.0, 0.0, dx], [0.0, 1.0, dy]])
        other = cv2.warpAffine(moved, shift, size, flags=cv2.INTER_NEAREST)
        moved = cv2.addWeighted(moved, 0.5, other, 0.5, 0)
    part = picture[low[1] : high[1], low[0] : high[0]]
    alpha = moved[..., 3].astype(np.float32) * np.float32(1 / 255)
    # Layers are black where empty, so blurred layers are premultiplied by alpha.
    kept = cv2.multiply(part, cv2.merge([1 - alpha] * 3), dtype=cv2.CV_8U)
    cover = moved[..., :3] if shifts else _weighted(moved, alpha)
    picture[low[1] : high[1], low[0] : high[0]] = cv2.add(kept, cover)


def _weighted(layer: Picture, alpha: Picture) -> Picture:
    return np.asarray(cv2.multiply(layer[..., :3], cv2.merge([alpha] * 3), dtype=cv2.CV_8U))


def _shifts(way: npt.NDArray[np.float64]) -> list[tuple[int, int]]:
    """Return the shifts, in whole pixels, at which a layer is repeatedly averaged with itself.

    Each is half the one before, so that few steps give a long motion blur.
    """
    shifts = []
    while np.hypot(*way) >= 2:
        way = way / 2
        shifts.append((round(float(way[0])), round(float(way[1]))))
    return shifts
