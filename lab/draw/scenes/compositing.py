"""Flat pictures laid into a scene: in perspective, with soft edges and a shadow beneath."""

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.camera.reading.geometry import HEIGHT, WIDTH
from lab.draw.cards.asset_cache import Mipmap
from lab.draw.scenes.projection import Corners, Matrix, quad_area
from lab.draw.shapes.sheet import Picture

OCCLUDED = 255


@dataclass
class Canvas:
    """A picture in the making."""

    image: Picture  # The picture, (height, width, 3) in BGR
    # For each pixel the number of the card seen there (from 1), 0 for the background, 255 for hands
    # and other things in front.
    owner: NDArray[np.uint8] = field(init=False)

    def __post_init__(self) -> None:
        self.owner = np.zeros(self.image.shape[:2], np.uint8)


def bounding_window(
    quad: Corners, shape: tuple[int, int], room: int = 2
) -> tuple[int, int, int, int] | None:
    """Left, top, right and bottom of the part of a picture that a quadrilateral touches."""
    low, high = quad.min(axis=0), quad.max(axis=0)
    x0, y0 = max(0, int(low[0]) - room), max(0, int(low[1]) - room)
    x1, y1 = min(shape[1], int(high[0]) + room + 1), min(shape[0], int(high[1]) + room + 1)
    return (x0, y0, x1, y1) if x1 - x0 > 1 and y1 - y0 > 1 else None


def best_level(levels: Mipmap, quad: Corners) -> Picture:
    """The size of a flat picture that fits best what it will cover."""
    wanted = quad_area(quad) * 1.6
    for picture in reversed(levels):
        if picture.shape[0] * picture.shape[1] >= wanted:
            return picture
    return levels[0]


def flat_to_mm(picture: Picture) -> Matrix:
    """A flat picture's pixels to the card's millimetres."""
    height, width = picture.shape[:2]
    sx, sy = WIDTH / width, HEIGHT / height
    return np.array([[sx, 0, sx / 2 - WIDTH / 2], [0, sy, sy / 2 - HEIGHT / 2], [0, 0, 1.0]])


def composite(
    canvas: Canvas,
    levels: Mipmap,
    view: Matrix,
    quad: Corners,
    shade: float = 0.0,
    bend: tuple[float, float] = (0.0, 0.0),
) -> None:
    """Lay a flat picture, in several sizes, into the scene.

    ``view`` maps the card's millimetres to the scene's pixels; ``shade`` is the strength of the
    shadow around it, 0 to 1. With ``bend`` the middles of its long and of its short sides bulge by
    as many mm; the corners stay where they are.
    """
    frame = bounding_window(quad, canvas.image.shape[:2], 6 if shade else 2)
    if frame is None:
        return
    x0, y0, x1, y1 = frame
    picture = best_level(levels, quad)
    move = np.array([[1, 0, -x0 - 0.5], [0, 1, -y0 - 0.5], [0, 0, 1.0]])
    matrix = move @ view @ flat_to_mm(picture)
    size = (x1 - x0, y1 - y0)
    if bend == (0.0, 0.0):
        warped = cv2.warpPerspective(picture, matrix, size, flags=cv2.INTER_LINEAR)
    else:
        warped = _bent(picture, matrix, size, bend)
    alpha = warped[..., 3].astype(np.float32) * np.float32(1 / 255)
    part = canvas.image[y0:y1, x0:x1]
    if shade:
        _darken(part, alpha, shade, quad)
    cover = np.ascontiguousarray(warped[..., :3])
    canvas.image[y0:y1, x0:x1] = cv2.blendLinear(cover, part, alpha, 1 - alpha)


def _bent(
    picture: Picture, matrix: Matrix, size: tuple[int, int], bend: tuple[float, float]
) -> NDArray[np.uint8]:
    """A flat picture in perspective, its sides bulging."""
    back = np.asarray(np.linalg.inv(matrix), dtype=np.float32)
    x = np.arange(size[0], dtype=np.float32)[None, :]
    y = np.arange(size[1], dtype=np.float32)[:, None]
    depth = back[2, 0] * x + back[2, 1] * y + back[2, 2]
    u = (back[0, 0] * x + back[0, 1] * y + back[0, 2]) / depth
    v = (back[1, 0] * x + back[1, 1] * y + back[1, 2]) / depth
    height, width = picture.shape[:2]
    dx, dy = bend[0] * width / WIDTH, bend[1] * height / HEIGHT
    across, down = 2 * u / width - 1, 2 * v / height - 1
    u = u + np.float32(dx) * (1 - down * down)
    v = v + np.float32(dy) * (1 - across * across)
    bulged = cv2.remap(picture, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    return np.asarray(bulged, dtype=np.uint8)


def _darken(part: Picture, alpha: NDArray[np.float32], shade: float, quad: Corners) -> None:
    reach = max(1.0, 0.02 * float(np.sqrt(quad_area(quad))))
    soft = cv2.GaussianBlur(alpha, (0, 0), reach)
    keep = (1 - shade * soft)[..., None]
    part[:] = (part * keep).astype(np.uint8)


def mark_owner(canvas: Canvas, quad: Corners, number: int) -> None:
    """Mark the pixels inside a quadrilateral as a card's, or as covered."""
    points = np.round((quad - 0.5) * 16).astype(np.int32)
    cv2.fillConvexPoly(canvas.owner, points, number, cv2.LINE_8, 4)
