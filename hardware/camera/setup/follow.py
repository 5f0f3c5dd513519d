"""The interface of pile followers, which keep track of the pile when the camera is bumped."""

from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from hardware.camera.setup.mat import Points
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


def farthest(one: Points, other: Points) -> float:
    """Return the largest distance between corresponding points."""
    return float(np.linalg.norm(one - other, axis=1).max())


def jitter_in(size: tuple[int, int]) -> float:
    """Return the movement, in pixels, that is ignored in a picture of this size."""
    return JITTER * max(size) / 1280
