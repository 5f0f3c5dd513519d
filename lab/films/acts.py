"""What hands do in composed films: lay, push, pass, lift, rest, hold a fan."""

import math
from dataclasses import replace

import numpy as np

from lab.clips.pose import Pose
from lab.films.hands import GRIP
from lab.films.stage import Act, Motion, Stage, StageCard, away, go, leave, side, stay


def spot(stage: Stage, spread: float) -> Pose:
    """Return where a card comes to lie: ``spread`` is the standard deviation in mm."""
    rng = stage.rng
    turn = float(rng.choice([0, 180, 90, -90], p=(0.4, 0.3, 0.15, 0.15)))
    x, y = (float(v) for v in rng.normal(0, spread, 2).clip(-2.2 * spread, 2.2 * spread))
    return Pose(x, y, turn + float(rng.normal(0, 9)))


def lay(card: str, spread: float, rest: float, pace: float = 1.0) -> Act:
    """Lay a card; the hand stays ``rest`` seconds on it. ``pace`` is speed, 1 as usual."""

    def act(stage: Stage) -> Motion:
        rng = stage.rng
        end, arm, player = spot(stage, spread), side(stage), stage.player("card")
        # Held by its near edge, whichever edge that is.
        grip = Pose(float(rng.normal(0, 5)), -GRIP + float(rng.normal(0, 5)), end.turn - arm)
        if player.card is not None:
            turn = player.card.turn + float(rng.choice([0, 180]))
            grip, arm = replace(player.card, turn=turn), end.turn - turn
        target = _holding(end, grip, arm)
        hand = stage.bring(away(target), player)
        hand.held.append(stage.new(card, grip))
        over = target.moved(*(float(v) for v in rng.normal(0, 10, 2))).raised(
            float(rng.uniform(20, 45))
        )
        yield from go(
            stage, hand, over, float(rng.uniform(0.35, 0.75)) / pace, bow=float(rng.normal(0, 30))
        )
        yield from go(stage, hand, target, float(rng.uniform(0.1, 0.3)) / pace)
        for held in hand.held:
            stage.put(StageCard(held.card, held.copy, end, held.number))
        hand.held = []
        stage.tell("placed", card)
        yield from stay(stage, hand, rest)
        yield from leave(stage, hand, float(rng.uniform(0.35, 0.7)) / pace)

    return act


def push(whole: bool) -> Act:
    """Push the pile, or its top card alone."""

    def act(stage: Stage) -> Motion:
        rng, arm = stage.rng, side(stage)
        top = stage.pile[-1].pose
        target = Pose(0, 0, arm).after(Pose(0, 12)).moved(top.x, top.y)
        hand = stage.bring(away(target))
        yield from go(stage, hand, target.raised(4), float(rng.uniform(0.4, 0.7)))
        start = hand.pose
        pushed = {one.number: one.pose.within(start) for one in stage.pile[0 if whole else -1 :]}

        def along() -> None:
            stage.move({n: hand.pose.after(pose).raised(0) for n, pose in pushed.items()})

        x, y, turn = (float(v) for v in rng.normal(0, 6, 3).clip(-12, 12))
        stage.tell("nudged", stage.top, "pile" if whole else "top")
        yield from go(stage, hand, start.moved(x, y, turn), float(rng.uniform(0.15, 0.4)), along)
        yield from stay(stage, hand, float(rng.uniform(0.0, 0.3)))
        yield from leave(stage, hand)

    return act


def reach_over() -> Act:
    """Reach across the pile, for the draw pile or a glass, and back."""

    def act(stage: Stage) -> Motion:
        rng, arm = stage.rng, side(stage)
        aside = float(rng.normal(0, 60))
        target = Pose(0, 0, arm).after(Pose(aside, float(rng.uniform(-200, -60))))
        hand = stage.bring(away(target))
        height = float(rng.uniform(40, 130))
        seconds = float(rng.uniform(0.5, 1.0))
        yield from go(stage, hand, target.raised(height), seconds, bow=float(rng.normal(0, 30)))
        stage.tell("passed")
        yield from stay(stage, hand, float(rng.uniform(0.1, 0.8)), 3.0, 2.0)
        yield from leave(stage, hand, float(rng.uniform(0.5, 0.9)))

    return act


