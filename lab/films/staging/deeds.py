"""What people do at the table, written into a timeline with the truth about it."""

import math
from dataclasses import replace

import numpy as np

from lab.films.staging.people import Reach
from lab.films.staging.script import Script, Span, away, behind, below
from lab.films.staging.sheet import BACK, Sheet
from lab.films.staging.timeline import Grip, Key, Visit, carried

FAN_OFF = {"over": (-25.0, 80.0), "beside": (88.0, 135.0), "still": (25.0, 60.0)}
"""Distances in mm of a fan's middle from the pile's, by where it is held."""


class Writer(Script):
    """Writes deed after deed."""

    # -- cards laid and taken --

    def lay(
        self,
        card: str,
        note: str = "",
        *,
        drawn: bool = False,
        brisk: float = 1.0,
        after: float = 0.0,
        seat: float | None = None,
    ) -> None:
        """Lay a card on the pile, from the hand or turned up from the draw pile, if there is one.

        It comes down ``after`` that time at the earliest; ``seat`` is as of ``someone``.
        """
        rng, habits = self.rng, self.habits
        speed = self.some(habits.brisk) * brisk
        person, turn = self.someone(seat)
        sheet = self.lying(card)
        hold, turn = self.hold_for(sheet, person, turn)
        at = below(sheet, hold, turn, z=sheet.z + 2)
        visit = Visit(person, [], phase=float(rng.uniform(0, 6)))
        if drawn and self.timeline.beside:
            self.reach_for_draw_pile(visit, hold, turn, speed)
        else:
            visit.keys.append(Key(self.now, away(at, float(rng.uniform(50, 110)))))
            visit.grips.append(Grip(self.now, math.inf, (hold,)))
        begin = visit.keys[-1].time
        over = replace(
            at,
            x=at.x + float(rng.normal(0, 8)),
            y=at.y + float(rng.normal(0, 8)),
            z=at.z + float(rng.uniform(18, 45)),
        )
        there = begin + self.some((0.35, 0.75)) / speed
        down = max(there + self.some((0.1, 0.3)) / speed, after)
        visit.keys += [Key(there, over), Key(down, at)]
        visit.grips[-1] = replace(visit.grips[-1], end=down)
        self.put(down, (*self._pile, sheet))
        self.tell("placed", down, card, note)
        leave = down + self.some(habits.rest) / max(brisk, 1.0)
        flat = 1.0 if rng.random() < habits.pressing else 0.0
        rests = replace(at, z=at.z + 1, flat=flat)
        still = min(down + 0.12, leave)
        visit.keys.append(Key(still, rests))
        if leave - still > 0.2 and rng.random() < habits.slide:
            dx, dy = (float(v) for v in rng.normal(0, 3, 2))
            moved = sheet.moved(dx, dy, float(rng.normal(0, 3)))
            rests = replace(rests, x=rests.x + dx, y=rests.y + dy)
            self.put(still, (*self._pile[:-1], moved), still + 0.2)
            visit.keys.append(Key(still + 0.2, rests))
        self.withdraw(visit, rests, leave, speed)

    def toss(self, card: str) -> None:
        """Throw a card onto the pile from some way off."""
        rng = self.rng
        speed = self.some(self.habits.brisk)
        person, turn = self.someone()
        sheet = self.lying(card)
        hold, turn = self.hold_for(sheet, person, turn)
        final = below(sheet, hold, turn, z=sheet.z + 12)
        at = behind(final, float(rng.uniform(60, 130)))
        visit = self.bring_hand(person, away(at, 70))
        free = self.now + self.some((0.35, 0.6)) / speed
        visit.keys.append(Key(free, at))
        visit.grips.append(Grip(visit.keys[0].time, free, (hold,)))
        spin = float(rng.normal(0, 25))
        start = sheet.moved(at.x - final.x, at.y - final.y, spin)
        down = free + self.some((0.14, 0.28))
        # It flies as a sheet of the pile, which is drawn without a blur.
        self.put(free, (*self._pile, start))
        self.put(free, (*self._pile[:-1], sheet), down)
        self.tell("placed", down, card, "tossed")
        self.withdraw(visit, at, free + 0.1, speed)
        self.now = max(self.now, down)

    def quick(self, first: str, second: str, gap: Span = (0.3, 0.8)) -> None:
        """Lay two cards by two hands, the second one so many seconds behind the first."""
        begin = self.now
        self.lay(first, "quick", brisk=1.5)
        end, at = self.now, self.happened[-1].at
        # The second hand is on its way while the first one leaves.
        self.now = begin + self.some(gap)
        self.lay(second, "quick", brisk=1.5, after=at + float(self.rng.uniform(0.35, 0.6)))
        self.now = max(self.now, end)

    def lift(self) -> None:
        """Take the top card away."""
        visit, up = self.take_cards(1)
        top = self._pile[-1].card if self._pile else None
        self.tell("lifted" if self._pile else "cleared", up, top)
        self.withdraw(visit, visit.keys[-1].reach, visit.keys[-1].time, 1.0)

    def put_back(self) -> None:
        """Take the top card, look at it, and put it back."""
        rng = self.rng
        visit, _ = self.take_cards(1)
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
        self.put(down, (*self._pile, replace(sheet, z=self.level())))
        self.tell("put back", down, sheet.card)
        leave = down + self.some(self.habits.rest)
        visit.keys.append(Key(leave, back))
        self.withdraw(visit, back, leave, 1.0)

    def clear(self, note: str = "") -> None:
        """Take the whole pile away."""
        visit, up = self.take_cards(len(self._pile))
        self.tell("cleared", up, None, note)
        self.withdraw(visit, visit.keys[-1].reach, visit.keys[-1].time, 1.0)

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
        person, turn = self.someone()
        at = Reach(top.x, top.y, top.z + 4, turn, 0.8)
        at = behind(at, float(rng.uniform(0, 25)))
        visit = self.bring_hand(person, away(at, 60))
        there = self.now + self.some((0.4, 0.7))
        push = there + self.some((0.15, 0.4))
        dx, dy = (float(v) for v in np.clip(rng.normal(0, 7, 2), -13, 13))
        spin = float(rng.normal(0, 4.5))
        visit.keys += [Key(there, at), Key(push, replace(at, x=at.x + dx, y=at.y + dy))]
        moved = tuple(_spun(sheet, top, dx, dy, spin) for sheet in self._pile[-count:])
        self.put(there, self._pile[:-count] + moved, push)
        self.tell("nudged", there, self.top, what)
        self.withdraw(visit, visit.keys[-1].reach, push, 1.0)

    def square_up(self) -> None:
        """Square the pile up with two hands."""
        rng = self.rng
        turn = self.someone()[1]
        person = self._people[int(rng.integers(len(self._people)))][0]
        there, begin = self.now + 0.6, self.now
        done = there + self.some((0.5, 0.9))
        ends = []
        for side, left in ((-65.0, False), (65.0, True)):
            way = turn + side
            at = behind(Reach(0, 0, self.level() + 5, way, 0.6), 46.0)
            near = behind(at, -8.0)
            hand = replace(person, left=left)
            start = away(at, 60)
            visit = Visit(hand, [Key(begin, start), Key(there, at), Key(done, near)])
            self.timeline.visits.append(visit)
            visit.keys.append(Key(done + 0.55, start))
            ends.append(done + 0.55)
        skew = self._upright + float(rng.normal(0, 3))
        aims = []
        for sheet in self._pile:
            half = 180.0 * round((sheet.turn - skew) / 180.0)
            dx, dy, more = (float(v) for v in rng.normal(0, 0.8, 3))
            aims.append(replace(sheet, x=dx, y=dy, turn=skew + half + more))
        self.put(there, tuple(aims), done)
        self.tell("tidied", there, self.top)
        self.now = max(ends)

    def pass_over(self, card: str | None = None, brisk: float = 1.0) -> None:
        """Move an arm across the pile and away."""
        rng = self.rng
        person, turn = self.someone()
        z = float(rng.uniform(35, 110))
        x, y = (float(v) for v in rng.normal(0, 28, 2))
        over = Reach(x, y, z, turn, float(rng.uniform(0, 1)))
        over = behind(over, float(rng.uniform(-60, 30)))
        visit = self.bring_hand(person, away(over, z + 20))
        if card:
            visit.grips.append(Grip(self.now, math.inf, (self.offered(card),)))
            visit.keys[0] = replace(visit.keys[0], reach=replace(visit.keys[0].reach, flat=0))
            over = replace(over, flat=0.0)
        there = self.now + self.some((0.35, 0.7)) / brisk
        self.tell("passed", there, card)
        swing = float(rng.choice([-1, 1])) * float(rng.uniform(15, 40))
        side = behind(replace(over, turn=turn + swing, x=0, y=0), float(rng.uniform(-90, 60)))
        visit.keys += [Key(there, over), Key(there + 0.35 / brisk, side)]
        self.withdraw(visit, side, there + 0.35 / brisk, brisk)

    def hover(self, seconds: float, card: str | None = None) -> None:
        """Hold a hand, with a card or without, over the pile."""
        rng = self.rng
        person, turn = self.someone()
        x, y = (float(v) for v in rng.normal(0, 15, 2))
        over = Reach(x, y, float(rng.uniform(35, 90)), turn)
        over = replace(behind(over, float(rng.uniform(0, 35))), flat=0.0 if card else 0.5)
        visit = self.bring_hand(person, away(over, 80))
        visit.sway = 2.0
        if card:
            visit.grips.append(Grip(self.now, math.inf, (self.offered(card),)))
        there = self.now + self.some((0.4, 0.7))
        self.tell("hovered", there, card, "card" if card else "hand")
        visit.keys += [Key(there, over), Key(there + seconds, over)]
        self.withdraw(visit, over, there + seconds, 1.0)

    def draw(self, brisk: float = 1.0, seat: float | None = None) -> None:
        """Take a card from the draw pile, if there is one; ``seat`` is as of ``someone``."""
        if not self.timeline.beside:
            self.pass_over()
            return
        person, turn = self.someone(seat)
        visit = Visit(person, [])
        held = Sheet(BACK, self.new_number(), 0, 26, 2)
        self.reach_for_draw_pile(visit, held, turn, brisk, turned=False)
        last = visit.keys[-1]
        self.tell("drawn", last.time)
        self.withdraw(visit, last.reach, last.time, brisk)

    def hold_fan(self, where: str) -> tuple[Visit, Reach]:
        """Bring a fan of cards; ``fold_fan`` takes it away.

        It is held "over" the pile, "beside" it, or "still" over about half of it.
        """
        rng = self.rng
        person, turn = self.someone()
        way = turn + (float(rng.normal(0, 20)) if where == "beside" else 0.0)
        off = float(rng.uniform(*FAN_OFF[where]))
        height = float(rng.uniform(40, 150))
        # The fan's middle lies some way in front of the pinch.
        at = behind(Reach(0, 0, height, way), off + 42.0)
        visit = self.bring_hand(person, away(at, height + 20))
        if where == "still":
            visit.sway, visit.tremor = float(rng.uniform(0, 2)), float(rng.uniform(0, 0.1))
        else:
            visit.sway = float(rng.uniform(0.8, 4.0))
        count = int(rng.integers(3, 8))
        step = float(rng.uniform(9, 17))
        pitch = float(rng.uniform(-2, 24))
        hidden = bool(rng.random() < 0.2)
        fan = []
        for k in range(count):
            angle = (k - (count - 1) / 2) * step
            card = BACK if hidden else self.other_card()
            sheet = Sheet(card, self.new_number(), turn=angle, z=2 + 0.6 * k)
            x, y = 52 * math.sin(math.radians(angle)), 52 * math.cos(math.radians(angle)) - 10
            fan.append(replace(sheet, x=x, y=y, lean=(float(rng.normal(0, 3)), pitch)))
        visit.grips.append(Grip(self.now, math.inf, tuple(fan)))
        there = self.now + self.some((0.45, 0.8))
        visit.keys.append(Key(there, at))
        shown = None if hidden else fan[-1].card
        self.tell("hovered", there, shown, f"fan {where}")
        self.now = there
        return visit, at

    def lean(self) -> tuple[Visit, Reach]:
        """Lay an arm on the table beside the place; ``fold_fan`` takes it away."""
        rng = self.rng
        person, turn = self.someone()
        way = turn + float(rng.choice([-1, 1])) * float(rng.uniform(15, 40))
        at = behind(Reach(0, 0, 6, way, 1.0), float(rng.uniform(85, 120)))
        visit = self.bring_hand(person, away(at, 60))
        there = self.now + self.some((0.45, 0.8))
        visit.keys.append(Key(there, at))
        self.tell("hovered", there, None, "hand beside")
        self.now = there
        return visit, at

    def knock(self) -> None:
        """Knock the table or the camera, so that it sees the pile elsewhere."""
        self.tell("bumped", self.now)
        self.now += 0.8

    def glare(self, *, on: bool) -> None:
        """Let a lamp be reflected by the top card, or no more."""
        top, lighting = self._pile[-1], self.timeline.lighting
        window = 235.0 if on else 0.0
        at, half = (top.x, top.y), (30.0, 30.0)
        self.timeline.lighting = replace(lighting, window=window, window_at=at, window_size=half)
        self.tell("moved lamp", self.now)

    def fold_fan(self, fan: tuple[Visit, Reach]) -> None:
        """Take a fan away, or an arm."""
        visit, at = fan
        visit.keys.append(Key(self.now, at))
        self.withdraw(visit, at, self.now, 1.0)


def _spun(sheet: Sheet, about: Sheet, dx: float, dy: float, spin: float) -> Sheet:
    c, s = math.cos(math.radians(spin)), math.sin(math.radians(spin))
    x, y = sheet.x - about.x, sheet.y - about.y
    return replace(
        sheet,
        x=about.x + c * x - s * y + dx,
        y=about.y + s * x + c * y + dy,
        turn=sheet.turn + spin,
    )
