"""What hands do with cards: lay, lift, put back, clear away."""

from collections.abc import Generator

from lab.clips.moves import GRIP, away, go, rest, retreat, side, wait
from lab.clips.poses import Pose
from lab.clips.stage import KEPT, Action, Doing, Laid, Reach, Stage


def spot(stage: Stage, spread: float = 1.0) -> Pose:
    """Where on the pile a card comes to lie when nobody takes pains."""
    rng = stage.rng
    turn = float(rng.choice([0.0, 0.0, 180.0, 90.0])) + float(rng.normal(0, 11))
    dx, dy = (float(v) for v in rng.normal(0, (6 * spread, 8 * spread)).clip(-15, 15))
    return Pose(dx, dy, turn)


def lay(
    card: str,
    at: Pose | None = None,
    spread: float = 1.0,
    brisk: float = 1.0,
    seat: float | None = None,
) -> Action:
    """Lay a card on the pile.

    Args:
        card: Which.
        at: Where; by lot if it is None.
        spread: How untidily it is laid.
        brisk: How quickly; 1 is usual.
        seat: The direction from which the hand comes, in degrees; by lot if it is None.
    """

    def action(stage: Stage) -> Doing:
        pose = at or spot(stage, spread)
        arm = side(stage, seat)
        grip = _grip(pose, arm)
        reach = stage.reach(away(_hand_for(pose, grip, arm)))
        reach.held.append(stage.new(card, grip))
        yield from _lay(stage, reach, pose, grip, brisk)

    return action


def turn_up(card: str, draw: Pose, brisk: float = 1.0, seat: float | None = None) -> Action:
    """Take the top card of the draw pile and lay it on the pile in one go.

    Args:
        card: Which it is.
        draw: Where the draw pile lies.
        brisk: How quickly; 1 is usual.
        seat: The direction from which the hand comes, in degrees; by lot if it is None.
    """

    def action(stage: Stage) -> Doing:
        pose = spot(stage)
        arm = side(stage, seat)
        reach = yield from _to_draw_pile(stage, draw, arm, brisk)
        # It is turned over on the way: from then on its face shows.
        grip = _grip(pose, arm)
        reach.held.append(stage.new(card, grip))
        yield from _lay(stage, reach, pose, grip, brisk)

    return action


def draw_one(draw: Pose, brisk: float = 1.0, seat: float | None = None) -> Action:
    """Take the top card of the draw pile, face down, and leave; as ``turn_up``."""

    def action(stage: Stage) -> Doing:
        reach = yield from _to_draw_pile(stage, draw, side(stage, seat), brisk)
        stage.tell("drawn")
        yield from retreat(stage, reach, float(stage.rng.uniform(0.4, 0.75)) / brisk)

    return action


def _to_draw_pile(
    stage: Stage, draw: Pose, arm: float, brisk: float
) -> Generator[None, None, Reach]:
    """A hand comes to the draw pile and has hold of its top card."""
    rng = stage.rng
    target = _hand_for(draw, GRIP, arm)
    reach = stage.reach(away(target))
    yield from go(stage, reach, target.raised(6.0), float(rng.uniform(0.45, 0.8)) / brisk)
    yield from rest(stage, reach, float(rng.uniform(0.3, 0.6)) / brisk)
    return reach


def _grip(pose: Pose, arm: float) -> Pose:
    """How a hand from that side holds a card so that it comes to lie as it does."""
    return Pose(GRIP.x, GRIP.y, pose.turn - arm)


def _lay(stage: Stage, reach: Reach, pose: Pose, grip: Pose, brisk: float) -> Doing:
    """Lay the card that a hand holds, and leave."""
    rng = stage.rng
    target = _hand_for(pose, grip, reach.pose.turn)
    over = target.moved(*(float(v) for v in rng.normal(0, 9, 2))).raised(35.0)
    yield from go(stage, reach, over, float(rng.uniform(0.4, 0.75)) / brisk)
    yield from go(stage, reach, target, float(rng.uniform(0.12, 0.3)) / brisk)
    laid = reach.held.pop()
    stage.put(Laid(laid.card, pose, laid.number))
    stage.tell("placed", laid.card)
    yield from rest(stage, reach, float(rng.uniform(0.03, 0.3)) / brisk, 0.2)
    yield from retreat(stage, reach, float(rng.uniform(0.4, 0.75)) / brisk)


