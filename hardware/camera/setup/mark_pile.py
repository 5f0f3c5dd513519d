"""Marking the pile by hand: corners given as numbers, or clicked in a window."""

import math
import os
import sys
from collections.abc import Mapping

import cv2
import numpy as np

from hardware.camera.setup.storage import SetupError
from hardware.camera.types import Corners, Picture

TITLE = "Click the pile's four corners; right click takes one back, Enter is done, Esc stops"
LEAST_SIDE = 10.0
_ENTER, _ESCAPE, _BACKSPACE = (10, 13), 27, 8
_EVERY_MS = 30


def read_pile(text: str) -> Corners:
    """The corners that ``x,y,w,h`` or ``x1,y1,x2,y2,x3,y3,x4,y4`` name. Raises SetupError."""
    try:
        numbers = [float(part) for part in text.replace(" ", ",").split(",") if part]
        if not all(math.isfinite(number) for number in numbers):
            raise ValueError
    except ValueError:
        raise SetupError(f"{text!r} are no numbers such as 400,200,300,350") from None
    if len(numbers) == 4:
        x, y, width, height = numbers
        points = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
    elif len(numbers) == 8:
        points = list(zip(numbers[::2], numbers[1::2], strict=True))
    else:
        raise SetupError(
            f"a pile is four numbers (x,y,width,height) or eight (four corners), not {len(numbers)}"
        )
    return order_corners(points)


def order_corners(points: list[tuple[float, float]]) -> Corners:
    """Four points as corners: clockwise, the one nearest to the top left first.

    Raises SetupError if they make no quadrangle.
    """
    corners = np.array(points, np.float32)
    middle = corners.mean(axis=0)
    angles = np.arctan2(corners[:, 1] - middle[1], corners[:, 0] - middle[0])
    corners = corners[np.argsort(angles)]
    corners = np.roll(corners, -int(corners.sum(axis=1).argmin()), axis=0)
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    flat = cv2.contourArea(corners) < LEAST_SIDE**2
    if sides.min() < LEAST_SIDE or flat or not cv2.isContourConvex(corners):
        raise SetupError("these corners make no quadrangle that a pile could lie in")
    return corners


def check_inside(pile: Corners, size: tuple[int, int]) -> None:
    """Raises SetupError unless the pile is in a picture of this size (width, height)."""
    if (pile < 0).any() or (pile > np.array(size)).any():
        raise SetupError(
            f"the pile is not inside the picture, which has {size[0]} × {size[1]} pixels"
        )


class Marker:
    """The corners clicked so far."""

    def __init__(self) -> None:
        self.points: list[tuple[float, float]] = []

    def click(self, x: float, y: float) -> None:
        """One more corner; a fifth replaces the last."""
        self.points = [*self.points[:3], (x, y)]

    def take_back(self) -> None:
        """Forget the last corner."""
        self.points = self.points[:-1]

    @property
    def corners(self) -> Corners | None:
        """The pile, once there are four corners that make one."""
        if len(self.points) != 4:
            return None
        try:
            return order_corners(self.points)
        except SetupError:
            return None

    def drawn(self, picture: Picture) -> Picture:
        """A copy of the picture with the corners in it."""
        out = picture.copy()
        for x, y in self.points:
            cv2.circle(out, (round(x), round(y)), 6, (0, 160, 255), 2, cv2.LINE_AA)
        if self.corners is not None:
            outline = [np.round(self.corners).astype(np.int32)]
            cv2.polylines(out, outline, True, (0, 160, 255), 2, cv2.LINE_AA)
        return out


def has_display(environ: Mapping[str, str]) -> bool:
    """Whether a window can be opened. Without one, OpenCV's libraries end the program."""
    if not sys.platform.startswith("linux"):
        return True
    return bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))


def click_pile(picture: Picture) -> Corners | None:
    """Let somebody click the corners; None if they give up. Raises SetupError without a window."""
    require_display()
    marker = Marker()

    def on_mouse(event: int, x: int, y: int, _flags: int, _data: object) -> None:
        if event == cv2.EVENT_LBUTTONDOWN:
            marker.click(x, y)
        elif event == cv2.EVENT_RBUTTONDOWN:
            marker.take_back()

    try:
        cv2.namedWindow(TITLE)
        cv2.setMouseCallback(TITLE, on_mouse)
        while True:
            cv2.imshow(TITLE, marker.drawn(picture))
            key = cv2.waitKey(_EVERY_MS) & 0xFF
            if key == _BACKSPACE:
                marker.take_back()
            if key in _ENTER and marker.corners is not None:
                return marker.corners
            if key == _ESCAPE or cv2.getWindowProperty(TITLE, cv2.WND_PROP_VISIBLE) < 1:
                return None
    except cv2.error as error:
        raise no_window_error() from error
    finally:
        close_windows()


def require_display() -> None:
    """Raises SetupError where no window can be opened."""
    if not has_display(os.environ):
        raise SetupError(
            "there is no display to open a window on; use --pile, or --preview FILE to look at"
        )


def no_window_error() -> SetupError:
    """The error where OpenCV came without windows."""
    return SetupError("this OpenCV cannot open windows; use --pile, or --preview FILE to look at")


def close_windows() -> None:
    """Close what was opened."""
    try:
        cv2.destroyAllWindows()
    except cv2.error:
        return  # it never could open any
