"""Marks the pile by hand: corners as numbers, or clicked in a window."""

import math
import os
import sys
from collections.abc import Mapping

import cv2
import numpy as np

from hardware.camera.setup.storage import SetupError
from hardware.camera.types import Corners, Picture

TITLE = "Click the pile's four corners; right click: undo, Enter: done, Esc: cancel"
LEAST_SIDE = 10.0
_ENTER, _ESCAPE, _BACKSPACE = (10, 13), 27, 8
_EVERY_MS = 30


def read_pile(text: str) -> Corners:
    """Parse ``x,y,w,h`` or ``x1,y1,x2,y2,x3,y3,x4,y4`` as corners. Raises SetupError."""
    try:
        numbers = [float(part) for part in text.replace(" ", ",").split(",") if part]
        if not all(math.isfinite(number) for number in numbers):
            raise ValueError
    except ValueError:
        raise SetupError(f"{text!r} is not a list of numbers such as 400,200,300,350") from None
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
    """Order four points clockwise from the top left.

    Raises SetupError unless they form a convex quadrilateral of some size.
    """
    corners = np.array(points, np.float32)
    middle = corners.mean(axis=0)
    angles = np.arctan2(corners[:, 1] - middle[1], corners[:, 0] - middle[0])
    corners = corners[np.argsort(angles)]
    corners = np.roll(corners, -int(corners.sum(axis=1).argmin()), axis=0)
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    flat = cv2.contourArea(corners) < LEAST_SIDE**2
    if sides.min() < LEAST_SIDE or flat or not cv2.isContourConvex(corners):
        raise SetupError("these corners do not form a quadrilateral large enough for a pile")
    return corners


def check_inside(pile: Corners, size: tuple[int, int]) -> None:
    """Check that a pile is inside a picture of ``size`` (width, height). Raises SetupError."""
    if (pile < 0).any() or (pile > np.array(size)).any():
        raise SetupError(
            f"the pile is not inside the picture, which has {size[0]} × {size[1]} pixels"
        )


class Marker:
    """The corners clicked so far."""

    def __init__(self) -> None:
        self.points: list[tuple[float, float]] = []

    def click(self, x: float, y: float) -> None:
        """Add a corner; a fifth replaces the last."""
        self.points = [*self.points[:3], (x, y)]

    def undo(self) -> None:
        """Remove the last corner."""
        self.points = self.points[:-1]

    @property
    def corners(self) -> Corners | None:
        """The ordered corners, once four valid ones were clicked."""
        if len(self.points) != 4:
            return None
        try:
            return order_corners(self.points)
        except SetupError:
            return None

    def drawn(self, picture: Picture) -> Picture:
        """Return a copy of the picture with the corners drawn in."""
        out = picture.copy()
        for x, y in self.points:
            cv2.circle(out, (round(x), round(y)), 6, (0, 160, 255), 2, cv2.LINE_AA)
        if self.corners is not None:
            outline = [np.round(self.corners).astype(np.int32)]
            cv2.polylines(out, outline, True, (0, 160, 255), 2, cv2.LINE_AA)
        return out


def has_display(environ: Mapping[str, str]) -> bool:
    """Return whether there is a display. Without one, OpenCV would abort the program."""
    if not sys.platform.startswith("linux"):
        return True
    return bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))


def click_pile(picture: Picture) -> Corners | None:
    """Ask for the corners in a window; None if cancelled. Raises SetupError without a display."""
    require_display()
    marker = Marker()

    def on_mouse(event: int, x: int, y: int, _flags: int, _data: object) -> None:
        if event == cv2.EVENT_LBUTTONDOWN:
            marker.click(x, y)
        elif event == cv2.EVENT_RBUTTONDOWN:
            marker.undo()

    try:
        cv2.namedWindow(TITLE)
        cv2.setMouseCallback(TITLE, on_mouse)
        while True:
            cv2.imshow(TITLE, marker.drawn(picture))
            key = cv2.waitKey(_EVERY_MS) & 0xFF
            if key == _BACKSPACE:
                marker.undo()
            if key in _ENTER and marker.corners is not None:
                return marker.corners
            if key == _ESCAPE or cv2.getWindowProperty(TITLE, cv2.WND_PROP_VISIBLE) < 1:
                return None
    except cv2.error as error:
        raise no_window_error() from error
    finally:
        close_windows()


def require_display() -> None:
    """Raise SetupError if there is no display."""
    if not has_display(os.environ):
        raise SetupError("there is no display for a window; use --pile, or --preview FILE")


def no_window_error() -> SetupError:
    """Return the error for an OpenCV built without windows."""
    return SetupError("this OpenCV cannot open windows; use --pile, or --preview FILE")


def close_windows() -> None:
    """Close all windows."""
    try:
        cv2.destroyAllWindows()
    except cv2.error:
        return  # OpenCV was built without windows
