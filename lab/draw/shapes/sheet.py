"""A sheet to print shapes on, in millimetres, with outline, shadow and halo."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.draw.shapes.strokes import Shape, extent

Colour = tuple[int, int, int]
"""Blue, green and red, 0 to 255."""
Picture = NDArray[np.uint8]
Mask = NDArray[np.uint8]

_SHIFT = 4


@dataclass(frozen=True)
class Ink:
    """How a shape is printed."""

    fill: Colour  # Colour of the body
    outline: float = 0.0  # Width of the outline in mm
    line: Colour = (16, 16, 16)  # Colour of the outline and the shadow
    shadow: tuple[float, float] = (0.0, 0.0)  # Offset of the shadow to the right and down, in mm
    solid: bool = True  # Whether shadow and body join, like the side of a block
    halo: float = 0.0  # Width in mm of a light rim around body and shadow, 0 for none
    rim: Colour = (245, 245, 245)  # Colour of the halo


class Sheet:
    """A BGR picture drawn in millimetres around its middle, at ``scale`` pixels per millimetre."""

    def __init__(self, size: tuple[float, float], scale: float, colour: Colour) -> None:
        width, height = round(size[0] * scale), round(size[1] * scale)
        self.image: Picture = np.empty((height, width, 3), np.uint8)
        cv2.rectangle(self.image, (0, 0), (width, height), colour, -1)
        self._scale = scale
        self._middle = np.array([width / 2, height / 2])

    def mask(self, shape: Shape, room: float = 0.0) -> tuple[Mask, tuple[slice, slice]]:
        """Return a shape as a mask of 0 and 255, and the rows and columns of the sheet it covers.

        Polygons are in mm around the sheet's middle; ``room`` is the margin around them in mm.
        """
        left, top, right, bottom = extent(shape)
        height, width = self.image.shape[:2]
        low = np.array([left - room, top - room]) * self._scale + self._middle
        high = np.array([right + room, bottom + room]) * self._scale + self._middle
        x0, y0 = (max(0, int(v) - 2) for v in low)
        x1, y1 = (
            max(x0 + 1, min(width, int(high[0]) + 3)),
            max(y0 + 1, min(height, int(high[1]) + 3)),
        )
        mask: Mask = np.zeros((max(1, y1 - y0), max(1, x1 - x0)), np.uint8)
        offset = self._middle - np.array([x0, y0]) - 0.5
        self._draw(mask, shape, offset, (255, 255, 255))
        return mask, (slice(y0, y1), slice(x0, x1))

    def fill(self, shape: Shape, colour: Colour) -> None:
        """Paint a shape in one colour without outline."""
        self._draw(self.image, shape, self._middle - 0.5, colour)

    def _draw(
        self, image: Picture, shape: Shape, offset: NDArray[np.float64], colour: Colour
    ) -> None:
        # Converting all points at once is far faster than one polygon at a time.
        fine = (np.concatenate(shape) * self._scale + offset) * (1 << _SHIFT)
        points = np.round(fine).astype(np.int32)
        start = 0
        for piece in shape:
            end = start + len(piece)
            cv2.fillPoly(image, [points[start:end]], colour, cv2.LINE_8, _SHIFT)
            start = end

    def print(self, shape: Shape, ink: Ink) -> None:
        """Print a shape with its shadow, outline and halo."""
        room = ink.outline + ink.halo + max(abs(ink.shadow[0]), abs(ink.shadow[1])) + 0.2
        mask, window = self.mask(shape, room)
        target = self.image[window]
        if target.size == 0:
            return
        if not ink.outline and not ink.halo and ink.shadow == (0.0, 0.0):
            self.fill(shape, ink.fill)
            return
        body = mask > 0
        edge = self._grown(mask, ink.outline) if ink.outline else body
        under = self._cast(edge, ink) if ink.shadow != (0.0, 0.0) else edge
        if ink.halo:
            target[self._grown((under * np.uint8(255)), ink.halo)] = ink.rim
        target[under] = ink.line
        self.fill(shape, ink.fill)

    def _grown(self, mask: Mask, by: float) -> NDArray[np.bool_]:
        away = cv2.distanceTransform(255 - mask, cv2.DIST_L2, 3)
        return np.asarray(away <= by * self._scale, dtype=np.bool_)

    def _cast(self, edge: NDArray[np.bool_], ink: Ink) -> NDArray[np.bool_]:
        dx, dy = (round(v * self._scale) for v in ink.shadow)
        steps = max(abs(dx), abs(dy), 1) if ink.solid else 1
        under = edge.copy()
        for k in range(1, steps + 1):
            under |= _moved(edge, round(dx * k / steps), round(dy * k / steps))
        return under

    def reduced(self, width: int, height: int) -> Picture:
        """Return the picture scaled down, with smooth edges."""
        small = cv2.resize(self.image, (width, height), interpolation=cv2.INTER_AREA)
        return np.asarray(small, dtype=np.uint8)


def _moved(mask: NDArray[np.bool_], dx: int, dy: int) -> NDArray[np.bool_]:
    out = np.zeros_like(mask)
    height, width = mask.shape
    if abs(dx) >= width or abs(dy) >= height:
        return out
    out[max(0, dy) : height + min(0, dy), max(0, dx) : width + min(0, dx)] = mask[
        max(0, -dy) : height + min(0, -dy), max(0, -dx) : width + min(0, -dx)
    ]
    return out


def shade(colour: Sequence[int], factor: float) -> Colour:
    """Return a colour made darker (below 1) or lighter (above 1)."""
    b, g, r = (int(min(255, max(0, v * factor))) for v in colour)
    return b, g, r
