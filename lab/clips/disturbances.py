"""What happens at a table without any card being played."""

from typing import Literal

import numpy as np

from lab.clips.moves import away, go, rest, retreat, side
from lab.clips.poses import Pose
from lab.clips.stage import Action, Doing, Stage


def nudge(what: Literal["top", "pile"] = "pile", shift: float = 8.0, turn: float = 5.0) -> Action:
    """A hand pushes the top card, or the whole pile, a little.

    Args:
        what: How much of it moves.
        shift: How far, in mm (deviation of a lot).
        turn: How far it turns, in degrees (likewise).
    """

    def action(stage: Stage) -> Doing:
        rng, arm = stage.rng, side(stage)
        count = 1 if what == "top" else len(stage.pile)
        top = stage.pile[-1].pose
        target = Pose(0, 0, arm).after(Pose(0, 14)).moved(top.x, top.y)
        reach = stage.reach(away(target))
        yield from go(stage, reach, target.raised(5.0), float(rng.uniform(0.4, 0.7)))
        start = reach.pose
        pushed = {one.number: one.pose.within(start) for one in stage.pile[-count:]}

        def along() -> None:
            poses = {n: reach.pose.after(pose).raised(0.0) for n, pose in pushed.items()}
            stage.move(poses)

        dx, dy = (float(v) for v in rng.normal(0, shift, 2).clip(-14, 14))
        end = start.moved(dx, dy, float(rng.normal(0, turn)))
        stage.tell("nudged", stage.top_card, what)
        yield from go(stage, reach, end, float(rng.uniform(0.15, 0.4)), along)
        yield from retreat(stage, reach)

    return action


def tidy(left: float = 0.8) -> Action:
    """Two hands square the pile up.

    Args:
        left: How far from square it still is then, in mm.
    """

    def action(stage: Stage) -> Doing:
        rng, arm = stage.rng, side(stage)
        targets = [Pose(0, 0, arm + turn).after(Pose(0, 30)).raised(6.0) for turn in (-70.0, 70.0)]
        reaches = [stage.reach(away(target)) for target in targets]
        coming = [go(stage, r, t, 0.6) for r, t in zip(reaches, targets, strict=True)]
        for _ in zip(*coming, strict=True):
            yield
        begun = {one.number: one.pose for one in stage.pile}
        turn = float(rng.normal(0, 4))
        aims = {}
        for number, pose in begun.items():
            dx, dy, more = (float(v) for v in rng.normal(0, left, 3))
            half = 180.0 * round((pose.turn - turn) / 180.0)
            aims[number] = Pose(dx, dy, turn + half + more)
        stage.tell("tidied", stage.top_card)
        steps = round(float(rng.uniform(0.5, 0.9)) * stage.rate)
        for step in range(1, steps + 1):
            share = step / steps
            stage.move({n: _between(pose, aims[n], share) for n, pose in begun.items()})
            yield
        going = [retreat(stage, reach, 0.6) for reach in reaches]
        for _ in zip(*going, strict=True):
            yield

    return action


def _between(a: Pose, b: Pose, share: float) -> Pose:
    """On the table: the height is left out."""
    x, y = a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share
    return Pose(x, y, a.turn + (b.turn - a.turn) * share)


def pass_through(card: str | None = None) -> Action:
    """A hand goes over the pile and away on the other side.

    Args:
        card: A card in that hand, its face to be seen.
    """

    def action(stage: Stage) -> Doing:
        rng, arm = stage.rng, side(stage)
        dx, dy = (float(v) for v in rng.normal(0, 25, 2))
        middle = Pose(dx, dy, arm, 60.0)
        reach = stage.reach(away(middle))
        if card:
            reach.held.append(stage.new(card, Pose(0, -34, float(rng.normal(0, 20)))))
        stage.tell("passed", card)
        yield from go(stage, reach, middle.moved(0, 0, 10.0), float(rng.uniform(0.4, 0.8)))
        swing = float(rng.choice([-1, 1])) * float(rng.uniform(90, 200))
        beside = Pose(0, 0, arm).after(Pose(swing, 120.0)).raised(70.0)
        yield from go(stage, reach, Pose(beside.x, beside.y, arm, 70.0), 0.4)
        yield from retreat(stage, reach)

    return action


def hover(seconds: float, card: str | None = None) -> Action:
    """A hand stays above the pile and goes away again.

    Args:
        seconds: How long it stays.
        card: A card that it holds and takes away again.
    """

    def action(stage: Stage) -> Doing:
        arm = side(stage)
        dx, dy = (float(v) for v in stage.rng.normal(0, 18, 2))
        above = Pose(0, 0, arm).after(Pose(dx, dy + 25.0)).raised(55.0)
        reach = stage.reach(away(above))
        if card:
            reach.held.append(stage.new(card, Pose(0, -34, float(stage.rng.normal(0, 20)))))
        stage.tell("hovered", card)
        yield from go(stage, reach, above, 0.6)
        yield from rest(stage, reach, seconds)
        yield from retreat(stage, reach)

    return action


def bump(shift: float = 12.0, turn: float = 1.0) -> Action:
    """Somebody knocks the camera: it swings, and looks a little elsewhere from then on.

    Args:
        shift: How far, in pixels (deviation of a lot).
        turn: How far it turns, in degrees (likewise).
    """

    def action(stage: Stage) -> Doing:
        before = stage.shake
        dx, dy = (float(v) for v in stage.rng.normal(0, shift, 2))
        angle = float(stage.rng.normal(0, turn))
        stage.tell("bumped")
        steps = round(0.8 * stage.rate)
        for step in range(1, steps + 1):
            u = step / steps
            swing = 1 + 0.9 * np.exp(-4 * u) * np.cos(u * 25) * (1 - u) if step < steps else 1.0
            stage.shake = _shaken(dx * swing, dy * swing, angle * swing) @ before
            yield

    return action


def _shaken(dx: float, dy: float, turn: float) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    return np.array([[c, -s, dx], [s, c, dy], [0.0, 0.0, 1.0]])


def glare(on: bool, radius: float = 34.0) -> Action:
    """A lamp is moved: from now on it shines into the camera off the pile, or no more."""

    def action(stage: Stage) -> Doing:
        top = stage.pile[-1].pose
        stage.tell("moved lamp")
        stage.glare = (top.x, top.y, radius) if on else None
        yield

    return action
