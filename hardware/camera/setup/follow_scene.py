"""Follows the pile without a mat, by its surroundings.

While the camera stands, edges of the surroundings say so, however the pile grows and whatever lies
about by now. Only once they no longer do is the picture searched for features seen before.
"""

from collections import Counter
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from hardware.camera.reading.registration import FrameRegistration, grey_and_small
from hardware.camera.setup.follow import (
    LOOK_EVERY,
    PilePosition,
    RestDetector,
    State,
    farthest,
    jitter_in,
)
from hardware.camera.setup.mat import Matrix, project
from hardware.camera.types import Corners, Picture

FEATURES = 500
# Features that following needs; with fewer it would be guessing.
LEAST_FEATURES = 40
# Matches that must agree; more than chance or a patterned sleeve gives.
LEAST_AGREED = 15
# Lowe's ratio: distance of the best match to that of the second best.
RATIO = 0.8
# Cells, across and down, that features are spread over, so that no single thing has them all.
CELLS = (10, 6)
# Candidates for each feature that is kept.
CANDIDATES = 5
# Share of the edges that say that the camera stands: three times what chance gives. Arms and cards
# may hide the rest.
STANDS = 0.35
# Seconds after which the features are taken anew, while the camera stands.
RENEW_EVERY = 10.0
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
    small, ratio = grey_and_small(picture)
    points, descriptors = _features(small, _around(small, pile * ratio))
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
        # Maps the picture with the features to the present one.
        self._matrix: Matrix = np.eye(3)
        self._edges = FrameRegistration(STANDS, lost=float("inf"))
        # Maps the picture with the features to the reference of the edges, once that is known.
        self._home: Matrix | None = None
        self._renewed = 0.0

    def update(self, picture: Picture, at: float) -> PilePosition:
        """Return the pile's position, searching if it is due."""
        if 0 <= at - self._looked < LOOK_EVERY or not self._scene.followable:
            return self._answer()
        self._looked = at
        if self._home is not None and self._stands(picture, at, self._home):
            return self._answer()
        seen = self._matches(picture)
        if seen is None:
            self._settling.forget()
            self._state = "covered"
            return self._answer()
        return self._compare(*seen, picture, at)

    def _stands(self, picture: Picture, at: float, home: Matrix) -> bool:
        """Return whether the camera still stands, or trembles a little."""
        if not self._edges.follow(picture, at, self._place):
            return False
        matrix = self._edges.matrix @ home
        pile = self._scene.pile.astype(np.float64)
        jitter = jitter_in((picture.shape[1], picture.shape[0]))
        if farthest(project(matrix, pile), project(self._matrix, pile)) > jitter:
            self._matrix = matrix
        self._settling.forget()
        self._state = "still"
        if at - self._renewed >= RENEW_EVERY:
            self._renew(picture, at)
        return True

    def _renew(self, picture: Picture, at: float) -> None:
        """Take the features anew: by and by the surroundings look different."""
        self._renewed = at
        scene = extract_scene(picture, project(self._matrix, self._scene.pile.astype(np.float64)))
        if scene.followable:
            self._home = np.linalg.inv(self._edges.matrix)
            self._scene, self._matrix = scene, np.eye(3)

    @property
    def _place(self) -> Corners:
        """The pile's place in the present picture, with what sticks out of it."""
        return _grown(project(self._matrix, self._scene.pile.astype(np.float64)))

    def _matches(
        self, picture: Picture
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]] | None:
        """Match features; return their old and new positions, None if there are too few."""
        small, ratio = grey_and_small(picture)
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
        old = self._scene.points[[pair.queryIdx for pair in pairs]]
        new = points[[pair.trainIdx for pair in pairs]] / ratio
        return old.astype(np.float64), new.astype(np.float64)

    def _compare(
        self,
        old: npt.NDArray[np.float64],
        new: npt.NDArray[np.float64],
        picture: Picture,
        at: float,
    ) -> PilePosition:
        jitter = jitter_in((picture.shape[1], picture.shape[0]))
        pile = self._scene.pile.astype(np.float64)
        here = project(self._matrix, pile)
        agreed = np.linalg.norm(project(self._matrix, old) - new, axis=1) <= jitter
        # While enough stays in place, it is a hand or an object that moved, not the camera.
        if agreed.sum() >= max(LEAST_AGREED, 0.3 * len(old)):
            self._settling.forget()
            self._state = "still"
            if self._home is None:
                self._anchor(picture, at)
            return self._answer()
        homography, inliers = cv2.findHomography(old, new, cv2.USAC_MAGSAC, jitter)
        matrix = None if homography is None else np.asarray(homography, np.float64)
        if matrix is None or int(inliers.sum()) < LEAST_AGREED or not _plausible(matrix, pile):
            self._settling.forget()
            self._state = "covered"
            return self._answer()
        there = project(matrix, pile)
        # It rests if features or edges are where they were at the last look.
        rests = self._settling.rests(there, jitter)
        if not rests and not (self._state == "moving" and self._edges.follow(picture, at, there)):
            self._state, self._home = "moving", None
            self._edges.forget()
            self._edges.follow(picture, at, there)
            return self._answer()
        self._settling.forget()
        self._matrix, self._state = matrix, "still"
        self._anchor(picture, at)
        return self._answer(farthest(here, there))

    def _anchor(self, picture: Picture, at: float) -> None:
        """Let the edges of this picture tell from now on whether the camera stands."""
        self._edges.forget()
        self._edges.follow(picture, at, self._place)
        self._home, self._renewed = self._matrix, at

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


def _grown(pile: Corners) -> Corners:
    middle = pile.mean(axis=0)
    return np.asarray(middle + (pile - middle) * RIM)


def _around(grey: Picture, pile: Corners) -> npt.NDArray[np.uint8]:
    """Return a mask of the surroundings of a pile."""
    mask = np.full(grey.shape[:2], 255, np.uint8)
    cv2.fillConvexPoly(mask, np.round(_grown(pile)).astype(np.int32), (0,))
    return mask


def _features(
    grey: Picture, mask: npt.NDArray[np.uint8] | None
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint8]]:
    # A low threshold suits wood and cloth.
    finder = cv2.ORB.create(nfeatures=round(CANDIDATES * FEATURES), fastThreshold=7)
    keypoints = sorted(finder.detect(grey, mask), key=lambda point: -point.response)
    ranked = []
    ranks = Counter[tuple[int, ...]]()
    for point in keypoints:
        cell = tuple(
            int(v * n / side) for v, n, side in zip(point.pt, CELLS, grey.shape[::-1], strict=True)
        )
        ranks[cell] += 1
        ranked.append((ranks[cell], point))
    # The strongest of each cell come first, then the second of each, and so on.
    kept = [point for _, point in sorted(ranked, key=lambda pair: pair[0])[:FEATURES]]
    points, descriptors = finder.compute(grey, kept)
    if descriptors is None:
        return np.zeros((0, 2), np.float32), np.zeros((0, 32), np.uint8)
    return np.array([point.pt for point in points], np.float32), np.asarray(descriptors, np.uint8)
