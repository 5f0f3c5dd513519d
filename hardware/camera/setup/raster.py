"""The same as a PDF page, in pixels: for pictures of a mat that nobody has printed."""

import unicodedata

import cv2
import numpy as np
import numpy.typing as npt

_FONT = cv2.FONT_HERSHEY_SIMPLEX
_FONT_HEIGHT = 30.0  # pixels of a line in its size 1, about
_FINE = 16  # steps of a pixel that OpenCV draws in
_SHIFT = 4


class Raster:
    """A page of grey pixels.

    Args:
        width: in millimetres, as the height.
        height: see there.
        scale: pixels in a millimetre.
    """

    def __init__(self, width: float, height: float, scale: float) -> None:
        self._scale = scale
        self.pixels: npt.NDArray[np.uint8] = np.full(
            (round(height * scale), round(width * scale)), 255, np.uint8
        )

    def rectangle(self, x: float, y: float, width: float, height: float, grey: float) -> None:
        """A filled rectangle, its edges at the nearest pixels."""
        left, right = round(x * self._scale), round((x + width) * self._scale)
        top, bottom = round(y * self._scale), round((y + height) * self._scale)
        self.pixels[max(top, 0) : bottom, max(left, 0) : right] = round(255 * grey)

    def line(
        self, start: tuple[float, float], end: tuple[float, float], width: float, grey: float
    ) -> None:
        """A straight line."""
        first, last = (tuple(round(c * self._scale * _FINE) for c in p) for p in (start, end))
        thick = max(1, round(width * self._scale))
        cv2.line(self.pixels, first, last, round(255 * grey), thick, cv2.LINE_AA, _SHIFT)

    def text(self, x: float, y: float, size: float, text: str, grey: float) -> None:
        """A line of text around ``x``, without accents."""
        plain = unicodedata.normalize("NFD", text).encode("ascii", "ignore").decode()
        scale = size * self._scale / _FONT_HEIGHT
        thick = max(1, round(scale * 1.5))
        (width, _), _ = cv2.getTextSize(plain, _FONT, scale, thick)
        where = (round(x * self._scale - width / 2), round(y * self._scale))
        color = (round(255 * grey),)
        cv2.putText(self.pixels, plain, where, _FONT, scale, color, thick, cv2.LINE_AA)
