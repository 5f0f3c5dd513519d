"""What happens in a film, as functions of time: hands on their ways, and the pile as it changes."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from lab.films.staging.lighting import Lighting
from lab.films.staging.moment import Guest, Moment
from lab.films.staging.people import Person, Reach
from lab.films.staging.sheet import Sheet

Seen = Callable[[Reach], tuple[float, float]]
"""Where a hand's place is in the picture, in pixels."""


@dataclass(frozen=True, slots=True)
class Key:
    """Where a hand is at a time in seconds."""

    time: float
    reach: Reach


@dataclass(frozen=True, slots=True)
class Grip:
    """Sheets held for a while; each sheet's place is relative to the hand, which points along y.

    The lean about the long axis goes from ``roll[0]`` to ``roll[1]`` degrees meanwhile.
    """

    start: float
    end: float
    sheets: tuple[Sheet, ...]
    roll: tuple[float, float] = (0.0, 0.0)


@dataclass
class Visit:
    """A hand that comes and goes."""

    person: Person
    keys: list[Key]
    grips: list[Grip] = field(default_factory=list)
    sway: float = 0.0  # mm by which it swings while it holds still
    tremor: float = 0.4  # mm by which it trembles
    phase: float = 0.0

    def reach(self, time: float) -> Reach:
        """Return where the hand is; smooth between the keys."""
        keys = self.keys
        k = 0
        while k + 2 < len(keys) and keys[k + 1].time <= time:
            k += 1
        a, b = keys[k], keys[min(k + 1, len(keys) - 1)]
        span = b.time - a.time
        u = min(max((time - a.time) / span, 0.0), 1.0) if span > 0 else 1.0
        s = u * u * u * (10 + u * (6 * u - 15))
        p, q = a.reach, b.reach
        # Hands go in an arc, not along a line.
        here = (
            getattr(p, name) + (getattr(q, name) - getattr(p, name)) * s
            for name in ("x", "y", "z", "turn", "flat")
        )
        x, y, z, turn, flat = here
        w = time * math.tau
        swing = self.sway
        dx = swing * math.sin(0.43 * w + self.phase) + 0.4 * swing * math.sin(1.1 * w)
        dy = swing * 0.8 * math.sin(0.31 * w + 2 * self.phase) + 0.3 * swing * math.sin(0.9 * w)
        dx += self.tremor * math.sin(4.7 * w + self.phase) * 0.6
        dy += self.tremor * math.sin(6.1 * w + 1.7 * self.phase) * 0.6
        dz = 0.5 * swing * math.sin(0.27 * w + self.phase)
        return Reach(
            x + dx, y + dy, max(z + dz, 0.0), turn + 0.25 * swing * math.sin(0.5 * w), flat
        )

    @property
    def brings(self) -> int:
        """The number of sheets that it holds first."""
        return len(self.grips[0].sheets) if self.grips else 0

    def held(self, time: float, reach: Reach) -> tuple[Sheet, ...]:
        """Return the sheets that it holds, where they are."""
        for grip in self.grips:
            if grip.start <= time < grip.end:
                share = (time - grip.start) / max(grip.end - grip.start, 1e-6)
                roll = grip.roll[0] + (grip.roll[1] - grip.roll[0]) * share
                return tuple(carried(sheet, reach, roll) for sheet in grip.sheets)
        return ()


def carried(sheet: Sheet, reach: Reach, roll: float = 0.0) -> Sheet:
    """Return a sheet placed relative to a hand as it lies in space."""
    c, s = math.cos(math.radians(reach.turn)), math.sin(math.radians(reach.turn))
    return replace(
        sheet,
        x=reach.x - s * sheet.x + c * sheet.y,
        y=reach.y + c * sheet.x + s * sheet.y,
        z=reach.z + sheet.z,
        turn=sheet.turn + reach.turn + 90,
        lean=(sheet.lean[0] + roll, sheet.lean[1]),
    )


def relative(sheet: Sheet, reach: Reach) -> Sheet:
    """Return a sheet in space as it lies relative to a hand: what ``carried`` undoes."""
    c, s = math.cos(math.radians(reach.turn)), math.sin(math.radians(reach.turn))
    dx, dy = sheet.x - reach.x, sheet.y - reach.y
    return replace(
        sheet,
        x=-s * dx + c * dy,
        y=c * dx + s * dy,
        z=sheet.z - reach.z,
        turn=sheet.turn - reach.turn - 90,
    )


@dataclass(frozen=True, slots=True)
class Change:
    """The pile becomes ``after`` between two times; if they differ, its sheets stay the same."""

    start: float
    end: float
    after: tuple[Sheet, ...]


@dataclass
class Timeline:
    """A film's events; ``beside`` are sheets that lie there all the time."""

    lighting: Lighting
    pile: tuple[Sheet, ...] = ()
    beside: tuple[Sheet, ...] = ()
    visits: list[Visit] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    length: float = 0.0
    # The window's reflection swings by so many mm, once in so many seconds.
    drift: tuple[float, float] = (0.0, 10.0)

    def pile_at(self, time: float) -> tuple[Sheet, ...]:
        """Return the pile, the lowest sheet first."""
        pile = self.pile
        for change in self.changes:
            if time < change.start:
                break
            if time < change.end:
                u = (time - change.start) / (change.end - change.start)
                s = u * u * (3 - 2 * u)
                return tuple(_between(a, b, s) for a, b in zip(pile, change.after, strict=True))
            pile = change.after
        return pile

    def forget(self, time: float) -> None:
        """Drop what is over."""
        while self.changes and self.changes[0].end <= time:
            self.pile = self.changes.pop(0).after
        self.visits = [visit for visit in self.visits if visit.keys[-1].time > time]

    def light_at(self, time: float) -> Lighting:
        """Return the light."""
        reach, period = self.drift
        if not reach:
            return self.lighting
        # In steps, so that what is drawn can be kept for some frames.
        step = round(time * 5) / 5
        x, y = self.lighting.window_at
        dx = reach * math.sin(math.tau * step / period)
        dy = 0.6 * reach * math.sin(math.tau * step / period * 0.73 + 1)
        return replace(self.lighting, window_at=(x + dx, y + dy))

    def guests_at(self, time: float, seen: Seen) -> tuple[Guest, ...]:
        """Return the hands over the table; ``seen`` tells where a place is in the picture."""
        guests = []
        for visit in self.visits:
            if visit.keys[0].time <= time < visit.keys[-1].time:
                reach = visit.reach(time)
                a, b = (seen(visit.reach(time + step)) for step in (-0.004, 0.004))
                speed = ((b[0] - a[0]) / 0.008, (b[1] - a[1]) / 0.008)
                held = visit.held(time, reach)
                guests.append(Guest(visit.person, reach, held, speed, visit.brings))
        return tuple(sorted(guests, key=lambda guest: guest.reach.z))

    def moment(self, time: float, seen: Seen) -> Moment:
        """Return what the table looks like."""
        return Moment(
            self.pile_at(time), self.guests_at(time, seen), self.light_at(time), self.beside
        )


def _between(a: Sheet, b: Sheet, share: float) -> Sheet:
    if a == b:
        return a
    return replace(
        b,
        x=a.x + (b.x - a.x) * share,
        y=a.y + (b.y - a.y) * share,
        turn=a.turn + (b.turn - a.turn) * share,
    )
