"""The printed mat, in millimetres from the paper's top left, and where it is in a picture."""

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

from hardware.camera.types import Corners

CARD_WIDTH, CARD_HEIGHT = 56.0, 87.0
# Room around a card for an untidy pile; the height that a shown hand needs.
SLACK = 20.0
HAND_HEIGHT = 95.0
BETWEEN = 4.0
RULER = 100.0

Points = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Box:
    """An upright rectangle, in millimetres."""

    x: float
    y: float
    width: float
    height: float

    @property
    def centre(self) -> tuple[float, float]:
        """Its centre, x and y."""
        return self.x + self.width / 2, self.y + self.height / 2

    @property
    def corners(self) -> Points:
        """Its corners, 4 x 2, clockwise from the top left."""
        right, bottom = self.x + self.width, self.y + self.height
        return np.array([(self.x, self.y), (right, self.y), (right, bottom), (self.x, bottom)])

    def shrunk(self, by: float) -> "Box":
        """Return the rectangle without a rim of this width; a negative one enlarges it."""
        return Box(self.x + by, self.y + by, self.width - 2 * by, self.height - 2 * by)


@dataclass(frozen=True, slots=True)
class Mat:
    """A mat for one paper size: ``a3``, ``a4`` or ``letter``.

    ``tags`` are the black squares of the AprilTags (36h11) by number. No number is on two mats, so
    one tag identifies the mat. ``places`` are ``draw``, ``discard`` and ``hand``; ``patches`` are
    half-grey squares, to judge the light by.
    """

    paper: str
    width: float
    height: float
    tags: Mapping[int, Box]
    places: Mapping[str, Box]
    patches: tuple[Box, ...]

    @property
    def sheet(self) -> Box:
        """The whole sheet of paper."""
        return Box(0, 0, self.width, self.height)

    def card(self, place: str) -> Box:
        """Return the box of a single card in the middle of a place."""
        x, y = self.places[place].centre
        return Box(x - CARD_WIDTH / 2, y - CARD_HEIGHT / 2, CARD_WIDTH, CARD_HEIGHT)


def _mat(paper: str, width: float, height: float, margin: float, side: float, first: int) -> Mat:
    slack = min(SLACK, (height - 2 * margin - BETWEEN - HAND_HEIGHT - CARD_HEIGHT) / 2)
    left, right = margin + side + 6, width - margin - side - 6
    across = min(SLACK, (right - left - side - 12 - 2 * CARD_WIDTH) / 4)
    pile_height, pile_width = CARD_HEIGHT + 2 * slack, CARD_WIDTH + 2 * across
    hand_top = margin + pile_height + BETWEEN
    places = {
        "draw": Box(left, margin, pile_width, pile_height),
        "discard": Box(right - pile_width, margin, pile_width, pile_height),
        "hand": Box(left, hand_top, right - left, height - margin - hand_top),
    }
    columns = (margin, width - margin - side)
    rows = (margin, (height - side) / 2, height - margin - side)
    spots = [(x, y) for y in rows for x in columns]
    middle = (width - side) / 2
    lower = margin + pile_height - side - 2  # keeps its rim blank
    spots += [(middle, margin), (middle, lower)]
    tags = {first + number: Box(x, y, side, side) for number, (x, y) in enumerate(spots)}
    # Half a tag high, midway between two tags, which need a blank rim.
    gaps = [(x, (upper + below + side) / 2) for x in columns for upper, below in pairwise(rows)]
    gaps.append((middle, (margin + lower + side) / 2))
    patches = tuple(Box(x, y - side / 4, side, side / 2) for x, y in gaps)
    return Mat(paper, width, height, tags, places, patches)


MATS: Mapping[str, Mat] = {
    mat.paper: mat
    for mat in (
        _mat("a3", 420.0, 297.0, 12.0, 38.0, 0),
        _mat("a4", 297.0, 210.0, 8.0, 26.0, 10),
        _mat("letter", 279.4, 215.9, 8.0, 26.0, 20),
    )
}

# A tag is 8 x 8 cells, its black border included; the paper is its blank rim.
CELLS = 8


@functools.cache
def tag_cells(number: int) -> npt.NDArray[np.bool_]:
    """Return an 8 x 8 array that is true where a tag is black."""
    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    return np.asarray(cv2.aruco.generateImageMarker(family, number, CELLS)) < 128


def tag_dictionary() -> cv2.aruco.Dictionary:
    """Return the tags of these mats only, so that others are not mistaken for them."""
    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    few = family.bytesList[: max(number for mat in MATS.values() for number in mat.tags) + 1]
    return cv2.aruco.Dictionary(few, family.markerSize, family.maxCorrectionBits)


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

    def scale(self) -> float:
        """Return pixels per mm at the discard pile, in the most foreshortened direction."""
        return self._stretch()[1]

    def card_width(self) -> float:
        """Return the width in pixels of a card on the discard pile, in its worst rotation."""
        return self.scale() * CARD_WIDTH

    def tilt(self) -> float:
        """Return the camera's approximate angle from straight above that pile, in degrees."""
        most, least = self._stretch()
        return float(np.degrees(np.arccos(np.clip(least / most, 0.0, 1.0))))

    def contains(self, box: Box) -> bool:
        """Return whether a part of the mat is entirely in the picture."""
        points = self.pixels(box.corners)
        return bool((points >= 0).all() and (points <= np.array(self.size) - 1).all())

    def _stretch(self) -> tuple[float, float]:
        """Return the most and the least pixels per mm at that pile, over all directions."""
        x, y = self.mat.places["discard"].centre
        here, right, down = self.pixels(np.array([(x, y), (x + 1, y), (x, y + 1)]))
        most, least = np.linalg.svd(np.column_stack([right - here, down - here]), compute_uv=False)
        return float(most), float(least)


def project(matrix: Matrix, points: Points) -> Points:
    """Map points (n x 2) by a 3 x 3 homography."""
    moved = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(moved[:, :2] / moved[:, 2:])
