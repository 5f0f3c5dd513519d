"""Where a mat is in a picture: maps millimetres on the paper to pixels."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from hardware.camera.setup.mat import CARD_WIDTH, MATS, Box, Mat, Points
from hardware.camera.types import Corners, Picture

# 3 x 3 homography.
Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class MatView:
    """A mat's position in a picture of ``size`` (width, height).

    ``matrix`` maps mm on the paper to pixels. ``error`` is the root mean square deviation, in
    pixels, of the tags it was computed from.
    """

    paper: str
    matrix: Matrix
    size: tuple[int, int]
    tags: tuple[int, ...] = ()
    error: float = 0.0

    @property
    def mat(self) -> Mat:
        """The mat."""
        return MATS[self.paper]

    def pixels(self, points: Points) -> Points:
        """Map points on the mat (n x 2, mm) to pixels (n x 2)."""
        return project(self.matrix, points)

    def place(self, name: str) -> Corners:
        """Return the corners of ``draw``, ``discard`` or ``hand``, perhaps outside the picture."""
        return self.pixels(self.mat.places[name].corners).astype(np.float32)

    def scale(self, place: str = "discard") -> float:
        """Return pixels per mm at a place, in the most foreshortened direction."""
        return self._stretch(place)[1]

    def card_width(self, place: str = "discard") -> float:
        """Return the width in pixels of a card at a place, in its worst rotation."""
        return self.scale(place) * CARD_WIDTH

    def tilt(self, place: str = "discard") -> float:
        """Return the camera's approximate angle from straight above a place, in degrees."""
        most, least = self._stretch(place)
        return float(np.degrees(np.arccos(np.clip(least / most, 0.0, 1.0))))

    def cut_out(self, picture: Picture, box: Box, scale: float) -> Picture:
        """Rectify a part of the mat at ``scale`` pixels per mm."""
        size = max(1, round(box.width * scale)), max(1, round(box.height * scale))
        to_box = np.array([[1 / scale, 0, box.x], [0, 1 / scale, box.y], [0, 0, 1.0]])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        out = cv2.warpPerspective(picture, self.matrix @ to_box, size, flags=flags)
        return np.asarray(out, np.uint8)

    def contains(self, box: Box) -> bool:
        """Return whether a part of the mat is entirely in the picture."""
        points = self.pixels(box.corners)
        return bool((points >= 0).all() and (points <= np.array(self.size) - 1).all())

    def distance(self, other: "MatView") -> float:
        """Return the largest distance in pixels between the mat's corners in two views."""
        corners = self.mat.sheet.corners
        return float(np.linalg.norm(self.pixels(corners) - other.pixels(corners), axis=1).max())

    def _stretch(self, place: str) -> tuple[float, float]:
        """Return the most and the least pixels per mm at a place, over all directions."""
        x, y = self.mat.places[place].centre
        here, right, down = self.pixels(np.array([(x, y), (x + 1, y), (x, y + 1)]))
        most, least = np.linalg.svd(np.column_stack([right - here, down - here]), compute_uv=False)
        return float(most), float(least)


def project(matrix: Matrix, points: Points) -> Points:
    """Map points (n x 2) by a 3 x 3 homography."""
    moved = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(moved[:, :2] / moved[:, 2:])
