"""Finds the pile without anybody's help, and follows it from then on.

The mat tells where it is. Without one, it is where a card of the deck lies still near the middle of
the picture, or where somebody points; from then on its surroundings tell.
"""

import threading
from dataclasses import replace

import numpy as np

from hardware.camera.reading.geometry import HEIGHT, WIDTH, overlap
from hardware.camera.setup.find import MatFinder
from hardware.camera.setup.follow import (
    LOOK_EVERY,
    Follower,
    MatFollower,
    PilePosition,
    RestDetector,
    jitter_in,
)
from hardware.camera.setup.follow_scene import SceneFollower, extract_scene
from hardware.camera.types import Corners, Detection, Picture, Recogniser

# Seconds between searches for a card, which take a tenth of a second each, and between looks for a
# mat while the surroundings are followed.
SEARCH_EVERY, MAT_EVERY = 0.4, 2.0
# Looks at which a card has to lie in the same place.
LOOKS = 3
# Probability from which a card may be the pile's: an unsure one still shows where it lies.
NAMED = 0.5
# Share of the picture's width and height at its rim where no pile is found by itself.
RIM = 0.1
# Width and height of a pile's place, in cards' widths and heights: 2 cm around the card.
PLACE = (1.72, 1.44)
# How far from where somebody points the card's middle may lie, in card heights; and a card's height
# as a share of the picture's shorter side where none is seen.
POINTED, USUAL_HEIGHT = 1.0, 0.3
# Overlap from which two places are one.
SAME = 0.4
# Seconds without the surroundings after which the pile is searched for elsewhere too.
LOST = 2.0


