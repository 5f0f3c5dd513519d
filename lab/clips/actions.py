"""Actions with cards: lay, lift, put back, clear away."""

from collections.abc import Generator

from lab.clips.hand_motion import (
    GRIP,
    arm_direction,
    hold_still,
    move_hand,
    offscreen,
    wait,
    withdraw,
)
from lab.clips.pose import Pose
from lab.clips.tabletop import PILE_DEPTH, Action, Motion, MovingHand, PlacedCard, Tabletop


def random_spot(tabletop: Tabletop, spread: float = 1.0) -> Pose:
    """Return a random place on the pile for a casually laid card."""
    rng = tabletop.rng
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

    ``at`` and ``seat``, the hand's direction in degrees, are random if None; ``spread`` is
    untidiness; ``brisk`` is speed, 1 as usual.
    """

    def action(tabletop: Tabletop) -> Motion:
        pose = at or random_spot(tabletop, spread)
        arm = arm_direction(tabletop, seat)
        grip = _grip(pose, arm)
        hand = tabletop.bring_hand(offscreen(_hand_for(pose, grip, arm)))
        hand.held.append(tabletop.new(card, grip))
        yield from _lay(tabletop, hand, pose, grip, brisk)

    return action


def turn_up(card: str, draw: Pose, brisk: float = 1.0, seat: float | None = None) -> Action:
    """Take the top card of the draw pile, at ``draw``, and lay it on the pile in one go."""

    def action(tabletop: Tabletop) -> Motion:
        pose = random_spot(tabletop)
        arm = arm_direction(tabletop, seat)
        hand = yield from _to_draw_pile(tabletop, draw, arm, brisk)
        # From here on the face is visible.
        grip = _grip(pose, arm)
        hand.held.append(tabletop.new(card, grip))
        yield from _lay(tabletop, hand, pose, grip, brisk)

    return action


def draw_one(draw: Pose, brisk: float = 1.0, seat: float | None = None) -> Action:
    """Take the top card of the draw pile face down; arguments as of ``turn_up``."""

    def action(tabletop: Tabletop) -> Motion:
        hand = yield from _to_draw_pile(tabletop, draw, arm_direction(tabletop, seat), brisk)
        tabletop.tell("drawn")
        yield from withdraw(tabletop, hand, float(tabletop.rng.uniform(0.4, 0.75)) / brisk)

    return action


def _to_draw_pile(
    tabletop: Tabletop, draw: Pose, arm: float, brisk: float
) -> Generator[None, None, MovingHand]:
    """Move a hand to the draw pile and grip its top card."""
    rng = tabletop.rng
    target = _hand_for(draw, GRIP, arm)
    hand = tabletop.bring_hand(offscreen(target))
    yield from move_hand(tabletop, hand, target.raised(6.0), float(rng.uniform(0.45, 0.8)) / brisk)
    yield from hold_still(tabletop, hand, float(rng.uniform(0.3, 0.6)) / brisk)
    return hand


def _grip(pose: Pose, arm: float) -> Pose:
    """Return the grip with which a hand from that side lays a card at a pose."""
    return Pose(GRIP.x, GRIP.y, pose.turn - arm)


def _lay(tabletop: Tabletop, hand: MovingHand, pose: Pose, grip: Pose, brisk: float) -> Motion:
    rng = tabletop.rng
    target = _hand_for(pose, grip, hand.pose.turn)
    over = target.moved(*(float(v) for v in rng.normal(0, 9, 2))).raised(35.0)
    yield from move_hand(tabletop, hand, over, float(rng.uniform(0.4, 0.75)) / brisk)
    yield from move_hand(tabletop, hand, target, float(rng.uniform(0.12, 0.3)) / brisk)
    laid = hand.held.pop()
    tabletop.put(PlacedCard(laid.card, pose, laid.number))
    tabletop.tell("placed", laid.card)
    yield from hold_still(tabletop, hand, float(rng.uniform(0.03, 0.3)) / brisk, 0.2)
    yield from withdraw(tabletop, hand, float(rng.uniform(0.4, 0.75)) / brisk)


def _hand_for(pose: Pose, grip: Pose, arm: float) -> Pose:
    """Return the hand's pose when the gripped card is at ``pose``."""
    turned = Pose(0, 0, arm).after(Pose(grip.x, grip.y))
    return Pose(pose.x - turned.x, pose.y - turned.y, arm)


