"""Writes what people do at the table into a timeline, with the truth about it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from lab.clips.ground_truth import Distraction, PileChange, TrueEvent
from lab.films.rendered.limbs import Person, Reach
from lab.films.rendered.prints import CARDS
from lab.films.rendered.sheets import BACK, THICK, Sheet
from lab.films.rendered.timeline import Change, Grip, Key, Timeline, Visit, carried, relative

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
    pause: Span = (0.6, 1.6)  # Between deeds
    brisk: Span = (0.8, 1.3)  # Speed of hands
    curl: Span = (0.0, 0.0)  # How far a card's ends stand up; negative for its middle
    lean: float = 0.5  # Standard deviation of a lying card's lean in degrees


class Writer:
    """Writes deed after deed; each begins at ``now``, which it moves on."""

    def __init__(
        self, timeline: Timeline, rng: Rng, habits: Habits, people: Sequence[tuple[Person, float]]
    ) -> None:
        """Start; ``people`` have the direction that their arms point in, in degrees."""
        self.timeline, self.rng, self.habits = timeline, rng, habits
        self._people = people
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
        return str(self.rng.choice([one for one in CARDS if one != self.top]))

    def start_with(self, count: int) -> None:
        """Lay cards before the film begins."""
        for _ in range(count):
            self._pile = (*self._pile, self._lying(self.other_card()))
        self.timeline.pile = self._pile

    def wait(self, span: Span | None = None) -> None:
        """Let time pass."""
        self.now += self._some(span or self.habits.pause)

    # -- cards laid and taken --

    def lay(
        self,
        card: str,
        note: str = "",
        *,
        drawn: bool = False,
        brisk: float = 1.0,
        after: float = 0.0,
    ) -> None:
        """Lay a card on the pile, from the hand or turned up from the draw pile.

        It comes down ``after`` that time at the earliest.
        """
        rng, habits = self.rng, self.habits
        speed = self._some(habits.brisk) * brisk
        person, turn = self._someone()
        sheet = self._lying(card)
        hold = self._hold_for(sheet, turn)
        at = _below(sheet, hold, turn, z=sheet.z + 2)
        visit = Visit(person, [], phase=float(rng.uniform(0, 6)))
        if drawn:
            self._from_draw_pile(visit, hold, turn, speed)
        else:
            visit.keys.append(Key(self.now, _away(at, float(rng.uniform(50, 110)))))
            visit.grips.append(Grip(self.now, math.inf, (hold,)))
        begin = visit.keys[-1].time
        over = replace(
            at,
            x=at.x + float(rng.normal(0, 8)),
            y=at.y + float(rng.normal(0, 8)),
            z=at.z + float(rng.uniform(18, 45)),
        )
        there = begin + self._some((0.35, 0.75)) / speed
        down = max(there + self._some((0.1, 0.3)) / speed, after)
        visit.keys += [Key(there, over), Key(down, at)]
        visit.grips[-1] = replace(visit.grips[-1], end=down)
        self._put(down, (*self._pile, sheet))
        self._tell("placed", down, card, note)
        leave = down + self._some(habits.rest) / max(brisk, 1.0)
        flat = 1.0 if rng.random() < habits.pressing else 0.0
        rests = replace(at, z=at.z + 1, flat=flat)
        visit.keys.append(Key(min(down + 0.12, leave), rests))
        self._withdraw(visit, rests, leave, speed)

    def quick(self, first: str, second: str) -> None:
        """Lay two cards by two hands, one soon after the other."""
        begin = self.now
        self.lay(first, "quick", brisk=1.5)
        end, at = self.now, self.happened[-1].at
        # The second hand is on its way while the first one leaves.
        self.now = begin + float(self.rng.uniform(0.3, 0.8))
        self.lay(second, "quick", brisk=1.5, after=at + float(self.rng.uniform(0.35, 0.6)))
        self.now = max(self.now, end)

    def lift(self) -> None:
        """Take the top card away."""
        visit, up = self._taking(1)
        top = self._pile[-1].card if self._pile else None
        self._tell("lifted" if self._pile else "cleared", up, top)
        self._withdraw(visit, visit.keys[-1].reach, visit.keys[-1].time, 1.0)

    def put_back(self) -> None:
        """Take the top card, look at it, and put it back."""
        rng = self.rng
        visit, _ = self._taking(1)
        taken = visit.grips[-1].sheets[0]
        home = visit.keys[-2].reach
        aside = replace(
            home,
            x=home.x + float(rng.normal(0, 25)),
            y=home.y + float(rng.normal(0, 25)),
            z=float(rng.uniform(60, 130)),
        )
        shown = visit.keys[-1].time + 0.45
        back = replace(home, x=home.x + float(rng.normal(0, 4)), y=home.y + float(rng.normal(0, 4)))
        look = shown + float(rng.uniform(0.4, 1.2))
        down = look + 0.4
        visit.keys += [Key(shown, aside), Key(look, aside), Key(down, back)]
        visit.grips[-1] = replace(visit.grips[-1], end=down)
        sheet = carried(taken, back)
        self._put(down, (*self._pile, replace(sheet, z=self._level())))
        self._tell("put back", down, sheet.card)
        leave = down + self._some(self.habits.rest)
        visit.keys.append(Key(leave, back))
        self._withdraw(visit, back, leave, 1.0)

    def clear(self, note: str = "") -> None:
        """Take the whole pile away."""
        visit, up = self._taking(len(self._pile))
        self._tell("cleared", up, None, note)
        self._withdraw(visit, visit.keys[-1].reach, visit.keys[-1].time, 1.0)

    def shuffle(self) -> None:
        """Take the pile away, shuffle, and leave the place empty meanwhile."""
        self.clear("shuffled")
        self.wait((1.5, 3.0))

    # -- disturbances --

    def nudge(self, what: str) -> None:
        """Push the top card ("top") or the pile ("pile") a little."""
        rng = self.rng
        count = 1 if what == "top" else len(self._pile)
        top = self._pile[-1]
        person, turn = self._someone()
        at = Reach(top.x, top.y, top.z + 4, turn, 0.8)
        at = _behind(at, float(rng.uniform(0, 25)))
        visit = self._visit(person, _away(at, 60))
        there = self.now + self._some((0.4, 0.7))
        push = there + self._some((0.15, 0.4))
        dx, dy = (float(v) for v in np.clip(rng.normal(0, 7, 2), -13, 13))
        spin = float(rng.normal(0, 4.5))
        visit.keys += [Key(there, at), Key(push, replace(at, x=at.x + dx, y=at.y + dy))]
        moved = tuple(_spun(one, top, dx, dy, spin) for one in self._pile[-count:])
        self._put(there, self._pile[:-count] + moved, push)
        self._tell("nudged", there, self.top, what)
        self._withdraw(visit, visit.keys[-1].reach, push, 1.0)

    def square_up(self) -> None:
        """Square the pile up with two hands."""
        rng = self.rng
        turn = self._someone()[1]
        person = self._people[int(rng.integers(len(self._people)))][0]
        there, begin = self.now + 0.6, self.now
        done = there + self._some((0.5, 0.9))
        ends = []
        for side, left in ((-65.0, False), (65.0, True)):
            way = turn + side
            at = _behind(Reach(0, 0, self._level() + 5, way, 0.6), 46.0)
            near = _behind(at, -8.0)
            hand = replace(person, left=left)
            start = _away(at, 60)
            visit = Visit(hand, [Key(begin, start), Key(there, at), Key(done, near)])
            self.timeline.visits.append(visit)
            visit.keys.append(Key(done + 0.55, start))
            ends.append(done + 0.55)
        skew = self._upright + float(rng.normal(0, 3))
        aims = []
        for one in self._pile:
            half = 180.0 * round((one.turn - skew) / 180.0)
            dx, dy, more = (float(v) for v in rng.normal(0, 0.8, 3))
            aims.append(replace(one, x=dx, y=dy, turn=skew + half + more))
        self._put(there, tuple(aims), done)
        self._tell("tidied", there, self.top)
        self.now = max(ends)

    def pass_over(self, card: str | None = None, brisk: float = 1.0) -> None:
        """Move an arm across the pile and away."""
        rng = self.rng
        person, turn = self._someone()
        z = float(rng.uniform(35, 110))
        x, y = (float(v) for v in rng.normal(0, 28, 2))
        over = Reach(x, y, z, turn, float(rng.uniform(0, 1)))
        over = _behind(over, float(rng.uniform(-60, 30)))
        visit = self._visit(person, _away(over, z + 20))
        if card:
            visit.grips.append(Grip(self.now, math.inf, (self._offered(card),)))
            visit.keys[0] = replace(visit.keys[0], reach=replace(visit.keys[0].reach, flat=0))
            over = replace(over, flat=0.0)
        there = self.now + self._some((0.35, 0.7)) / brisk
        self._tell("passed", there, card)
        swing = float(rng.choice([-1, 1])) * float(rng.uniform(15, 40))
        side = _behind(replace(over, turn=turn + swing, x=0, y=0), float(rng.uniform(-90, 60)))
        visit.keys += [Key(there, over), Key(there + 0.35 / brisk, side)]
        self._withdraw(visit, side, there + 0.35 / brisk, brisk)

    def hover(self, seconds: float, card: str | None = None) -> None:
        """Hold a hand, with a card or without, over the pile."""
        rng = self.rng
        person, turn = self._someone()
        x, y = (float(v) for v in rng.normal(0, 15, 2))
        over = Reach(x, y, float(rng.uniform(35, 90)), turn)
        over = replace(_behind(over, float(rng.uniform(0, 35))), flat=0.0 if card else 0.5)
        visit = self._visit(person, _away(over, 80))
        visit.sway = 2.0
        if card:
            visit.grips.append(Grip(self.now, math.inf, (self._offered(card),)))
        there = self.now + self._some((0.4, 0.7))
        self._tell("hovered", there, card, "card" if card else "hand")
        visit.keys += [Key(there, over), Key(there + seconds, over)]
        self._withdraw(visit, over, there + seconds, 1.0)

    def draw(self) -> None:
        """Take a card from the draw pile, if there is one."""
        if not self.timeline.beside:
            self.pass_over()
            return
        person, turn = self._someone()
        visit = Visit(person, [])
        held = Sheet(BACK, self._new(), 0, 26, 2)
        self._from_draw_pile(visit, held, turn, 1.0, turned=False)
        last = visit.keys[-1]
        self._tell("drawn", last.time)
        self._withdraw(visit, last.reach, last.time, 1.0)

    def hold_fan(self, beside: bool) -> tuple[Visit, Reach]:
        """Bring a fan of cards over the pile or beside it; ``fold_fan`` takes it away."""
        rng = self.rng
        person, turn = self._someone()
        if beside:
            way = turn + float(rng.normal(0, 20))
            away = float(rng.uniform(88, 135))
        else:
            way, away = turn, float(rng.uniform(-25, 48))
        height = float(rng.uniform(40, 150))
        # The fan's middle lies some way in front of the pinch.
        at = _behind(Reach(0, 0, height, way), away + 42.0)
        visit = self._visit(person, _away(at, height + 20))
        visit.sway = float(rng.uniform(0.8, 4.0))
        count = int(rng.integers(3, 8))
        step = float(rng.uniform(9, 17))
        pitch = float(rng.uniform(-2, 24))
        fan = []
        for k in range(count):
            angle = (k - (count - 1) / 2) * step
            sheet = Sheet(self.other_card(), self._new(), turn=angle, z=2 + 0.6 * k)
            x, y = 52 * math.sin(math.radians(angle)), 52 * math.cos(math.radians(angle)) - 10
            fan.append(replace(sheet, x=x, y=y, lean=(float(rng.normal(0, 3)), pitch)))
        visit.grips.append(Grip(self.now, math.inf, tuple(fan)))
        there = self.now + self._some((0.45, 0.8))
        visit.keys.append(Key(there, at))
        self._tell("hovered", there, fan[-1].card, "fan beside" if beside else "fan over")
        self.now = there
        return visit, at

    def fold_fan(self, fan: tuple[Visit, Reach]) -> None:
        """Take a fan away."""
        visit, at = fan
        visit.keys.append(Key(self.now, at))
        self._withdraw(visit, at, self.now, 1.0)

    # -- parts of deeds --

    def _visit(self, person: Person, start: Reach) -> Visit:
        visit = Visit(person, [Key(self.now, start)], phase=float(self.rng.uniform(0, 6)))
        self.timeline.visits.append(visit)
        return visit

    def _withdraw(self, visit: Visit, last: Reach, leave: float, speed: float) -> None:
        if visit not in self.timeline.visits:
            self.timeline.visits.append(visit)
        if visit.keys[-1].time < leave:
            visit.keys.append(Key(leave, last))
        gone = leave + self._some((0.4, 0.75)) / speed
        end = _away(last, max(60.0, last.z))
        visit.keys.append(Key(gone, replace(end, flat=last.flat * 0.5)))
        self.now = gone

    def _from_draw_pile(
        self, visit: Visit, hold: Sheet, turn: float, speed: float, turned: bool = True
    ) -> None:
        stack = self.timeline.beside[-1]
        lying = replace(stack, number=hold.number)
        at = _below(lying, replace(hold, turn=stack.turn - turn - 90), turn, stack.z + 2)
        there = self.now + self._some((0.4, 0.7)) / speed
        grasp = there + self._some((0.25, 0.5)) / speed
        up = grasp + self._some((0.25, 0.4)) / speed
        visit.keys += [Key(self.now, _away(at, 70)), Key(there, at), Key(grasp, at)]
        visit.keys.append(Key(up, replace(at, z=at.z + 60, x=at.x * 0.75, y=at.y * 0.75)))
        back = replace(hold, card=BACK)
        if not turned:
            visit.grips.append(Grip(grasp, math.inf, (back,)))
            return
        half = (grasp + up) / 2
        visit.grips.append(Grip(grasp, half, (back,), (0.0, 85.0)))
        visit.grips.append(Grip(half, up, (hold,), (-85.0, 0.0)))
        visit.grips.append(Grip(up, math.inf, (hold,)))

    def _taking(self, count: int) -> tuple[Visit, float]:
        """Let a hand take the topmost cards; return it, lifted a little, and when it took them."""
        person, turn = self._someone()
        top = self._pile[-1]
        hold = self._hold_for(top, turn)
        at = _below(top, hold, turn, top.z + 2)
        visit = self._visit(person, _away(at, 70))
        there = self.now + self._some((0.45, 0.8))
        take = there + self._some((0.1, 0.3))
        up = take + 0.18
        taken = self._pile[-count:]
        # Of a whole pile only the uppermost cards can be seen.
        held = tuple(relative(one, at) for one in taken[-12:])
        visit.keys += [Key(there, at), Key(take, at), Key(up, replace(at, z=at.z + 30))]
        visit.grips.append(Grip(take, math.inf, held))
        self._put(take, self._pile[:-count])
        return visit, take

    def _hold_for(self, sheet: Sheet, turn: float) -> Sheet:
        """Return how a hand that points that way holds a sheet to lay it as given."""
        rng = self.rng
        skew = sheet.turn - turn - 90
        # Held by a short or a long edge, whichever is nearer to the hand.
        across = abs(math.sin(math.radians(skew))) > 0.7
        ahead = float(rng.uniform(14, 22)) if across else float(rng.uniform(24, 36))
        return replace(sheet, x=float(rng.normal(0, 5)), y=ahead, z=2.0, turn=skew, lean=sheet.lean)

    def _offered(self, card: str) -> Sheet:
        rng = self.rng
        return Sheet(
            card,
            self._new(),
            x=float(rng.normal(0, 4)),
            y=float(rng.uniform(20, 34)),
            z=2.0,
            turn=float(rng.normal(0, 20)),
            lean=(float(rng.normal(0, 6)), float(rng.normal(4, 8))),
        )

    def _lying(self, card: str) -> Sheet:
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
            self._new(),
            x,
            y,
            self._level(),
            turn,
            (lean[0], lean[1]),
            curl,
            bool(rng.random() < 0.3),
        )

    def _level(self) -> float:
        return THICK * len(self._pile)

    def _new(self) -> int:
        self._numbers += 1
        return self._numbers

    def _put(self, start: float, pile: tuple[Sheet, ...], end: float | None = None) -> None:
        self.timeline.changes.append(Change(start, start if end is None else end, pile))
        self._pile = pile

    def _tell(
        self, kind: PileChange | Distraction, at: float, card: str | None = None, note: str = ""
    ) -> None:
        self.happened.append(TrueEvent(kind, at, card, note=note))

    def _someone(self) -> tuple[Person, float]:
        """Return a person and the direction that the arm points in."""
        person, turn = self._people[int(self.rng.integers(len(self._people)))]
        return person, turn + float(self.rng.normal(0, 9))

    def _some(self, span: Span) -> float:
        return float(self.rng.uniform(*span))


def _below(sheet: Sheet, hold: Sheet, turn: float, z: float) -> Reach:
    """Return where a hand is that holds a sheet at its place."""
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    x, y = -s * hold.x + c * hold.y, c * hold.x + s * hold.y
    return Reach(sheet.x - x, sheet.y - y, z, turn)


def _behind(reach: Reach, length: float) -> Reach:
    """Return a place so many mm back along the arm."""
    c, s = math.cos(math.radians(reach.turn)), math.sin(math.radians(reach.turn))
    return replace(reach, x=reach.x - c * length, y=reach.y - s * length)


def _away(reach: Reach, z: float) -> Reach:
    """Return where a hand comes from on its way to a place."""
    return replace(_behind(reach, FAR), z=z)


def _spun(one: Sheet, about: Sheet, dx: float, dy: float, spin: float) -> Sheet:
    c, s = math.cos(math.radians(spin)), math.sin(math.radians(spin))
    x, y = one.x - about.x, one.y - about.y
    return replace(
        one, x=about.x + c * x - s * y + dx, y=about.y + s * x + c * y + dy, turn=one.turn + spin
    )
