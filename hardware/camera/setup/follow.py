"""Follows the pile when the camera is bumped: what followers tell, and the one by the mat.

It averages while the mat rests, and follows at once when it was moved.
"""

from dataclasses import dataclass
from typing import Literal, Protocol

import cv2
import numpy as np

from hardware.camera.setup.find import MatFinder, Sighting
from hardware.camera.setup.mat import Matrix, MatView, Points
from hardware.camera.types import Corners, Picture

# Seconds between searches, which take some milliseconds; a bump is noticed within two of them.
LOOK_EVERY = 0.25
# Movement that is ignored, in pixels of a picture 1280 wide: noise, a heavy step. Cards are 70 and
# more pixels wide, so this does not affect reading.
JITTER = 3.0

State = Literal["searching", "still", "moving", "covered"]


@dataclass(frozen=True, slots=True, eq=False)
class PilePosition:
    """Where the piles are."""

    pile: Corners | None  # Corners of the discard pile's place, if known
    # ``searching``: not found yet. ``still``: not moved. ``moving``: the camera or the mat is being
    # moved, so changes in the picture are no cards. ``covered``: too little is visible, and the
    # last position is assumed.
    state: State
    moved_by: float = 0.0  # Pixels by which the pile has moved, reported once; otherwise 0
    draw: Corners | None = None  # Corners of the draw pile's place, if known
    anew: bool = False  # The pile was found just now: nothing seen before tells what lies there
    # Degrees by which the place was turned clockwise in the picture when a card told where it is:
    # a card lies at any angle, so directions are the picture's. Otherwise 0, and they are the
    # place's own: a mat, or a place that was marked, keeps its top.
    turned: float = 0.0


class Follower(Protocol):
    """Follows the pile from picture to picture."""

    def update(self, picture: Picture, at: float) -> PilePosition:
        """Return the pile's position in a picture taken at ``at`` (seconds).

        Most calls repeat the last position without a search.
        """


class RestDetector:
    """Detects that moved points have come to rest: twice in a row at the same place."""

    def __init__(self) -> None:
        self._before: Points | None = None

    def rests(self, points: Points, jitter: float) -> bool:
        """Return whether points (n x 2, pixels) are where they were in the last call."""
        before, self._before = self._before, points
        return before is not None and farthest(before, points) <= 2 * jitter

    def forget(self) -> None:
        """Forget the last points."""
        self._before = None


def farthest(points: Points, other: Points) -> float:
    """Return the largest distance between corresponding points."""
    return float(np.linalg.norm(points - other, axis=1).max())


def jitter_in(size: tuple[int, int]) -> float:
    """Return the movement, in pixels, that is ignored in a picture of this size."""
    return JITTER * max(size) / 1280


# Tags that give a reliable perspective; fewer give only shift, rotation and scale.
CERTAIN = 3
# Weight of a new view in the average, which smooths over about ten searches.
SHARE = 0.2


