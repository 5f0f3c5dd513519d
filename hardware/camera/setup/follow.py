"""Following a camera that is bumped: what every way to follow says, and when a move is one."""

from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from hardware.camera.setup.mat import Points
from hardware.camera.types import Corners, Picture

# A look takes some milliseconds; a bump is noticed within two of them.
LOOK_EVERY = 0.25
# What moves less than this, in pixels of a picture 1280 wide, has not moved: noise, a warm table
# lamp, a heavy step. A card is 70 and more pixels wide, so reading it does not suffer.
JITTER = 3.0

State = Literal["searching", "still", "moving", "covered"]


@dataclass(frozen=True, slots=True, eq=False)
class PilePosition:
    """Where the discard pile is.

    ``searching``: not known yet. ``still``: as before. ``moving``: the camera or the mat is being
    moved, and what changes in the picture now is no card. ``covered``: not enough is seen, and
    what was seen last is taken to hold. ``moved_by`` is how far the pile moved in the picture
    (pixels), in the one answer that says so, otherwise 0. ``draw`` is where the draw pile is, if
    that is known.
    """

    pile: Corners | None
    state: State
    moved_by: float = 0.0
    draw: Corners | None = None


class Follower(Protocol):
    """Knows where the pile is, picture by picture."""

    def update(self, picture: Picture, at: float) -> PilePosition:
        """Look at a picture taken at ``at`` (seconds). Most are answered without looking."""


class RestDetector:
    """Whether something that is elsewhere has come to rest there: twice in a row the same."""

    def __init__(self) -> None:
        self._before: Points | None = None

    def rests(self, points: Points, jitter: float) -> bool:
        """Whether these points (n x 2, pixels) are where they were the last time."""
        before, self._before = self._before, points
        return before is not None and farthest(before, points) <= 2 * jitter

    def forget(self) -> None:
        """Nothing is on the move."""
        self._before = None


def farthest(one: Points, other: Points) -> float:
    """How far points are from their partners, at most."""
    return float(np.linalg.norm(one - other, axis=1).max())


def jitter_in(size: tuple[int, int]) -> float:
    """What counts as no movement in a picture of this size, in pixels."""
    return JITTER * max(size) / 1280