class Pointer:
    """Where somebody points, until it is looked at; any thread may use it."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._point: tuple[float, float] | None = None
        self._last: tuple[float, float] | None = None

    def point(self, x: float, y: float) -> None:
        """Say where the pile lies, as shares of width and height; said again, it is known."""
        with self._guard:
            if (x, y) != self._last:
                self._point = self._last = x, y

    def take(self) -> tuple[float, float] | None:
        """Return the place, once."""
        with self._guard:
            point, self._point = self._point, None
            return point


class PileFinder:
    """A follower (``hardware.camera.setup.follow``) that begins with nothing.

    Cards are found by ``recogniser``, whose deck they have to be of. Pictures of another size, as
    from a phone that was turned, begin anew.
    """

    def __init__(self, recogniser: Recogniser, pointer: Pointer | None = None) -> None:
        self._recogniser = recogniser
        self._pointer = pointer or Pointer()
        self._mat = MatFinder()
        self._card_height: float | None = None
        self._place: Corners | None = None
        self._begin((0, 0))

    @property
    def mat(self) -> MatFollower | None:
        """The mat's follower, if it is the mat that tells."""
        return self._follower if isinstance(self._follower, MatFollower) else None

    def update(self, picture: Picture, at: float) -> PilePosition:
        """Return the pile's position, searching for it if it is due."""
        size = picture.shape[1], picture.shape[0]
        if size != self._size:
            self._begin(size)
        point = self._pointer.take()
        if point is not None:
            return self._follow(picture, self._place_at(picture, point), at)
        if self._follower is None:
            return self._search(picture, at) or PilePosition(None, "searching")
        position = self._follower.update(picture, at)
        self._place = position.pile
        if isinstance(self._follower, MatFollower):
            return position
        position = replace(position, turned=self._turned)
        if position.state == "still":
            self._seen = at
        if at - self._seen > LOST or at - self._looked_for_mat >= MAT_EVERY:
            return self._search(picture, at) or position
        return position

    def _begin(self, size: tuple[int, int]) -> None:
        self._size = size
        self._follower: Follower | None = None
        self._place = None
        self._turned = 0.0
        self._resting = RestDetector()
        self._rested = 0
        self._searched = self._looked_for_mat = self._seen = float("-inf")

    def _search(self, picture: Picture, at: float) -> PilePosition | None:
        """Search for mat and card; return the position if either was found just now."""
        lost = self._follower is None or at - self._seen > LOST
        if at - self._looked_for_mat >= (LOOK_EVERY if lost else MAT_EVERY):
            self._looked_for_mat = at
            view = self._mat.find(picture).view
            if view is not None:
                self._follower = MatFollower(view)
                return replace(self._follower.update(picture, at), anew=True)
        if not lost or at - self._searched < SEARCH_EVERY:
            return None
        self._searched = at
        card = self._nearest(picture, (0.5, 0.5))
        if card is None:
            self._resting.forget()
            self._rested = 0
            return None
        rests = self._resting.rests(card.astype(np.float64), 2 * jitter_in(self._size))
        self._rested = self._rested + 1 if rests else 1
        if self._rested < LOOKS:
            return None
        place = place_around(card)
        if self._place is not None and overlap(self._place, place) > SAME:
            # It lies where it was assumed: only its surroundings look different by now.
            return self._follow(picture, self._place, at, anew=False)
        return self._follow(picture, place, at)

    def _follow(
        self, picture: Picture, place: Corners, at: float, *, anew: bool = True
    ) -> PilePosition:
        if anew:
            self._turned = turn_of(place)
        self._place = place
        self._follower = SceneFollower(extract_scene(picture, place))
        self._resting.forget()
        self._rested = 0
        # It was seen here just now, and the mat was looked for before.
        self._seen = self._looked_for_mat = at
        return PilePosition(place, "still", anew=anew, turned=self._turned)

    def _nearest(self, picture: Picture, to: tuple[float, float]) -> Corners | None:
        """Return the outline of the card that lies nearest to a place, if any may be the pile's."""
        limits = np.array(self._size, np.float64)

        def inside(card: Detection) -> bool:
            middle = card.corners.mean(axis=0) / limits
            return bool((middle > RIM).all() and (middle < 1 - RIM).all())

        cards = [
            card
            for card in self._recogniser.recognise(picture, parts=False)
            if card.whole and max(card.probabilities.values(), default=0) >= NAMED and inside(card)
        ]
        if not cards:
            return None
        aim = np.array(to) * limits
        nearest = min(cards, key=lambda card: np.linalg.norm(card.corners.mean(axis=0) - aim))
        self._card_height = _sides(nearest.corners)[1]
        return np.asarray(nearest.corners, np.float32)

    def _place_at(self, picture: Picture, point: tuple[float, float]) -> Corners:
        """Return the pile's place where somebody points: around the card there, if one is seen."""
        aim = np.array(point) * self._size
        card = self._nearest(picture, point)
        if card is not None and (
            np.linalg.norm(card.mean(axis=0) - aim) <= POINTED * _sides(card)[1]
        ):
            return place_around(card)
        height = self._card_height or USUAL_HEIGHT * min(self._size)
        half = np.array([height * WIDTH / HEIGHT, height]) / 2
        box = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
        return place_around((aim + box * half).astype(np.float32))


def place_around(card: Corners) -> Corners:
    """Return the place (4, 2) of a pile on which a card's outline (4, 2) lies."""
    middle = card.mean(axis=0)
    across = (card[1] + card[2] - card[0] - card[3]) / 4 * PLACE[0]
    down = (card[2] + card[3] - card[0] - card[1]) / 4 * PLACE[1]
    corners = [middle - across - down, middle + across - down]
    corners += [middle + across + down, middle - across + down]
    return np.asarray(corners, np.float32)


def turn_of(place: Corners) -> float:
    """Return by how many degrees a place (4, 2) is turned clockwise in the picture, 0 to 360."""
    up = place[0] + place[1] - place[2] - place[3]
    return float(np.degrees(np.arctan2(up[0], -up[1])) % 360)


def _sides(card: Corners) -> tuple[float, float]:
    """Return a card's width and height in pixels, as they look."""
    lengths = np.linalg.norm(np.roll(card, -1, axis=0) - card, axis=1)
    return float(lengths[0] + lengths[2]) / 2, float(lengths[1] + lengths[3]) / 2
