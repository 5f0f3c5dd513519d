"""The watched part of a frame, rotated until the pile's place is upright, and kept steady."""

from collections import deque
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from hardware.camera.reading.registration import FrameRegistration
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.types import Corners, Picture

Mask = npt.NDArray[Any]
Matrix = npt.NDArray[Any]


@dataclass(frozen=True)
class Window:
    """The watched part of a frame; made by ``window_of``."""

    region: Corners  # Corners of the pile's place in the frame, (4, 2)
    shape: tuple[int, int]  # Height and width of the frames
    size: tuple[int, int]  # Width and height of the view
    to_view: Matrix  # 3 by 3 map from pixels of the frame to those of the view
    crop: tuple[slice, slice]  # Rows and columns of the frame that the recogniser is shown
    zone: npt.NDArray[Any]  # The pile's place as corners in the view, (4, 2)

    def view_of(self, frame: Picture) -> Picture:
        """Return the view, a small picture of what is watched, (height, width, 3)."""
        warped = cv2.warpPerspective(
            frame, self.to_view, self.size, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(warped)

    def cut(self, frame: Picture) -> Picture:
        """Return the recogniser's picture: the watched part at the frame's resolution."""
        return frame[self.crop]

    def from_crop(self, corners: Corners) -> Corners:
        """Convert corners in the cut picture to corners in the view."""
        rows, columns = self.crop
        return project(self.to_view, np.asarray(corners) + np.array([columns.start, rows.start]))

    def to_frame(self, corners: Corners) -> Corners:
        """Convert corners in the view to corners in the frame."""
        return project(np.linalg.inv(self.to_view), corners).astype(np.float32)

    def filled(self, corners: Corners, grow: int = 0) -> Mask:
        """Return a mask of the view, 1 inside the corners, grown by ``grow`` pixels."""
        return fill(self.size, corners, grow)


def fill(size: tuple[int, int], corners: Corners, grow: int = 0) -> Mask:
    """Return a mask (height, width), 1 inside a quadrilateral grown by ``grow`` pixels."""
    mask: Mask = np.zeros((size[1], size[0]), np.uint8)
    points = np.round(np.clip(corners, -4000, 4000) * 16).astype(np.int32)
    cv2.fillPoly(mask, [points], 1, cv2.LINE_8, 4)
    if grow:
        kernel = np.ones((2 * abs(grow) + 1,) * 2, np.uint8)
        mask = np.asarray((cv2.dilate if grow > 0 else cv2.erode)(mask, kernel))
    return mask


def project(matrix: Matrix, points: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Map points (n, 2) by a projective matrix."""
    full = np.asarray(points, np.float64) @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(full[:, :2] / full[:, 2:])


def window_onto(frame: Picture, region: Corners, limits: Thresholds, old: Window | None) -> Window:
    """Return the window for a frame: ``old`` if it still fits. Raises ValueError."""
    shape = (int(frame.shape[0]), int(frame.shape[1]))
    if old is not None and old.shape == shape and np.array_equal(old.region, region):
        return old
    return window_of(region, shape, limits, old.size if old else None)


def window_of(
    region: Corners,
    shape: tuple[int, int],
    limits: Thresholds,
    like: tuple[int, int] | None = None,
) -> Window:
    """Return the window around a region, given by its corners in the frame, in order around it.

    ``shape`` is the frames' height and width. ``like`` is the view's size so far, kept if the
    region has changed little so that earlier views stay comparable. Raises ValueError if the region
    is no quadrilateral around some of the picture.
    """
    corners = np.asarray(region, np.float64)
    if corners.shape != (4, 2) or not np.isfinite(corners).all():
        raise ValueError("the pile's place needs four corners, each with two numbers")
    if abs(float(cv2.contourArea(corners.astype(np.float32)))) < limits.view.smallest_place:
        raise ValueError("the pile's place is too small in the picture: mark it again")
    sides = np.hypot(*(np.roll(corners, -1, axis=0) - corners).T)
    width, height = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    margin = limits.view.margin * max(width, height)
    scale = limits.view.pixels / (max(width, height) + 2 * margin)
    size = (round((width + 2 * margin) * scale), round((height + 2 * margin) * scale))
    slack = limits.view.size_slack
    if like and max(abs(size[0] - like[0]), abs(size[1] - like[1])) <= slack:
        size = like
    # The margin is equally wide on all sides of the view.
    low = margin * scale
    zone = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * (np.array(size) - 2 * low) + low
    to_view = cv2.getPerspectiveTransform(corners.astype(np.float32), zone.astype(np.float32))
    outline = np.array([(0, 0), (size[0], 0), size, (0, size[1])], np.float64)
    seen = project(np.linalg.inv(to_view), outline)
    x0, y0 = (int(v) for v in np.clip(np.floor(seen.min(axis=0)), 0, (shape[1], shape[0])))
    x1, y1 = (int(v) for v in np.clip(np.ceil(seen.max(axis=0)), 0, (shape[1], shape[0])))
    if min(x1 - x0, y1 - y0) < limits.view.smallest_crop:
        raise ValueError("the pile's place lies outside the picture: mark it again")
    return Window(corners, shape, size, to_view, (slice(y0, y1), slice(x0, x1)), zone)


class SteadyRegion:
    """The pile's place from frame to frame, to a small part of a pixel."""

    def __init__(self, limits: Thresholds) -> None:
        self._limits = limits.steady
        self._registration = FrameRegistration()
        # The place in the registration's reference.
        self._home: Corners | None = None
        self._shifts: deque[tuple[float, Corners]] = deque()

    @property
    def tremble(self) -> float:
        """How far the camera lately was from its mean place, root mean square, in pixels."""
        if len(self._shifts) < self._limits.least_frames:
            return 0.0
        shifts = np.array([shift for _, shift in self._shifts])
        return float(np.sqrt(((shifts - shifts.mean(axis=0)) ** 2).sum(axis=1).mean()))

    @property
    def lost_at(self) -> float:
        """When the whole picture last looked different for good; minus infinity if it never did."""
        return self._registration.lost_at

    def at(self, frame: Picture, time: float, region: Corners) -> Corners:
        """Return the corners of the place in a frame; ``region`` is where it is thought to be."""
        certain = self._registration.follow(frame, time, region)
        matrix = self._registration.matrix
        if self._home is not None:
            here = project(matrix, self._home)
            off = float(np.hypot(*(here - region).T).max())
            if off <= self._limits.farthest * max(frame.shape[:2]):
                if certain:
                    self._note(time, here.mean(axis=0))
                return here
        # The camera or the mat has been moved.
        self._home = project(np.linalg.inv(matrix), region)
        self._shifts.clear()
        return region

    def _note(self, time: float, shift: Corners) -> None:
        self._shifts.append((time, shift))
        while time - self._shifts[0][0] > self._limits.tremble_over:
            self._shifts.popleft()
