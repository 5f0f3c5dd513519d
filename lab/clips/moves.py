"""How a hand moves: in from the edge, to places, and out again."""

import math
from collections.abc import Callable

from lab.clips.poses import Pose, between
from lab.clips.stage import Doing, Reach, Stage

FAR = 480.0
"""How far away, in mm, nothing of a hand is to be seen any more."""
GRIP = Pose(0.0, -34.0)
"""The middle of a held card, from the point between thumb and fingers."""


SIDES = (0.0, 0.0, 55.0, -55.0, 100.0, -100.0, 150.0, -150.0)


def side(stage: Stage, seat: float | None = None) -> float:
    """The direction, in degrees, from which a player reaches in: one of them, if none is named.

    0 is below, and they count clockwise.
    """
    toward = float(stage.rng.choice(SIDES)) if seat is None else seat
    return toward + float(stage.rng.uniform(-22, 22))


def away(pose: Pose, height: float = 80.0) -> Pose:
    """Where a hand begins that will come to a pose: outside the picture, its arm's way back."""
    turn = math.radians(pose.turn)
    return Pose(pose.x - FAR * math.sin(turn), pose.y + FAR * math.cos(turn), pose.turn, height)


def wait(stage: Stage, seconds: float) -> Doing:
    """Let time go by."""
    for _ in range(round(seconds * stage.rate)):
        yield


def go(
    stage: Stage,
    reach: Reach,
    end: Pose,
    seconds: float,
    along: Callable[[], None] = lambda: None,
) -> Doing:
    """Move a hand; what it holds comes with it.

    Args:
        stage: The table.
        reach: The hand.
        end: Where to.
        seconds: How long it takes.
        along: Is called at each step, to take other things along.
    """
    start, steps = reach.pose, max(2, round(seconds * stage.rate))
    for step in range(1, steps + 1):
        reach.before, reach.pose = reach.pose, between(start, end, step / steps)
        along()
        yield
    reach.before = None


def rest(stage: Stage, reach: Reach, seconds: float, tremble: float = 0.6) -> Doing:
    """Keep a hand where it is; hands never keep quite still."""
    home = reach.pose
    for _ in range(round(seconds * stage.rate)):
        dx, dy, turn = stage.rng.normal(0, tremble, 3)
        reach.before, reach.pose = None, home.moved(float(dx), float(dy), float(turn) * 0.5)
        yield
    reach.pose = home


def retreat(stage: Stage, reach: Reach, seconds: float | None = None) -> Doing:
    """Take the hand, and what it holds, out of the picture."""
    yield from go(stage, reach, away(reach.pose), seconds or float(stage.rng.uniform(0.4, 0.75)))
    stage.leave(reach)
