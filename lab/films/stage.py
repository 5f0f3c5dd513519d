"""A table where hands lay cards, told in time: frames may come at any rate."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from lab.clips.ground_truth import Distraction, PileChange, TrueEvent
from lab.clips.pose import Pose
from lab.films.hands import Hand

Use = Literal["card", "fan", "nothing"]
"""What a hand brings."""
FAR = 560.0
"""Distance in mm at which a hand is out of view."""
PLAYERS = 3
DEPTH = 24
"""Most cards kept on the pile; those below are hidden."""


@dataclass(frozen=True, slots=True)
class StageCard:
    """A card on the table or in a hand; ``copy`` selects one of the pictures of its face."""

    card: str
    copy: int
    pose: Pose
    number: int


@dataclass(slots=True, eq=False)
class StageHand:
    """A hand over the table, and the cards it holds, the lowest first, in its millimetres."""

    hand: Hand
    pose: Pose
    before: Pose
    held: list[StageCard] = field(default_factory=list)


@dataclass
class Stage:
    """What is on and above the table now, and what has happened."""

    rng: np.random.Generator
    hand: Callable[[int, Use], Hand]  # The players' hands, by number and use
    now: float = 0.0
    step: float = 1 / 30  # Seconds since the frame before
    pile: list[StageCard] = field(default_factory=list)
    above: list[StageHand] = field(default_factory=list)
    happened: list[TrueEvent] = field(default_factory=list)
    numbers: int = 0

    def new(self, card: str, pose: Pose) -> StageCard:
        """Return another copy of a card."""
        self.numbers += 1
        return StageCard(card, int(self.rng.integers(1 << 20)), pose, self.numbers)

    def put(self, card: StageCard) -> None:
        """Lay a card on the pile."""
        self.pile = [*self.pile, card][-DEPTH:]

    def move(self, poses: dict[int, Pose]) -> None:
        """Move cards of the pile, given by number."""
        moved = (replace(one, pose=poses.get(one.number, one.pose)) for one in self.pile)
        self.pile = list(moved)

    def tell(self, kind: PileChange | Distraction, card: str | None = None, note: str = "") -> None:
        """Record what happened now."""
        self.happened.append(TrueEvent(kind, self.now, card, note=note))

    def player(self, use: Use) -> Hand:
        """Return a hand of one of the players."""
        return self.hand(int(self.rng.integers(PLAYERS)), use)

    def bring(self, pose: Pose, hand: Hand | None = None) -> StageHand:
        """Bring a hand."""
        hand = hand or self.player("nothing")
        self.above.append(StageHand(hand, pose, pose))
        return self.above[-1]

    @property
    def top(self) -> str | None:
        """The card on top."""
        return self.pile[-1].card if self.pile else None


Motion = Iterator[None]
"""An action under way: a step a frame."""
Act = Callable[[Stage], Motion]
"""Something to do at the table."""


def side(stage: Stage) -> float:
    """Return the direction in degrees, clockwise from below, from which somebody reaches in."""
    return float(stage.rng.choice([0, 0, 70, -70, 130, -130, 180])) + float(stage.rng.normal(0, 14))


def away(pose: Pose, height: float = 90.0) -> Pose:
    """Return a pose out of view, along the arm of a hand."""
    turn = math.radians(pose.turn)
    return Pose(pose.x - FAR * math.sin(turn), pose.y + FAR * math.cos(turn), pose.turn, height)


def go(
    stage: Stage,
    hand: StageHand,
    end: Pose,
    seconds: float,
    along: Callable[[], None] = lambda: None,
    bow: float = 0.0,
) -> Motion:
    """Move a hand: quick at first, then slowing down, ``bow`` mm off the straight line midway."""
    start, since = hand.pose, stage.now
    # People differ in how early they are fastest.
    early = float(stage.rng.uniform(0.7, 1.1))
    length = max(1.0, math.hypot(end.x - start.x, end.y - start.y))
    across = -(end.y - start.y) / length, (end.x - start.x) / length
    while True:
        u = min(1.0, (stage.now - since) / max(seconds, 1e-3)) ** early
        eased = u * u * (3 - 2 * u)
        aside = bow * math.sin(math.pi * eased)
        hand.before = hand.pose
        hand.pose = Pose(
            start.x + (end.x - start.x) * eased + aside * across[0],
            start.y + (end.y - start.y) * eased + aside * across[1],
            start.turn + (end.turn - start.turn) * eased,
            start.height + (end.height - start.height) * eased,
        )
        along()
        if u >= 1:
            break
        yield
    yield
    hand.before = hand.pose


def stay(
    stage: Stage, hand: StageHand, seconds: float, sway: float = 0.3, tip: float = 0.2
) -> Motion:
    """Keep a hand in place; it sways by ``sway`` mm and ``tip`` degrees."""
    home, since = hand.pose, stage.now
    rates, starts = stage.rng.uniform(1.0, 6.0, 4), stage.rng.uniform(0, math.tau, 4)
    while stage.now - since < seconds:
        t = stage.now - since
        x, y, turn, up = (float(v) for v in np.sin(rates * t + starts) - np.sin(starts))
        hand.before = hand.pose
        hand.pose = home.moved(sway * x, sway * y, tip * turn).raised(
            max(0.0, home.height + (sway * up if home.height else 0.0))
        )
        yield
    hand.before = hand.pose


def leave(stage: Stage, hand: StageHand, seconds: float | None = None) -> Motion:
    """Take a hand out of view, with what it holds."""
    seconds = seconds or float(stage.rng.uniform(0.35, 0.7))
    yield from go(stage, hand, away(hand.pose), seconds, bow=float(stage.rng.normal(0, 25)))
    stage.above.remove(hand)


def pause(seconds: float) -> Act:
    """Do nothing."""

    def act(stage: Stage) -> Motion:
        since = stage.now
        while stage.now - since < seconds:
            yield

    return act


def together(*acts: Act) -> Act:
    """Act in parallel, until the last ends."""

    def act(stage: Stage) -> Motion:
        running = [one(stage) for one in acts]
        while running:
            running = [one for one in running if next(one, "ended") != "ended"]
            if running:
                yield

    return act


def then(*acts: Act) -> Act:
    """Act one after another."""

    def act(stage: Stage) -> Motion:
        for one in acts:
            yield from one(stage)

    return act
