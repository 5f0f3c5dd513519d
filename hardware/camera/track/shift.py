"""How a top card moved from one picture to another, if it is the same one."""

from dataclasses import dataclass

import cv2
import numpy as np

from hardware.camera.track.change import changed, comparable, share
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.top_cards import Quad, aligned, card_height
from hardware.camera.track.window import Matrix, fill, project
from hardware.camera.types import Picture


@dataclass(frozen=True)
class Shift:
    """A movement in the plane.

    Attributes:
        matrix: Pixels of the earlier view to those of the later one, 3 by 3.
        differs: Which share of the card then looks different in the two pictures.
        far: How far its corners moved at most, in card heights.
    """

    matrix: Matrix
    differs: float
    far: float

    def moved(self, view: Picture) -> Picture:
        """The earlier view as it would be if all of it had moved so."""
        size = (view.shape[1], view.shape[0])
        warped = cv2.warpPerspective(view, self.matrix, size, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(warped)


def estimate_shift(
    before: Picture, start: Quad, after: Picture, end: Quad, limits: Thresholds
) -> Shift:
    """The movement that takes a card's picture from one place to the other.

    Args:
        before: The earlier view.
        start: The card's corners in it.
        after: The later view.
        end: The card's corners in it.
        limits: The thresholds.
    """
    first = _rigid(start, aligned(end, start))
    grey = [cv2.cvtColor(view, cv2.COLOR_BGR2GRAY) for view in (before, after)]
    size = (after.shape[1], after.shape[0])
    mask = fill(size, end, 3)
    matrix = first.copy()
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 40, 1e-4)
    # Corners are read to a pixel or two; the pictures themselves tell it to a tenth.
    try:
        _, fine = cv2.findTransformECC(
            grey[0], grey[1], first[:2].astype(np.float32), cv2.MOTION_EUCLIDEAN, stop, mask, 3
        )
        refined = np.vstack([fine, [0, 0, 1]]).astype(np.float64)
        if _apart(project(refined, start), project(first, start)) < 0.06 * card_height(start):
            matrix = refined
    except cv2.error:
        pass  # nothing in common: the corners have to do
    there = project(matrix, start)
    moved = cv2.warpPerspective(before, matrix, size, borderMode=cv2.BORDER_REPLICATE)
    # Not how well they correlate: a 6 of another colour is the same in grey.
    differing = changed(comparable(np.asarray(moved), limits), comparable(after, limits))
    differs = share(differing, fill(size, there, -3))
    return Shift(matrix, differs, _apart(there, np.asarray(start)) / card_height(start))


def _rigid(start: Quad, end: Quad) -> Matrix:
    """The turn and move that take one quadrilateral nearest to another."""
    a, b = start - start.mean(axis=0), end - end.mean(axis=0)
    angle = np.arctan2(np.sum(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]), np.sum(a * b))
    c, s = np.cos(angle), np.sin(angle)
    turn = np.array([[c, -s], [s, c]])
    matrix = np.eye(3)
    matrix[:2, :2] = turn
    matrix[:2, 2] = end.mean(axis=0) - turn @ start.mean(axis=0)
    return matrix


def _apart(one: Quad, other: Quad) -> float:
    return float(np.hypot(*(one - other).T).max())
