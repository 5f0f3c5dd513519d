"""Finds the mat in a picture by its tags."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import cv2
import numpy as np

from hardware.camera.setup.mat import MATS, Mat, Matrix, MatView, Points, project, tag_dictionary
from hardware.camera.types import Corners, Picture

# One tag's four corners are too close together for a perspective.
LEAST_TAGS = 2
# With fewer, the picture is sharpened and searched again.
FEW_TAGS = 4
_SOFTEST, _SHARPENING = 3.0, 7.0
# Deviation, in pixels of a picture 1280 wide, from which a tag is ignored: a bent corner of the
# paper, or a misread number. Webcam lenses cause about 3.
OFF = 6.0


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """The tags of one mat in a picture, and the view computed from them if they suffice."""

    size: tuple[int, int]
    paper: str | None = None
    tags: Mapping[int, Corners] = field(default_factory=dict)
    view: MatView | None = None


class MatFinder:
    """Finds the mat. Not thread-safe."""

    def __init__(self) -> None:
        # One threshold is enough for most pictures, in half the time of three.
        self._quick = _detector(19, 19)
        self._thorough = _detector(5, 45)

    def find(self, picture: Picture, *, thorough: bool = False) -> Sighting:
        """Find the mat in a picture; of several, the one with the most tags.

        ``thorough`` searches again, more slowly, if few tags are found.
        """
        grey = picture if picture.ndim == 2 else cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        sighting = _look(self._quick, grey)
        if thorough and len(sighting.tags) < FEW_TAGS:
            sharp = _look(self._quick, _sharpened(grey))
            sighting = max(sighting, sharp, key=lambda sighting: len(sighting.tags))
        if thorough and sighting.view is None:
            sighting = _look(self._thorough, grey)
        return sighting


def view_of(mat: Mat, tags: Mapping[int, Corners], size: tuple[int, int]) -> MatView | None:
    """Compute the view from tags, dropping outliers; None if too few are left."""
    allowed = OFF * max(size) / 1280
    left = dict(tags)
    while len(left) >= LEAST_TAGS:
        fitted = _fit(mat, left)
        if fitted is None:
            return None
        matrix, away = fitted
        each = away.reshape(-1, 4).max(axis=1)
        if each.max() <= allowed:
            error = float(np.sqrt((away**2).mean()))
            return MatView(mat.paper, matrix, size, tuple(sorted(left)), error)
        del left[list(left)[int(each.argmax())]]
    return None


def _fit(mat: Mat, tags: Mapping[int, Corners]) -> tuple[Matrix, Points] | None:
    """Fit the matrix; return it and each corner's distance from its projection."""
    paper = np.concatenate([mat.tags[number].corners for number in tags])
    seen = np.concatenate(list(tags.values())).astype(np.float64)
    first = _matrix(paper, seen)
    if first is None:
        return None
    # Light bleeds into the dark, so all black squares look smaller by the same rim.
    centres = seen.reshape(-1, 4, 2).mean(axis=1).repeat(4, axis=0)
    outward = (seen - centres) / np.linalg.norm(seen - centres, axis=1, keepdims=True)
    rim = ((project(first, paper) - seen) * outward).sum(axis=1).mean()
    seen += rim * outward
    matrix = _matrix(paper, seen)
    if matrix is None:
        return None
    return matrix, np.linalg.norm(project(matrix, paper) - seen, axis=1)


def _matrix(paper: Points, seen: Points) -> Matrix | None:
    matrix, _ = cv2.findHomography(paper, seen)
    return None if matrix is None else np.asarray(matrix, np.float64)


def _look(detector: cv2.aruco.ArucoDetector, grey: Picture) -> Sighting:
    size = grey.shape[1], grey.shape[0]
    quads, numbers, _ = detector.detectMarkers(grey)
    if numbers is None:
        return Sighting(size)
    tags = {
        int(number): np.asarray(quad, np.float32).reshape(4, 2)
        for number, quad in zip(numbers.ravel(), quads, strict=True)
    }
    mat = _mat_of(tags)
    if mat is None:
        return Sighting(size)
    own = {number: quad for number, quad in tags.items() if number in mat.tags}
    return Sighting(size, mat.paper, own, view_of(mat, own, size))


def _sharpened(grey: Picture) -> Picture:
    soft = cv2.GaussianBlur(grey, (0, 0), _SOFTEST)
    return np.asarray(cv2.addWeighted(grey, 1 + _SHARPENING, soft, -_SHARPENING, 0), np.uint8)


def _detector(smallest: int, largest: int) -> cv2.aruco.ArucoDetector:
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    # Half a cell of the tag covers the corner without its neighbours.
    settings.relativeCornerRefinmentWinSize = 0.5
    settings.cornerRefinementWinSize = 8
    settings.adaptiveThreshWinSizeMin = smallest
    settings.adaptiveThreshWinSizeMax = largest
    settings.adaptiveThreshWinSizeStep = 8
    return cv2.aruco.ArucoDetector(tag_dictionary(), settings)


def _mat_of(tags: Mapping[int, Corners]) -> Mat | None:
    papers = Counter(mat.paper for mat in MATS.values() for number in tags if number in mat.tags)
    return MATS[papers.most_common(1)[0][0]] if papers else None