def point_at(rest: float) -> Act:
    """Rest a hand on the pile, and take it away again."""

    def act(stage: Stage) -> Motion:
        rng, arm = stage.rng, side(stage)
        x, y = (float(v) for v in rng.normal(0, 15, 2))
        target = Pose(0, 0, arm).after(Pose(x, y))
        hand = stage.bring(away(target))
        yield from go(stage, hand, target.raised(3), float(rng.uniform(0.4, 0.7)))
        stage.tell("hovered", note="rests")
        yield from stay(stage, hand, rest)
        yield from leave(stage, hand)

    return act


def lift() -> Act:
    """Take the top card back."""

    def act(stage: Stage) -> Motion:
        rng, arm = stage.rng, side(stage)
        pose = stage.pile[-1].pose
        target = _holding(pose, Pose(0, -GRIP, pose.turn - arm), arm)
        hand = stage.bring(away(target))
        yield from go(stage, hand, target.raised(3), float(rng.uniform(0.4, 0.7)))
        yield from stay(stage, hand, float(rng.uniform(0.1, 0.35)))
        taken, stage.pile = stage.pile[-1], stage.pile[:-1]
        flat = hand.pose.raised(0)
        hand.held = [StageCard(taken.card, taken.copy, taken.pose.within(flat), taken.number)]
        yield from go(stage, hand, hand.pose.raised(35), 0.15)
        stage.tell("lifted" if stage.pile else "cleared", stage.top)
        yield from leave(stage, hand)

    return act


def hold_fan(cards: list[str], distance: float, seconds: float) -> Act:
    """Hold a fan of cards so that its middle is ``distance`` mm from the pile's, and sway."""

    def act(stage: Stage) -> Motion:
        rng, arm = stage.rng, float(stage.rng.choice([-60, -20, 20, 60, 150, -150]))
        way = math.radians(arm + float(rng.normal(0, 25)))
        height = float(rng.uniform(40, 170))
        # The fan's own middle lies before the hand.
        middle = Pose(-distance * math.sin(way), distance * math.cos(way), arm)
        target = middle.after(Pose(0, GRIP + 10)).raised(height)
        hand = stage.bring(away(target, height + 30), stage.player("fan"))
        hand.held = _fan(stage, cards)
        yield from go(stage, hand, target, float(rng.uniform(0.5, 0.9)))
        stage.tell("hovered", cards[-1], "fan")
        # Some people hold their cards as still as a card on the table lies.
        sway = float(np.exp(rng.uniform(np.log(0.15), np.log(5))))
        yield from stay(stage, hand, seconds, sway, 0.5 * sway)
        yield from leave(stage, hand)

    return act


def swing_arm(distance: float, seconds: float) -> Act:
    """Swing an arm to and fro beside the pile, ``distance`` mm from its middle."""

    def act(stage: Stage) -> Motion:
        rng, arm = stage.rng, side(stage)
        home = Pose(0, 0, arm).after(Pose(float(rng.normal(0, 40)), distance))
        hand = stage.bring(away(home))
        yield from go(stage, hand, home.raised(30), 0.6)
        stage.tell("passed", note="swings")
        since = stage.now
        while stage.now - since < seconds:
            x, y, turn = (float(v) for v in rng.normal(0, (28, 12, 14)))
            end = home.moved(x, y, turn).raised(float(rng.uniform(5, 60)))
            yield from go(stage, hand, end, float(rng.uniform(0.25, 0.9)))
        yield from leave(stage, hand)

    return act


def _fan(stage: Stage, cards: list[str]) -> list[StageCard]:
    step = float(stage.rng.uniform(9, 17))
    held = []
    for n, card in enumerate(cards):
        turn = (n - (len(cards) - 1) / 2) * step
        held.append(stage.new(card, Pose(0, 0, turn).after(Pose(0, -GRIP - 8))))
    return held


def _holding(card: Pose, grip: Pose, arm: float) -> Pose:
    """Return the pose of a hand whose held card lies at ``card``."""
    turned = Pose(0, 0, arm).after(Pose(grip.x, grip.y))
    return Pose(card.x - turned.x, card.y - turned.y, arm)
