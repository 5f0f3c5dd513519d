"""How a camera sees the mat: from millimetres on the paper to pixels, and what follows from it."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from hardware.camera.setup.mat import CARD_WIDTH, MATS, Box, Mat, Points
from hardware.camera.types import Corners, Picture

# 3 x 3, from (x, y, 1) in millimetres to pixels.
Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class MatView:
    """Where a mat is in pictures of ``size`` (width, height in pixels).

    ``tags`` are those it was found by, ``error`` how far they are from where they should be (root
    mean square, in pixels); both are empty when nothing was looked for.
    """

    paper: str
    matrix: Matrix
    size: tuple[int, int]
    tags: tuple[int, ...] = ()
    error: float = 0.0

    @property
    def mat(self) -> Mat:
        """The mat that is seen."""
        return MATS[self.paper]

    def pixels(self, points: Points) -> Points:
        """Where points of the mat (n x 2, mm) are in the picture (n x 2, pixels)."""
        return project(self.matrix, points)

    def place(self, name: str) -> Corners:
        """The corners of ``draw``, ``discard`` or ``hand``; they may lie outside the picture."""
        return self.pixels(self.mat.places[name].corners).astype(np.float32)

    def scale(self, place: str = "discard") -> float:
        """Pixels in a millimetre at a place, where it is least: across the line of sight."""
        return self._stretch(place)[1]

    def card_width(self, place: str = "discard") -> float:
        """How many pixels the short side of a card there has, however the card is turned."""
        return self.scale(place) * CARD_WIDTH

    def tilt(self, place: str = "discard") -> float:
        """How far from straight above the camera looks at a place, in degrees, about."""
        most, least = self._stretch(place)
        return float(np.degrees(np.arccos(np.clip(least / most, 0.0, 1.0))))

    def cut_out(self, picture: Picture, box: Box, scale: float) -> Picture:
        """A part of the mat seen from straight above, ``scale`` pixels in a millimetre."""
        size = max(1, round(box.width * scale)), max(1, round(box.height * scale))
        to_box = np.array([[1 / scale, 0, box.x], [0, 1 / scale, box.y], [0, 0, 1.0]])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        out = cv2.warpPerspective(picture, self.matrix @ to_box, size, flags=flags)
        return np.asarray(out, np.uint8)

    def contains(self, box: Box) -> bool:
        """Whether a part of the mat is in the picture as a whole."""
        points = self.pixels(box.corners)
        return bool((points >= 0).all() and (points <= np.array(self.size) - 1).all())

    def distance(self, other: "MatView") -> float:
        """How far the mat's corners are from those of another view, in pixels, at most."""
        corners = self.mat.sheet.corners
        return float(np.linalg.norm(self.pixels(corners) - other.pixels(corners), axis=1).max())

    def _stretch(self, place: str) -> tuple[float, float]:
        """The most and the least pixels a millimetre has at a place, over all directions."""
        x, y = self.mat.places[place].centre
        here, right, down = self.pixels(np.array([(x, y), (x + 1, y), (x, y + 1)]))
        most, least = np.linalg.svd(np.column_stack([right - here, down - here]), compute_uv=False)
        return float(most), float(least)


def project(matrix: Matrix, points: Points) -> Points:
    """Points (n x 2) through a 3 x 3 matrix."""
    moved = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(moved[:, :2] / moved[:, 2:])
