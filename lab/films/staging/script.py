"""What all deeds at the table consist of: hands that come, take, hold and go."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from lab.films.ground_truth import Distraction, PileChange, TrueEvent
from lab.films.staging.people import Person, Reach
from lab.films.staging.sheet import BACK, THICK, Sheet
from lab.films.staging.timeline import Change, Grip, Key, Timeline, Visit, relative

Rng = np.random.Generator
Span = tuple[float, float]

FAR = 520.0
"""Distance in mm from which hands come."""


@dataclass(frozen=True)
class Habits:
    """How people lay cards; lengths in mm, times in seconds."""

    spread: float = 6.0  # Standard deviation of where cards lie
    most: float = 15.0  # Greatest distance from the middle, either way
    skew: float = 11.0  # Standard deviation of how they are turned, in degrees
    crosswise: float = 0.15  # Share laid across
    rest: Span = (0.03, 0.3)  # How long a hand stays on the card
    pressing: float = 0.2  # Share of hands that then lie flat on it
    slide: float = 0.0  # Share of cards that the hand then pushes straight
    pause: Span = (0.6, 1.6)  # Between deeds
    brisk: Span = (0.8, 1.3)  # Speed of hands
    curl: Span = (0.0, 0.0)  # How far a card's ends stand up; negative for its middle
    lean: float = 0.5  # Standard deviation of a lying card's lean in degrees


class Script:
    """A timeline being written, with the truth about it; the next deed begins at ``now``."""

    def __init__(
        self,
        timeline: Timeline,
        rng: Rng,
        habits: Habits,
        people: Sequence[tuple[Person, float]],
        cards: Sequence[str],
    ) -> None:
        """Start; ``people`` have the direction that their arms point in, in degrees."""
        self.timeline, self.rng, self.habits = timeline, rng, habits
        self._people, self._cards = people, cards
        self.now = 0.0
        self.happened: list[TrueEvent] = []
        self._numbers = 0
        self._pile = timeline.pile
        self._upright = float(rng.choice([0.0, 90.0])) + float(rng.normal(0, 8))

    @property
    def pile(self) -> tuple[Sheet, ...]:
        """The pile after what was written so far."""
        return self._pile

    @property
    def top(self) -> str | None:
        """The card on top."""
        return self._pile[-1].card if self._pile else None

    def other_card(self) -> str:
        """Return a random card other than that on top."""
        return str(self.rng.choice([name for name in self._cards if name != self.top]))

    def start_with(self, count: int) -> None:
        """Lay random cards before the film begins."""
        for _ in range(count):
            self.stack(self.other_card())
        self.timeline.forget(self.now)

    def stack(self, card: str) -> None:
        """Let a card lie on the pile at once."""
        self.put(self.now, (*self._pile, self.lying(card)))

    def wait(self, span: Span | None = None) -> None:
        """Let time pass."""
        self.now += self.some(span or self.habits.pause)

    # -- parts of deeds --

    def bring_hand(self, person: Person, start: Reach) -> Visit:
        """Let a hand come now, from a place out of view."""
        visit = Visit(person, [Key(self.now, start)], phase=float(self.rng.uniform(0, 6)))
        self.timeline.visits.append(visit)
        return visit

    def withdraw(self, visit: Visit, last: Reach, leave: float, speed: float) -> None:
        """Let a hand stay at its last place until it leaves; the deed ends when it is away."""
        if visit not in self.timeline.visits:
            self.timeline.visits.append(visit)
        if visit.keys[-1].time < leave:
            visit.keys.append(Key(leave, last))
        gone = leave + self.some((0.4, 0.75)) / speed
        end = away(last, max(60.0, last.z))
        visit.keys.append(Key(gone, replace(end, flat=last.flat * 0.5)))
        self.now = gone

    def reach_for_draw_pile(
        self, visit: Visit, hold: Sheet, turn: float, speed: float, turned: bool = True
    ) -> None:
        """Let a hand take the draw pile's top card and hold it so, its face up if ``turned``."""
        stack = self.timeline.beside[-1]
        lying = replace(stack, number=hold.number)
        at = below(lying, replace(hold, turn=stack.turn - turn - 90), turn, stack.z + 2)
        there = self.now + self.some((0.4, 0.7)) / speed
        grasp = there + self.some((0.25, 0.5)) / speed
        up = grasp + self.some((0.25, 0.4)) / speed
        visit.keys += [Key(self.now, away(at, 70)), Key(there, at), Key(grasp, at)]
        visit.keys.append(Key(up, replace(at, z=at.z + 60, x=at.x * 0.75, y=at.y * 0.75)))
        back = replace(hold, card=BACK)
        if not turned:
            visit.grips.append(Grip(grasp, math.inf, (back,)))
            return
        half = (grasp + up) / 2
        visit.grips.append(Grip(grasp, half, (back,), (0.0, 85.0)))
        visit.grips.append(Grip(half, up, (hold,), (-85.0, 0.0)))
        visit.grips.append(Grip(up, math.inf, (hold,)))

    def take_cards(self, count: int) -> tuple[Visit, float]:
        """Let a hand take the topmost cards; return it, lifted a little, and when it took them."""
        person, turn = self.someone()
        top = self._pile[-1]
        hold, turn = self.hold_for(top, person, turn)
        at = below(top, hold, turn, top.z + 2)
        visit = self.bring_hand(person, away(at, 70))
        there = self.now + self.some((0.45, 0.8))
        take = there + self.some((0.1, 0.3))
        up = take + 0.18
        taken = self._pile[-count:]
        # Of a whole pile only the uppermost cards can be seen.
        held = tuple(relative(sheet, at) for sheet in taken[-12:])
        visit.keys += [Key(there, at), Key(take, at), Key(up, replace(at, z=at.z + 30))]
        visit.grips.append(Grip(take, math.inf, held))
        self.put(take, self._pile[:-count])
        return visit, take

    def hold_for(self, sheet: Sheet, person: Person, turn: float) -> tuple[Sheet, float]:
        """Return how a hand that points about that way holds a sheet to lay it as given.

        And the way that it points to do so.
        """
        if person.hold is not None:
            # Cards look the same upside down, so one of two ways.
            way = sheet.turn - person.hold.turn - 90
            way += 180.0 * round((turn - way) / 180.0)
            hold = replace(person.hold, card=sheet.card, number=sheet.number)
            return replace(hold, lean=sheet.lean, curl=sheet.curl, across=sheet.across), way
        rng = self.rng
        skew = sheet.turn - turn - 90
        # Held by a short or a long edge, whichever is nearer to the hand.
        across = abs(math.sin(math.radians(skew))) > 0.7
        ahead = float(rng.uniform(14, 22)) if across else float(rng.uniform(24, 36))
        hold = replace(sheet, x=float(rng.normal(0, 5)), y=ahead, z=2.0, turn=skew)
        return hold, turn

    def offered(self, card: str) -> Sheet:
        """Return a new card as somebody holds it who looks at it or shows it."""
        rng = self.rng
        return Sheet(
            card,
            self.new_number(),
            x=float(rng.normal(0, 4)),
            y=float(rng.uniform(20, 34)),
            z=2.0,
            turn=float(rng.normal(0, 20)),
            lean=(float(rng.normal(0, 6)), float(rng.normal(4, 8))),
        )

    def lying(self, card: str) -> Sheet:
        """Return a new sheet casually laid on the pile."""
        rng, habits = self.rng, self.habits
        most = habits.most
        x, y = (float(v) for v in rng.normal(0, habits.spread, 2).clip(-most, most))
        turn = self._upright + float(rng.normal(0, habits.skew))
        turn += 90.0 if rng.random() < habits.crosswise else 0.0
        turn += 180.0 if rng.random() < 0.4 else 0.0
        lean = tuple(float(v) for v in rng.normal(0, habits.lean, 2))
        curl = float(rng.uniform(*habits.curl)) if habits.curl != (0.0, 0.0) else 0.0
        if curl and rng.random() < 0.35:
            curl = -curl
        return Sheet(
            card,
            self.new_number(),
            x,
            y,
            self.level(),
            turn,
            (lean[0], lean[1]),
            curl,
            bool(rng.random() < 0.3),
        )

    def level(self) -> float:
        """Return the height of the pile in mm."""
        return THICK * len(self._pile)

    def new_number(self) -> int:
        """Return a number that no sheet has."""
        self._numbers += 1
        return self._numbers

    def put(self, start: float, pile: tuple[Sheet, ...], end: float | None = None) -> None:
        """Let the pile become this one, at once or until ``end``; then its sheets stay the same."""
        changes = self.timeline.changes
        start = max(start, changes[-1].end) if changes else start
        changes.append(Change(start, max(start, end or start), pile))
        self._pile = pile

    def tell(
        self, kind: PileChange | Distraction, at: float, card: str | None = None, note: str = ""
    ) -> None:
        """Note what truly happened."""
        self.happened.append(TrueEvent(kind, at, card, note=note))

    def someone(self, seat: float | None = None) -> tuple[Person, float]:
        """Return a person and the direction that the arm points in.

        ``seat`` is where the person sits, in degrees clockwise from below, anywhere if None.
        """
        person, turn = self._people[int(self.rng.integers(len(self._people)))]
        if seat is not None:
            turn = seat - 90
            person = max(self._people, key=lambda pair: math.cos(math.radians(pair[1] - turn)))[0]
        return person, turn + float(self.rng.normal(0, 9))

    def some(self, span: Span) -> float:
        """Return a random number from a span."""
        return float(self.rng.uniform(*span))


def below(sheet: Sheet, hold: Sheet, turn: float, z: float) -> Reach:
    """Return where a hand is that holds a sheet at its place."""
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    x, y = -s * hold.x + c * hold.y, c * hold.x + s * hold.y
    return Reach(sheet.x - x, sheet.y - y, z, turn)


def behind(reach: Reach, length: float) -> Reach:
    """Return a place so many mm back along the arm."""
    c, s = math.cos(math.radians(reach.turn)), math.sin(math.radians(reach.turn))
    return replace(reach, x=reach.x - c * length, y=reach.y - s * length)


def away(reach: Reach, z: float) -> Reach:
    """Return where a hand comes from on its way to a place."""
    return replace(behind(reach, FAR), z=z)
