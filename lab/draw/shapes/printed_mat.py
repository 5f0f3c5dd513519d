"""Draws the mat that people print, on pixels."""

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from hardware.camera.setup.mat import MATS
from hardware.camera.setup.mat_print import FONT, INK, Point, all_words, draw_mat

_SHIFT = 4  # fractional bits of OpenCV's coordinates


class PixelPage:
    """A page of grey pixels, ``scale`` of them per mm."""

    def __init__(self, width: float, height: float, scale: float) -> None:
        self._scale = scale
        self.pixels: npt.NDArray[np.uint8] = np.full(
            (round(height * scale), round(width * scale)), 255, np.uint8
        )

    def rectangle(self, x: float, y: float, width: float, height: float, grey: float) -> None:
        """Fill a rectangle, its edges at the nearest pixels."""
        left, right = round(x * self._scale), round((x + width) * self._scale)
        top, bottom = round(y * self._scale), round((y + height) * self._scale)
        self.pixels[max(top, 0) : bottom, max(left, 0) : right] = round(255 * grey)

    def line(self, start: Point, end: Point, width: float, grey: float) -> None:
        """Draw a straight line."""
        fine = self._scale * (1 << _SHIFT)
        first, last = (tuple(round(c * fine) for c in point) for point in (start, end))
        thick = max(1, round(width * self._scale))
        cv2.line(self.pixels, first, last, round(255 * grey), thick, cv2.LINE_AA, _SHIFT)

    def text(self, at: Point, size: float, text: str, room: float) -> None:
        """Write a line of text."""
        font = ImageFont.truetype(FONT, size * self._scale)
        width = font.getlength(text)
        if width > room * self._scale:
            font = font.font_variant(size=font.size * room * self._scale / width)
        page = Image.fromarray(self.pixels)
        where = (at[0] * self._scale, at[1] * self._scale)
        ImageDraw.Draw(page).text(where, text, round(255 * INK), font, anchor="ms")
        self.pixels[:] = np.asarray(page)


def mat_pixels(paper: str = "a4", scale: float = 4.0, language: str = "en") -> np.ndarray:
    """Return a mat as grey pixels, ``scale`` of them per mm."""
    mat = MATS[paper]
    page = PixelPage(mat.width, mat.height, scale)
    draw_mat(page, mat, all_words()[language])
    return page.pixels