def _hand_for(pose: Pose, grip: Pose, arm: float) -> Pose:
    """Where the hand is when the card it grips is at a pose."""
    turned = Pose(0, 0, arm).after(Pose(grip.x, grip.y))
    return Pose(pose.x - turned.x, pose.y - turned.y, arm)


def lift(note: str = "") -> Action:
    """Take the top card away."""

    def action(stage: Stage) -> Doing:
        reach = yield from _take(stage, 1)
        if reach.held:
            stage.tell("lifted" if stage.pile else "cleared", stage.top_card, note)
        yield from retreat(stage, reach)

    return action


def put_back(look: float = 0.8, shift: float = 4.0) -> Action:
    """Take the top card up, look at it, and lay it where it was, or nearly."""

    def action(stage: Stage) -> Doing:
        reach = yield from _take(stage, 1)
        home = reach.pose
        aside, up = (float(v) for v in stage.rng.normal(0, 25, 2))
        there = home.moved(aside, up, 12.0).raised(120.0)
        yield from go(stage, reach, there, 0.45)
        yield from rest(stage, reach, look)
        dx, dy = (float(v) for v in stage.rng.normal(0, shift, 2))
        yield from go(stage, reach, home.moved(dx, dy).raised(0.0), 0.4)
        for back in reach.held:
            stage.put(Laid(back.card, reach.pose.after(back.pose), back.number))
            stage.tell("put back", back.card)
        reach.held = []
        yield from rest(stage, reach, 0.1, 0.2)
        yield from retreat(stage, reach)

    return action


def clear() -> Action:
    """Take the whole pile away, as for reshuffling."""

    def action(stage: Stage) -> Doing:
        reach = yield from _take(stage, KEPT)
        if reach.held:
            stage.tell("cleared")
        yield from retreat(stage, reach)

    return action


def _take(stage: Stage, count: int) -> Generator[None, None, Reach]:
    """A hand comes and takes the topmost cards: those that are still there when it comes."""
    rng = stage.rng
    pose, arm = stage.pile[-1].pose, side(stage)
    target = _hand_for(pose, GRIP, arm)
    reach = stage.reach(away(target))
    yield from go(stage, reach, target.raised(4.0), float(rng.uniform(0.45, 0.8)))
    yield from rest(stage, reach, float(rng.uniform(0.1, 0.3)), 0.2)
    taken, stage.pile = stage.pile[-count:], stage.pile[:-count]
    flat = reach.pose.raised(0.0)
    reach.held = [Laid(one.card, one.pose.within(flat), one.number) for one in taken]
    yield from go(stage, reach, reach.pose.raised(30.0), 0.15)
    return reach


def then(*actions: Action) -> Action:
    """One after another."""

    def action(stage: Stage) -> Doing:
        for one in actions:
            yield from one(stage)

    return action


def together(*actions: Action) -> Action:
    """All at the same time; it ends with the last."""

    def action(stage: Stage) -> Doing:
        running = [one(stage) for one in actions]
        while running:
            # A list of its own: what has ended leaves it.
            for one in list(running):
                if next(one, "ended") == "ended":
                    running.remove(one)
            if running:
                yield

    return action


def pause(seconds: float) -> Action:
    """Nothing happens."""
    return lambda stage: wait(stage, seconds)


def quick(first: str, second: str, gap: float) -> Action:
    """Two players lay a card each, the second hand close behind the first.

    Args:
        first: The first card.
        second: The second.
        gap: By how many seconds the second hand is later.
    """
    return together(lay(first, brisk=1.5), then(pause(gap), lay(second, brisk=1.5)))
