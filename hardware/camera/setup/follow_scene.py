"""Follows the pile without a mat, by features of its surroundings."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from hardware.camera.setup.follow import (
    LOOK_EVERY,
    PilePosition,
    RestDetector,
    State,
    farthest,
    jitter_in,
)
from hardware.camera.setup.mat_view import Matrix, project
from hardware.camera.types import Corners, Picture

FEATURES = 500
# Width that pictures are scaled to: features are as good, and four times as fast.
WIDTH = 640
# Features that following needs; with fewer it would be guessing.
LEAST_FEATURES = 40
# Matches that must agree; more than chance or a patterned sleeve gives.
LEAST_AGREED = 15
# Lowe's ratio: distance of the best match to that of the second best.
RATIO = 0.8
# The surroundings begin at the pile's outline enlarged by this factor.
RIM = 1.35


@dataclass(frozen=True, slots=True, eq=False)
class SceneFeatures:
    """ORB features around a marked pile, from which no picture can be restored.

    ``size`` is width and height; ``pile`` (4 x 2) and ``points`` (n x 2) are in pixels;
    ``descriptors`` are n x 32.
    """

    size: tuple[int, int]
    pile: Corners
    points: npt.NDArray[np.float32]
    descriptors: npt.NDArray[np.uint8]

    @property
    def followable(self) -> bool:
        """True if there are enough features to follow."""
        return len(self.points) >= LEAST_FEATURES


def extract_scene(picture: Picture, pile: Corners) -> SceneFeatures:
    """Extract the features around a marked pile."""
    size = picture.shape[1], picture.shape[0]
    small, ratio = _small(picture)
    mask = np.full(small.shape[:2], 255, np.uint8)
    middle = pile.mean(axis=0)
    around = (middle + (pile - middle) * RIM) * ratio
    cv2.fillConvexPoly(mask, np.round(around).astype(np.int32), (0,))
    points, descriptors = _features(small, mask)
    return SceneFeatures(
        size, pile.astype(np.float32), (points / ratio).astype(np.float32), descriptors
    )


class SceneFollower:
    """Follows the surroundings of a marked pile."""

    def __init__(self, scene: SceneFeatures) -> None:
        self._scene = scene
        self._matcher = cv2.BFMatcher(cv2.NORM_HAMMING)
        self._settling = RestDetector()
        self._looked = float("-inf")
        # Without enough features, assume that nothing moves.
        self._state: State = "covered" if scene.followable else "still"
        # Maps the original picture to the present one.
        self._matrix: Matrix = np.eye(3)

    def update(self, picture: Picture, at: float) -> PilePosition:
        """Return the pile's position, searching if it is due."""
        if 0 <= at - self._looked < LOOK_EVERY or not self._scene.followable:
            return self._answer()
        self._looked = at
        seen = self._matches(picture)
        if seen is None:
            self._settling.forget()
            self._state = "covered"
            return self._answer()
        return self._compare(*seen, (picture.shape[1], picture.shape[0]))

    def _matches(
        self, picture: Picture
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]] | None:
        """Match features; return their old and new positions, None if there are too few."""
        small, ratio = _small(picture)
        points, descriptors = _features(small, None)
        if len(points) < LEAST_AGREED:
            return None
        pairs = [
            pair[0]
            for pair in self._matcher.knnMatch(self._scene.descriptors, descriptors, k=2)
            if len(pair) == 2 and pair[0].distance < RATIO * pair[1].distance
        ]
        if len(pairs) < LEAST_AGREED:
            return None
        then = self._scene.points[[pair.queryIdx for pair in pairs]]
        now = points[[pair.trainIdx for pair in pairs]] / ratio
        return then.astype(np.float64), now.astype(np.float64)

    def _compare(
        self,
        then: npt.NDArray[np.float64],
        now: npt.NDArray[np.float64],
        size: tuple[int, int],
    ) -> PilePosition:
        jitter = jitter_in(size)
        pile = self._scene.pile.astype(np.float64)
        here = project(self._matrix, pile)
        agreed = np.linalg.norm(project(self._matrix, then) - now, axis=1) <= jitter
        # While enough stays in place, it is a hand or an object that moved, not the camera.
        if agreed.sum() >= max(LEAST_AGREED, 0.3 * len(then)):
            self._settling.forget()
            self._state = "still"
            return self._answer()
        found, inliers = cv2.findHomography(then, now, cv2.USAC_MAGSAC, jitter)
        matrix = None if found is None else np.asarray(found, np.float64)
        if matrix is None or int(inliers.sum()) < LEAST_AGREED or not _plausible(matrix, pile):
            self._settling.forget()
            self._state = "covered"
            return self._answer()
        there = project(matrix, pile)
        if not self._settling.rests(there, jitter):
            self._state = "moving"
            return self._answer()
        self._settling.forget()
        self._matrix, self._state = matrix, "still"
        return self._answer(farthest(here, there))

    def _answer(self, moved_by: float = 0.0) -> PilePosition:
        pile = project(self._matrix, self._scene.pile.astype(np.float64)).astype(np.float32)
        return PilePosition(pile, self._state, moved_by)


def _plausible(matrix: Matrix, pile: npt.NDArray[np.float64]) -> bool:
    """Return whether a matrix keeps the pile's shape: not mirrored, not ten times as large."""
    there = project(matrix, pile)
    sides = np.roll(there, -1, axis=0) - there
    following = np.roll(sides, -1, axis=0)
    turns = sides[:, 0] * following[:, 1] - sides[:, 1] * following[:, 0]
    before = abs(cv2.contourArea(pile.astype(np.float32)))
    after = abs(cv2.contourArea(there.astype(np.float32)))
    one_way = bool((turns > 0).all() or (turns < 0).all())
    return one_way and 0.2 < after / max(before, 1e-6) < 5.0


def _small(picture: Picture) -> tuple[Picture, float]:
    grey = picture if picture.ndim == 2 else cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    ratio = min(1.0, WIDTH / grey.shape[1])
    if ratio < 1:
        grey = cv2.resize(grey, None, fx=ratio, fy=ratio, interpolation=cv2.INTER_AREA)
    return np.asarray(grey, np.uint8), ratio


def _features(
    grey: Picture, mask: npt.NDArray[np.uint8] | None
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint8]]:
    # A low threshold suits wood and cloth; ORB keeps the strongest features anyway.
    finder = cv2.ORB.create(nfeatures=FEATURES, fastThreshold=7)
    points, descriptors = finder.detectAndCompute(grey, mask)
    if descriptors is None:
        return np.zeros((0, 2), np.float32), np.zeros((0, 32), np.uint8)
    return np.array([point.pt for point in points], np.float32), np.asarray(descriptors, np.uint8)
