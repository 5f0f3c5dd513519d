"""A drawn pile and an arm, moved frame by frame; quicker than a rendered clip."""

from dataclasses import dataclass, field

import cv2
import numpy as np

from hardware.camera.track import PileEvent, PileWatcher, window_of
from hardware.camera.track.view.top_cards import Quad
from hardware.camera.types import Detection, Picture
from tests.hardware.camera.track.drawn import at, hand, laid, table

SIZE = (400, 420)
MIDDLE = (200.0, 210.0)
REGION = np.array([(125, 115), (275, 115), (275, 305), (125, 305)], np.float32)
HOME = (215.0, 520.0)
"""An arm outside the picture."""


def spot(x: float = 0.0, y: float = 0.0, turn: float = 0.0) -> Quad:
    """Return corners of a card at an offset from the desk's middle."""
    return at(x, y, turn, MIDDLE)


@dataclass
class Desk:
    """A pile, an arm, a camera and its watcher.

    Replace ``cards``, do not change it in place.
    """

    rate: float = 30.0  # Frames a second
    # What lies on the table, the top last, with corners.
    cards: list[tuple[str, Quad]] = field(default_factory=list)
    arm: tuple[float, float] | None = None  # The hand's end, None if it is not in the picture
    held: str | None = None  # The card in the hand
    resting: tuple[float, float] | None = None  # The end of somebody else's hand, which stays
    light: float = 1.0  # Factor of all brightness
    scale: float = 1.0  # Size of the camera's frames
    aside: tuple[float, float] = (0.0, 0.0)  # How far the camera was knocked, in pixels
    followed: bool = True  # Whether the region follows the camera
    blind: set[str] = field(default_factory=set)  # Cards that the reader never finds
    overlooked: set[str] = field(default_factory=set)  # Cards that it finds if asked for parts
    chance: float = 0.97  # Probability that it gives the others
    found: int = 1  # How many cards it finds, the top last
    asked: list[bool] = field(default_factory=list)  # Whether it was asked for parts, each time
    dark: bool = False  # Whether the table is dark
    place: Quad = field(default_factory=lambda: REGION)  # The pile's place
    events: list[PileEvent] = field(default_factory=list)  # What was reported
    now: float = 0.0  # Time of the next frame

    def __post_init__(self) -> None:
        self.watcher = PileWatcher(self)
        self._table = table(1, SIZE) // (9 if self.dark else 1)
        noise = np.random.default_rng(7).normal(0, 2, (SIZE[1] + 32, SIZE[0] + 32, 3))
        self._noise = noise.astype(np.float32)
        self._drawn: tuple[list[tuple[str, Quad]], Picture] = ([], self._table)
        self._lots = np.random.default_rng(8)

    # -- the camera --

    @property
    def region(self) -> Quad:
        return (self.place + (self.aside if self.followed else (0, 0))) * self.scale

    def picture(self) -> Picture:
        if self._drawn[0] is not self.cards:
            view = self._table
            for card, corners in self.cards:
                view = laid(view, card, corners)
            self._drawn = (self.cards, view)
        view = self._drawn[1]
        if self.arm is not None:
            if self.held is not None:
                x, y = self.arm
                view = laid(view, self.held, at(0, -30, 0, (x, y)))
            view = hand(view, self.arm)
        if self.resting is not None:
            view = hand(view, self.resting)
        if self.aside != (0.0, 0.0):
            move = np.array([[1, 0, self.aside[0]], [0, 1, self.aside[1]]])
            view = np.asarray(cv2.warpAffine(view, move, SIZE, borderMode=cv2.BORDER_REFLECT))
        x, y = self._lots.integers(0, 32, 2)
        noise = self._noise[y : y + SIZE[1], x : x + SIZE[0]]
        lit = np.clip(view * np.float32(self.light) + noise, 0, 255).astype(np.uint8)
        if self.scale == 1.0:
            return lit
        return np.asarray(cv2.resize(lit, None, fx=self.scale, fy=self.scale))

    def recognise(self, picture: Picture, *, parts: bool = True) -> list[Detection]:
        """Return the cards found, unless the arm hides them or they are unreadable."""
        self.asked.append(parts)
        if picture.max() < 60:
            return []
        cards = [one for one in self.cards if parts or one[0] not in self.overlooked]
        return [
            self._detection(picture, card, corners)
            for card, corners in cards[-self.found :]
            if card not in self.blind and not self._hidden(corners)
        ]

    def _detection(self, picture: Picture, card: str, corners: Quad) -> Detection:
        shape = (round(SIZE[1] * self.scale), round(SIZE[0] * self.scale))
        rows, columns = window_of(self.region, shape, self.watcher.limits).crop
        seen = (corners + self.aside) * self.scale - (columns.start, rows.start)
        seen = seen + self._lots.normal(0, 0.6, (4, 2))
        if is_turned(picture, rows, columns):
            seen = np.stack((seen[:, 1], picture.shape[0] - 1 - seen[:, 0]), axis=1)
        return Detection(seen, {card: self.chance})

    def _hidden(self, corners: Quad) -> bool:
        blank = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
        if self.arm is None:
            return False
        covered = hand(blank, self.arm)[..., 2] > 0
        place = np.zeros((SIZE[1], SIZE[0]), np.uint8)
        cv2.fillConvexPoly(place, corners.astype(np.int32), 1)
        return bool(covered[place > 0].mean() > 0.4)

    # -- what is done --

    def step(self, picture: Picture | None = None) -> None:
        """Watch a frame: the desk, or another picture."""
        frame = self.picture() if picture is None else picture
        self.events += self.watcher.watch(frame, self.now, self.region)
        self.now += 1 / self.rate

    def pause(self, seconds: float) -> None:
        for _ in range(round(seconds * self.rate)):
            self.step()

    def reach(self, end: tuple[float, float], seconds: float = 0.4) -> None:
        """Move the arm, from outside if it is not there."""
        start = self.arm or HOME
        steps = max(2, round(seconds * self.rate))
        for n in range(1, steps + 1):
            share = n / steps
            self.arm = (
                start[0] + (end[0] - start[0]) * share,
                start[1] + (end[1] - start[1]) * share,
            )
            self.step()

    def leave(self, seconds: float = 0.4) -> None:
        self.reach(HOME, seconds)
        self.arm = None
        self.step()

    def lay(self, card: str, corners: Quad, seconds: float = 0.4, rest: float = 0.0) -> None:
        """Lay a card; the hand rests on it for ``rest`` seconds."""
        x, y = (float(v) for v in corners.mean(axis=0))
        self.held = card
        self.reach((x, y + 30), seconds)
        self.held = None
        self.cards = [*self.cards, (card, corners)]
        self.pause(rest)
        self.leave(seconds)

    def take(self, count: int = 1) -> None:
        x, y = (float(v) for v in self.cards[-1][1].mean(axis=0))
        self.reach((x, y + 30))
        self.held = self.cards[-1][0]
        self.cards = self.cards[:-count]
        self.leave()
        self.held = None

    def push(self, x: float, y: float) -> None:
        """Push the whole pile."""
        middle = self.cards[-1][1].mean(axis=0)
        self.reach((float(middle[0]), float(middle[1]) + 20))
        for _ in range(5):
            self.cards = [
                (card, corners + np.array([x / 5, y / 5])) for card, corners in self.cards
            ]
            assert self.arm is not None
            self.arm = (self.arm[0] + x / 5, self.arm[1] + y / 5)
            self.step()
        self.leave()

    @property
    def reported(self) -> list[tuple[str, str | None]]:
        return [(one.kind, one.card) for one in self.events]


def is_turned(picture: Picture, rows: slice, columns: slice) -> bool:
    """Return whether a picture is that part of a frame, rotated."""
    return picture.shape[:2] == (columns.stop - columns.start, rows.stop - rows.start)


def begun(rate: float = 30.0, *, dark: bool = False) -> Desk:
    """Return a desk on which two cards were found."""
    desk = Desk(rate, dark=dark)
    desk.cards = [("green-4", spot(-6, 3, 9)), ("blue-2", spot(2, -4, -6))]
    desk.pause(max(0.5, 9 / rate))
    assert desk.reported == [("found", "blue-2")]
    desk.events.clear()
    return desk