class MatFollower:
    """Follows a mat from where it was last, if that is known; ``sighting`` is the last search's."""

    def __init__(self, view: MatView | None = None, finder: MatFinder | None = None) -> None:
        self.view = view
        self.sighting: Sighting | None = None
        self._finder = finder or MatFinder()
        self._settling = RestDetector()
        self._looked = float("-inf")
        self._state: State = "searching" if view is None else "covered"

    def update(self, picture: Picture, at: float) -> PilePosition:
        """Return the pile's position, searching if it is due."""
        if 0 <= at - self._looked < LOOK_EVERY:
            return self._answer()
        self._looked = at
        lost = self._state in ("searching", "covered")
        return self.learn(self._finder.find(picture, thorough=lost))

    def learn(self, sighting: Sighting) -> PilePosition:
        """Update the position from a search's result."""
        self.sighting = sighting
        if self.view is not None and sighting.paper not in (None, self.view.paper):
            return self._other_mat(sighting)
        if self.view is not None and self.view.size != sighting.size:
            self.view = _resized(self.view, sighting.size)
        if self.view is None:
            self.view = sighting.view
            self._state = "searching" if self.view is None else "still"
            return self._answer()
        if not sighting.tags:
            self._settling.forget()
            self._state = "covered"
            return self._answer()
        return self._compare(self.view, sighting)

    def _compare(self, old: MatView, sighting: Sighting) -> PilePosition:
        jitter = jitter_in(sighting.size)
        expected, seen = _pairs(old, sighting)
        # The median ignores a tag that is bent or held in a hand.
        off = np.median(np.linalg.norm(expected - seen, axis=1).reshape(-1, 4).max(axis=1))
        if off <= jitter:
            self._settling.forget()
            self._state = "still"
            if sighting.view is not None and len(sighting.view.tags) >= CERTAIN:
                self.view = _between(old, sighting.view, SHARE)
            return self._answer()
        new = _moved(old, sighting, expected, seen)
        if new is None:
            self._state = "covered"
            return self._answer()
        if not self._settling.rests(new.pixels(new.mat.places["discard"].corners), jitter):
            self._state = "moving"
            return self._answer()
        self._settling.forget()
        self.view, self._state = new, "still"
        corners = new.mat.places["discard"].corners
        return self._answer(farthest(old.pixels(corners), new.pixels(corners)))

    def _other_mat(self, sighting: Sighting) -> PilePosition:
        """Switch to another mat once it is clearly seen twice at the same place."""
        if sighting.view is None or len(sighting.view.tags) < CERTAIN:
            self._state = "covered"
            return self._answer()
        corners = sighting.view.pixels(sighting.view.mat.places["discard"].corners)
        if not self._settling.rests(corners, jitter_in(sighting.size)):
            self._state = "moving"
            return self._answer()
        old = self._answer().pile
        self._settling.forget()
        self.view, self._state = sighting.view, "still"
        return self._answer(0.0 if old is None else farthest(old.astype(np.float64), corners))

    def _answer(self, moved_by: float = 0.0) -> PilePosition:
        if self.view is None:
            return PilePosition(None, self._state, moved_by)
        pile, draw = (self.view.place(name) for name in ("discard", "draw"))
        return PilePosition(pile, self._state, moved_by, draw)


def _pairs(view: MatView, sighting: Sighting) -> tuple[Points, Points]:
    """Return the expected and the actual corners of the visible tags."""
    numbers = list(sighting.tags)
    paper = np.concatenate([view.mat.tags[number].corners for number in numbers])
    seen = np.concatenate([sighting.tags[number] for number in numbers]).astype(np.float64)
    return view.pixels(paper), seen


def _moved(old: MatView, sighting: Sighting, expected: Points, seen: Points) -> MatView | None:
    """Return the view after a movement; None if it cannot be computed."""
    if sighting.view is not None and len(sighting.view.tags) >= CERTAIN:
        return sighting.view
    shift, _ = cv2.estimateAffinePartial2D(expected, seen)
    if shift is None:
        return None
    matrix = np.vstack([shift, (0, 0, 1)]) @ old.matrix
    return MatView(old.paper, matrix, old.size, tuple(sorted(sighting.tags)), old.error)


def _between(old: MatView, new: MatView, share: float) -> MatView:
    """Interpolate between the corners of two views."""
    paper = old.mat.sheet.corners
    corners = (1 - share) * old.pixels(paper) + share * new.pixels(paper)
    return MatView(new.paper, _through(paper, corners), new.size, new.tags, new.error)


def _resized(view: MatView, size: tuple[int, int]) -> MatView:
    ratio = np.diag([size[0] / view.size[0], size[1] / view.size[1], 1.0])
    return MatView(view.paper, ratio @ view.matrix, size)


def _through(paper: Points, pixels: Points) -> Matrix:
    matrix = cv2.getPerspectiveTransform(paper.astype(np.float32), pixels.astype(np.float32))
    return np.asarray(matrix, np.float64)
