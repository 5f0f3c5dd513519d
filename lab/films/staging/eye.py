"""The pinhole camera that films are seen through: millimetres on the table to pixels.

On the table x points right, y towards the viewer and z up; the pile lies around the origin.
"""

import math
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Eye:
    """A camera that looks at the pile; all angles in degrees."""

    size: tuple[int, int] = (640, 480)  # Width and height of pictures in pixels
    tilt: float = 15.0  # From straight above
    around: float = 90.0  # Direction that it stands in; 90 is the viewer's side
    roll: float = 0.0
    distance: float = 650.0  # From the pile in mm
    card: float = 0.28  # A card's height as a share of the picture's
    middle: tuple[float, float] = (0.5, 0.5)  # Of the pile in the picture, as shares
    place: Array = field(init=False, repr=False, compare=False)  # Its own place, (3,)
    focal: float = field(init=False, repr=False, compare=False)  # In pixels
    axes: Array = field(init=False, repr=False, compare=False)  # Right, down, ahead: (3, 3)

    def __post_init__(self) -> None:
        lean, way = math.radians(self.tilt), math.radians(self.around)
        flat = math.sin(lean)
        out = np.array([flat * math.cos(way), flat * math.sin(way), math.cos(lean)])
        ahead = -out
        right = np.array([1.0, 0.0, 0.0]) - ahead[0] * ahead
        right /= np.linalg.norm(right)
        down = np.cross(right, ahead)
        c, s = math.cos(math.radians(self.roll)), math.sin(math.radians(self.roll))
        axes = np.stack([c * right + s * down, c * down - s * right, ahead])
        object.__setattr__(self, "place", out * self.distance)
        object.__setattr__(self, "axes", axes)
        object.__setattr__(self, "focal", self.card * self.size[1] * self.distance / 87.0)

    def seen(self, points: Array) -> tuple[Array, Array]:
        """Return where points (n, 3) are in the picture, (n, 2), and how far, (n,) in mm."""
        near = (np.asarray(points, np.float64) - self.place) @ self.axes.T
        deep = np.maximum(near[:, 2], 60.0)
        at = near[:, :2] * (self.focal / deep)[:, None]
        return at + self._middle, deep

    def pixels(self, points: Array) -> Array:
        """Return where points (n, 3) are in the picture, (n, 2)."""
        return self.seen(points)[0]

    def plane(self, height: float = 0.0) -> Array:
        """Return the map (3, 3) from x, y on a level plane to pixels."""
        lens = np.array(
            [[self.focal, 0, self._middle[0]], [0, self.focal, self._middle[1]], [0, 0, 1]]
        )
        moved = self.axes @ np.column_stack(
            [[1.0, 0, 0], [0, 1.0, 0], np.array([0, 0, height]) - self.place]
        )
        return np.asarray(lens @ moved)

    def place_of(self, wide: float, high: float) -> Array:
        """Return the corners (4, 2) of a place around the pile's middle, in pixels, clockwise."""
        box = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * np.array([wide, high]) / 2
        return self.pixels(np.column_stack([box, np.zeros(4)]))

    @property
    def scale(self) -> float:
        """Pixels a mm at the pile's middle."""
        return self.focal / self.distance

    @property
    def _middle(self) -> Array:
        return np.array(self.middle) * self.size


def on_plane(matrix: Array, points: Array) -> Array:
    """Map points (n, 2) by a projective matrix (3, 3)."""
    full = np.asarray(points, np.float64) @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(full[:, :2] / full[:, 2:])


@dataclass(frozen=True)
class Ground:
    """What pixels of a reduced picture show of the table: made once a camera."""

    step: int  # Pixels of the picture a pixel of this one
    spots: Array  # x, y on the table in mm, (h, w, 2)
    views: Array  # Unit vectors towards the camera, (h, w, 3)


def ground_of(eye: Eye, step: int) -> Ground:
    """Return the table's places under every ``step``-th pixel."""
    wide, high = (-(-side // step) for side in eye.size)
    x, y = np.meshgrid((np.arange(wide) + 0.5) * step, (np.arange(high) + 0.5) * step)
    back = np.linalg.inv(eye.plane())
    spots = on_plane(back, np.stack([x.ravel(), y.ravel()], axis=1)).reshape(high, wide, 2)
    spots = np.clip(spots, -4000, 4000)
    full = np.dstack([spots, np.zeros((high, wide))])
    views = eye.place - full
    views /= np.linalg.norm(views, axis=2, keepdims=True)
    return Ground(step, spots.astype(np.float32), views.astype(np.float32))


def enlarged(picture: Array, size: tuple[int, int]) -> Array:
    """Return a reduced picture at full size (width, height)."""
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_LINEAR))
