"""The card on top of the pile, those on top before it, and how one moved between two views."""

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.view.change import changed, comparable, share
from hardware.camera.track.view.window import Matrix, fill, project
from hardware.camera.types import Picture

Quad = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class TopCard:
    """A card that lies, or lay, on top of the pile."""

    probabilities: Mapping[str, float]  # Which card it is; empty if unknown
    corners: Quad  # Its corners in the view, (4, 2)
    view: Picture
    unread: int | None = None  # Number of the "unread" event that reported it; None if it was read
    fresh: bool = True  # Whether the pile has lain undisturbed since the view

    @property
    def card(self) -> str | None:
        """The likeliest card."""
        return next(iter(self.probabilities), None)


class TopHistory:
    """Earlier tops that still lie below; only the latest ``most`` are remembered.

    ``complete`` says whether the earliest of them is known to lie on the table itself.
    """

    def __init__(self, most: int) -> None:
        self._tops: deque[TopCard] = deque(maxlen=most)
        self.complete = False

    def add(self, top: TopCard) -> None:
        """Add a top that was covered."""
        if len(self._tops) == self._tops.maxlen:
            self.complete = False
        self._tops.append(top)

    def latest_first(self) -> list[TopCard]:
        """Return the earlier tops, the latest first."""
        return list(reversed(self._tops))

    def uncover(self, top: TopCard) -> None:
        """Remove a top that shows again, and those that lay on it."""
        while self._tops and self._tops.pop() is not top:
            pass

    def update(self, change: Callable[[TopCard], TopCard]) -> None:
        """Replace each top by what ``change`` returns for it."""
        self._tops = deque((change(top) for top in self._tops), maxlen=self._tops.maxlen)

    def clear(self, complete: bool = True) -> None:
        """Forget all tops; ``complete`` if the place was seen empty."""
        self._tops.clear()
        self.complete = complete


def card_height(corners: Quad) -> float:
    """Return a card's height in pixels."""
    sides = np.hypot(*(np.roll(corners, -1, axis=0) - corners).T)
    return float(max(sides[0] + sides[2], sides[1] + sides[3])) / 2


def aligned(corners: Quad, like: Quad) -> Quad:
    """Return a card's corners, counted from whichever end is nearer to another outline's."""
    turned = np.roll(corners, 2, axis=0)

    def distance(quad: Quad) -> float:
        return float(np.sum((quad - quad.mean(axis=0) - like + like.mean(axis=0)) ** 2))

    return min((corners, turned), key=distance)


def corner_distance(quad: Quad, other: Quad) -> float:
    """Return the largest distance between two outlines' corners, in pixels, either end up."""
    return float(np.hypot(*(aligned(quad, other) - other).T).max())


@dataclass(frozen=True)
class Shift:
    """A movement in the plane."""

    matrix: Matrix  # 3 by 3 map from pixels of the earlier view to those of the later one
    differs: float  # Share of the card that still looks different once the movement is undone
    distance: float  # How far its corners moved at most, in card heights

    def moved(self, view: Picture) -> Picture:
        """Return the earlier view with all of it moved so."""
        size = (view.shape[1], view.shape[0])
        warped = cv2.warpPerspective(view, self.matrix, size, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(warped)


def estimate_shift(
    before: Picture, start: Quad, after: Picture, end: Quad, limits: Thresholds
) -> Shift:
    """Return a card's shift; ``start`` and ``end`` are its corners in the views, (4, 2)."""
    first = _rigid(start, aligned(end, start))
    grey = [cv2.cvtColor(view, cv2.COLOR_BGR2GRAY) for view in (before, after)]
    size = (after.shape[1], after.shape[0])
    mask = fill(size, end, 3)
    matrix = first.copy()
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 40, 1e-4)
    # Corners are exact to a pixel or two, registered pictures to a tenth.
    try:
        _, fine = cv2.findTransformECC(
            grey[0], grey[1], first[:2].astype(np.float32), cv2.MOTION_EUCLIDEAN, stop, mask, 3
        )
        refined = np.vstack([fine, [0, 0, 1]]).astype(np.float64)
        correction = _distance(project(refined, start), project(first, start))
        if correction < limits.still.registration * card_height(start):
            matrix = refined
    except cv2.error:
        pass  # The pictures have nothing in common, so the corners have to do.
    there = project(matrix, start)
    moved = cv2.warpPerspective(before, matrix, size, borderMode=cv2.BORDER_REPLICATE)
    # Correlation would not do: a 6 of another colour looks the same in grey.
    differing = changed(comparable(np.asarray(moved), limits), comparable(after, limits))
    differs = share(differing, fill(size, there, -3))
    return Shift(matrix, differs, _distance(there, np.asarray(start)) / card_height(start))


def _rigid(start: Quad, end: Quad) -> Matrix:
    """Return the rotation and translation that best maps one quadrilateral to another."""
    a, b = start - start.mean(axis=0), end - end.mean(axis=0)
    angle = np.arctan2(np.sum(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]), np.sum(a * b))
    c, s = np.cos(angle), np.sin(angle)
    turn = np.array([[c, -s], [s, c]])
    matrix = np.eye(3)
    matrix[:2, :2] = turn
    matrix[:2, 2] = end.mean(axis=0) - turn @ start.mean(axis=0)
    return matrix


def _distance(quad: Quad, other: Quad) -> float:
    return float(np.hypot(*(quad - other).T).max())
