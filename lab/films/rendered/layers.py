"""Parts of a picture laid over each other, blurred by movement and depth."""

import math
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from lab.films.staging.moment import Optics

Array = npt.NDArray[Any]
Picture = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Layer:
    """A part of the picture: its upper left pixel, colours times alpha, and alpha, all 8 bits."""

    x: int
    y: int
    colour: Picture  # (h, w, 3)
    alpha: Picture  # (h, w)

    @property
    def part(self) -> tuple[slice, slice]:
        """Rows and columns of the picture that it lies on."""
        high, wide = self.alpha.shape
        return slice(self.y, self.y + high), slice(self.x, self.x + wide)

    def onto(self, picture: Picture) -> None:
        """Lay it on a picture (H, W, 3) in place."""
        under = picture[self.part]
        rest = cv2.merge([cv2.bitwise_not(self.alpha)] * 3)
        kept = cv2.multiply(under, rest, scale=1 / 255)
        picture[self.part] = cv2.add(kept, self.colour)


def box_around(
    points: Array, size: tuple[int, int], room: int = 2
) -> tuple[int, int, int, int] | None:
    """Return x, y, width, height of the box in the picture around points; None if outside."""
    low = np.maximum(np.floor(points.min(axis=0)).astype(int) - room, 0)
    high = np.minimum(np.ceil(points.max(axis=0)).astype(int) + room + 1, size)
    if (high - low < 2).any():
        return None
    return int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1])


def smeared(
    layer: Layer,
    optics: Optics,
    speed: tuple[float, float],
    height: float,
    size: tuple[int, int],
) -> Layer:
    """Return a layer as it is blurred by depth and movement and sheared by the shutter.

    ``speed`` is in pixels a second, ``height`` in mm above the table, ``size`` the picture's.
    """
    vx, vy = speed
    dx, dy = vx * optics.exposure, vy * optics.exposure
    sigma = optics.depth * max(0.0, height) / 100 * size[1] / 480
    long = math.hypot(dx, dy)
    slant = math.hypot(vx, vy) * optics.readout
    if long < 1.2 and slant < 1.0 and sigma < 0.35:
        return layer
    room = round(min(long / 2 + 3 * sigma + slant / 2 + 2, 160))
    layer = _roomier(layer, room, size)
    whole = np.dstack([layer.colour, layer.alpha])
    if slant >= 1.0:
        whole = _sheared(whole, layer.y, speed, optics.readout, size[1])
    if sigma >= 0.35:
        whole = np.asarray(cv2.GaussianBlur(whole, (0, 0), sigma))
    if long >= 1.2:
        whole = np.asarray(cv2.filter2D(whole, -1, _line(dx, dy)))
    colour, alpha = np.ascontiguousarray(whole[..., :3]), np.ascontiguousarray(whole[..., 3])
    return Layer(layer.x, layer.y, colour, alpha)


def _sheared(
    whole: Picture, first: int, speed: tuple[float, float], readout: float, high: int
) -> Picture:
    kx, ky = speed[0] * readout / high, speed[1] * readout / high
    start = first - high / 2
    # A row further down is taken later, so the thing has moved on.
    matrix = np.array([[1.0, kx, kx * start], [0.0, 1.0 + ky, ky * start]])
    return np.asarray(cv2.warpAffine(whole, matrix, whole.shape[1::-1]))


def _line(dx: float, dy: float) -> Picture:
    """Return a kernel that averages along a way."""
    reach = max(1, math.ceil(max(abs(dx), abs(dy)) / 2))
    kernel: Picture = np.zeros((2 * reach + 1,) * 2, np.float32)
    middle = reach * 16
    a = (round(middle - dx * 8), round(middle - dy * 8))
    b = (round(middle + dx * 8), round(middle + dy * 8))
    cv2.line(kernel, a, b, 1.0, 1, cv2.LINE_8, 4)
    return np.asarray(kernel / kernel.sum())


def _roomier(layer: Layer, room: int, size: tuple[int, int]) -> Layer:
    """Return a layer with empty pixels around it, within a picture of that size."""
    high, wide = layer.alpha.shape
    left, top = min(room, layer.x), min(room, layer.y)
    right = min(room, size[0] - layer.x - wide)
    low = min(room, size[1] - layer.y - high)
    sides = (top, low, left, right)
    colour = cv2.copyMakeBorder(layer.colour, *sides, cv2.BORDER_CONSTANT, value=(0, 0, 0))
    alpha = cv2.copyMakeBorder(layer.alpha, *sides, cv2.BORDER_CONSTANT, value=0)
    return Layer(layer.x - left, layer.y - top, np.asarray(colour), np.asarray(alpha))
