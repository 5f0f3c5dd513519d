"""Movements of a hand: in from the edge, to a place, and out again."""

import math
from collections.abc import Callable

from lab.clips.pose import Pose, between
from lab.clips.tabletop import Motion, MovingHand, Tabletop

FAR = 480.0
"""Distance in mm at which a hand is out of view."""
GRIP = Pose(0.0, -34.0)
"""The middle of a held card, from the point between thumb and fingers."""
SIDES = (0.0, 0.0, 55.0, -55.0, 100.0, -100.0, 150.0, -150.0)


def arm_direction(tabletop: Tabletop, seat: float | None = None) -> float:
    """Return the direction from which a player reaches in, a random one if None.

    In degrees clockwise from below.
    """
    toward = float(tabletop.rng.choice(SIDES)) if seat is None else seat
    return toward + float(tabletop.rng.uniform(-22, 22))


def offscreen(pose: Pose, height: float = 80.0) -> Pose:
    """Return the start of a hand that comes to a pose: out of view, along its arm."""
    turn = math.radians(pose.turn)
    return Pose(pose.x - FAR * math.sin(turn), pose.y + FAR * math.cos(turn), pose.turn, height)


def wait(tabletop: Tabletop, seconds: float) -> Motion:
    """Wait."""
    for _ in range(round(seconds * tabletop.rate)):
        yield


def move_hand(
    tabletop: Tabletop,
    hand: MovingHand,
    end: Pose,
    seconds: float,
    along: Callable[[], None] = lambda: None,
) -> Motion:
    """Move a hand and what it holds; ``along`` is called at each step, to move other things too."""
    start, steps = hand.pose, max(2, round(seconds * tabletop.rate))
    for step in range(1, steps + 1):
        hand.before, hand.pose = hand.pose, between(start, end, step / steps)
        along()
        yield
    hand.before = None


def hold_still(
    tabletop: Tabletop, hand: MovingHand, seconds: float, tremble: float = 0.6
) -> Motion:
    """Keep a hand in place, trembling slightly."""
    home = hand.pose
    for _ in range(round(seconds * tabletop.rate)):
        dx, dy, turn = tabletop.rng.normal(0, tremble, 3)
        hand.before, hand.pose = None, home.moved(float(dx), float(dy), float(turn) * 0.5)
        yield
    hand.pose = home


def withdraw(tabletop: Tabletop, hand: MovingHand, seconds: float | None = None) -> Motion:
    """Move a hand and what it holds out of view."""
    yield from move_hand(
        tabletop, hand, offscreen(hand.pose), seconds or float(tabletop.rng.uniform(0.4, 0.75))
    )
    tabletop.remove_hand(hand)