def lift(note: str = "") -> Action:
    """Take the top card away."""

    def action(tabletop: Tabletop) -> Motion:
        hand = yield from _take(tabletop, 1)
        if hand.held:
            tabletop.tell("lifted" if tabletop.pile else "cleared", tabletop.top_card, note)
        yield from withdraw(tabletop, hand)

    return action


def put_back(look: float = 0.8, shift: float = 4.0) -> Action:
    """Pick up the top card, look at it, and put it back."""

    def action(tabletop: Tabletop) -> Motion:
        hand = yield from _take(tabletop, 1)
        home = hand.pose
        aside, up = (float(v) for v in tabletop.rng.normal(0, 25, 2))
        there = home.moved(aside, up, 12.0).raised(120.0)
        yield from move_hand(tabletop, hand, there, 0.45)
        yield from hold_still(tabletop, hand, look)
        dx, dy = (float(v) for v in tabletop.rng.normal(0, shift, 2))
        yield from move_hand(tabletop, hand, home.moved(dx, dy).raised(0.0), 0.4)
        for back in hand.held:
            tabletop.put(PlacedCard(back.card, hand.pose.after(back.pose), back.number))
            tabletop.tell("put back", back.card)
        hand.held = []
        yield from hold_still(tabletop, hand, 0.1, 0.2)
        yield from withdraw(tabletop, hand)

    return action


def clear() -> Action:
    """Take the whole pile away."""

    def action(tabletop: Tabletop) -> Motion:
        hand = yield from _take(tabletop, PILE_DEPTH)
        if hand.held:
            tabletop.tell("cleared")
        yield from withdraw(tabletop, hand)

    return action


def _take(tabletop: Tabletop, count: int) -> Generator[None, None, MovingHand]:
    """Let a hand take the topmost cards that are there when it arrives."""
    rng = tabletop.rng
    pose, arm = tabletop.pile[-1].pose, arm_direction(tabletop)
    target = _hand_for(pose, GRIP, arm)
    hand = tabletop.bring_hand(offscreen(target))
    yield from move_hand(tabletop, hand, target.raised(4.0), float(rng.uniform(0.45, 0.8)))
    yield from hold_still(tabletop, hand, float(rng.uniform(0.1, 0.3)), 0.2)
    taken, tabletop.pile = tabletop.pile[-count:], tabletop.pile[:-count]
    flat = hand.pose.raised(0.0)
    hand.held = [PlacedCard(one.card, one.pose.within(flat), one.number) for one in taken]
    yield from move_hand(tabletop, hand, hand.pose.raised(30.0), 0.15)
    return hand


def then(*actions: Action) -> Action:
    """Perform actions one after another."""

    def action(tabletop: Tabletop) -> Motion:
        for one in actions:
            yield from one(tabletop)

    return action


def together(*actions: Action) -> Action:
    """Perform actions in parallel, until the last ends."""

    def action(tabletop: Tabletop) -> Motion:
        running = [one(tabletop) for one in actions]
        while running:
            for one in list(running):
                if next(one, "ended") == "ended":
                    running.remove(one)
            if running:
                yield

    return action


def pause(seconds: float) -> Action:
    """Do nothing."""
    return lambda tabletop: wait(tabletop, seconds)


def quick(first: str, second: str, gap: float) -> Action:
    """Lay two cards by two hands, the second ``gap`` seconds behind the first."""
    return together(lay(first, brisk=1.5), then(pause(gap), lay(second, brisk=1.5)))
