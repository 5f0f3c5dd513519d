"""Disturbances: what happens at a table besides laying cards."""

from typing import Literal

import numpy as np

from lab.clips.hand_motion import arm_direction, hold_still, move_hand, offscreen, withdraw
from lab.clips.pose import Pose
from lab.clips.tabletop import Action, Motion, Tabletop


def nudge(what: Literal["top", "pile"] = "pile", shift: float = 8.0, turn: float = 5.0) -> Action:
    """Push the top card or the whole pile a little.

    ``shift`` (mm) and ``turn`` (degrees) are standard deviations.
    """

    def action(tabletop: Tabletop) -> Motion:
        rng, arm = tabletop.rng, arm_direction(tabletop)
        count = 1 if what == "top" else len(tabletop.pile)
        top = tabletop.pile[-1].pose
        target = Pose(0, 0, arm).after(Pose(0, 14)).moved(top.x, top.y)
        hand = tabletop.bring_hand(offscreen(target))
        yield from move_hand(tabletop, hand, target.raised(5.0), float(rng.uniform(0.4, 0.7)))
        start = hand.pose
        pushed = {one.number: one.pose.within(start) for one in tabletop.pile[-count:]}

        def along() -> None:
            poses = {n: hand.pose.after(pose).raised(0.0) for n, pose in pushed.items()}
            tabletop.move(poses)

        dx, dy = (float(v) for v in rng.normal(0, shift, 2).clip(-14, 14))
        end = start.moved(dx, dy, float(rng.normal(0, turn)))
        tabletop.tell("nudged", tabletop.top_card, what)
        yield from move_hand(tabletop, hand, end, float(rng.uniform(0.15, 0.4)), along)
        yield from withdraw(tabletop, hand)

    return action


def tidy(left: float = 0.8) -> Action:
    """Square the pile up with two hands, to within ``left`` mm."""

    def action(tabletop: Tabletop) -> Motion:
        rng, arm = tabletop.rng, arm_direction(tabletop)
        targets = [Pose(0, 0, arm + turn).after(Pose(0, 30)).raised(6.0) for turn in (-70.0, 70.0)]
        hands = [tabletop.bring_hand(offscreen(target)) for target in targets]
        coming = [move_hand(tabletop, r, t, 0.6) for r, t in zip(hands, targets, strict=True)]
        for _ in zip(*coming, strict=True):
            yield
        begun = {one.number: one.pose for one in tabletop.pile}
        turn = float(rng.normal(0, 4))
        aims = {}
        for number, pose in begun.items():
            dx, dy, more = (float(v) for v in rng.normal(0, left, 3))
            half = 180.0 * round((pose.turn - turn) / 180.0)
            aims[number] = Pose(dx, dy, turn + half + more)
        tabletop.tell("tidied", tabletop.top_card)
        steps = round(float(rng.uniform(0.5, 0.9)) * tabletop.rate)
        for step in range(1, steps + 1):
            share = step / steps
            tabletop.move({n: _between(pose, aims[n], share) for n, pose in begun.items()})
            yield
        going = [withdraw(tabletop, hand, 0.6) for hand in hands]
        for _ in zip(*going, strict=True):
            yield

    return action


def _between(a: Pose, b: Pose, share: float) -> Pose:
    x, y = a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share
    return Pose(x, y, a.turn + (b.turn - a.turn) * share)


def pass_through(card: str | None = None) -> Action:
    """Move a hand, which may hold a card face up, over the pile and out on the other side."""

    def action(tabletop: Tabletop) -> Motion:
        rng, arm = tabletop.rng, arm_direction(tabletop)
        dx, dy = (float(v) for v in rng.normal(0, 25, 2))
        middle = Pose(dx, dy, arm, 60.0)
        hand = tabletop.bring_hand(offscreen(middle))
        if card:
            hand.held.append(tabletop.new(card, Pose(0, -34, float(rng.normal(0, 20)))))
        tabletop.tell("passed", card)
        yield from move_hand(tabletop, hand, middle.moved(0, 0, 10.0), float(rng.uniform(0.4, 0.8)))
        swing = float(rng.choice([-1, 1])) * float(rng.uniform(90, 200))
        beside = Pose(0, 0, arm).after(Pose(swing, 120.0)).raised(70.0)
        yield from move_hand(tabletop, hand, Pose(beside.x, beside.y, arm, 70.0), 0.4)
        yield from withdraw(tabletop, hand)

    return action


def hover(seconds: float, card: str | None = None) -> Action:
    """Hold a hand, which may hold a card face up, above the pile, then withdraw it."""

    def action(tabletop: Tabletop) -> Motion:
        arm = arm_direction(tabletop)
        dx, dy = (float(v) for v in tabletop.rng.normal(0, 18, 2))
        above = Pose(0, 0, arm).after(Pose(dx, dy + 25.0)).raised(55.0)
        hand = tabletop.bring_hand(offscreen(above))
        if card:
            hand.held.append(tabletop.new(card, Pose(0, -34, float(tabletop.rng.normal(0, 20)))))
        tabletop.tell("hovered", card)
        yield from move_hand(tabletop, hand, above, 0.6)
        yield from hold_still(tabletop, hand, seconds)
        yield from withdraw(tabletop, hand)

    return action


def bump(shift: float = 12.0, turn: float = 1.0) -> Action:
    """Bump the camera: it swings, then stays slightly shifted.

    ``shift`` (pixels) and ``turn`` (degrees) are standard deviations.
    """

    def action(tabletop: Tabletop) -> Motion:
        before = tabletop.shake
        dx, dy = (float(v) for v in tabletop.rng.normal(0, shift, 2))
        angle = float(tabletop.rng.normal(0, turn))
        tabletop.tell("bumped")
        steps = round(0.8 * tabletop.rate)
        for step in range(1, steps + 1):
            u = step / steps
            swing = 1 + 0.9 * np.exp(-4 * u) * np.cos(u * 25) * (1 - u) if step < steps else 1.0
            tabletop.shake = _shaken(dx * swing, dy * swing, angle * swing) @ before
            yield

    return action


def _shaken(dx: float, dy: float, turn: float) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    return np.array([[c, -s, dx], [s, c, dy], [0.0, 0.0, 1.0]])


def glare(on: bool, radius: float = 34.0) -> Action:
    """Switch a lamp's reflection on the pile on or off."""

    def action(tabletop: Tabletop) -> Motion:
        top = tabletop.pile[-1].pose
        tabletop.tell("moved lamp")
        tabletop.glare = (top.x, top.y, radius) if on else None
        yield

    return action
