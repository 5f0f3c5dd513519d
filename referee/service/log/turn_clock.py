"""The turn timer of a table: since when a seat is awaited, told by the log, and what follows.

No thread counts: any phone whose countdown has ended says so, and the server looks at its clock.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

SAY, DRAW = THEN = ("say", "draw")
SHORTEST, LONGEST = 10, 300
# What a seat decides by itself. Showing or counting hands, and dares, take the time they take.
TIMED = frozenset({"play", "drawn", "color", "powers", "respond", "swap"})
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Clock:
    """The time of a seat: ``began`` is the log entry, ``since`` its time, with which it began.

    ``needs`` are what is awaited of it. ``up``: the table has been told that time is up.
    """

    began: int
    since: str
    seat: int
    needs: tuple[str, ...]
    up: bool = False


@dataclass(frozen=True, slots=True)
class Timer:
    """A table's timer: the seconds of a turn, and what is done ``then``, when they are over.

    ``clock`` is the time that is running; None while none is, as between rounds, while the referee
    asks about the pile, or while hands are shown.
    """

    seconds: int
    then: str = SAY
    clock: Clock | None = None

    def to_json(self) -> Json:
        """Return the timer as a snapshot has it."""
        return asdict(self)

    def left(self, now: datetime) -> float | None:
        """Return the seconds left, below 0 once time is up; None if no time is running."""
        if self.clock is None:
            return None
        return self.seconds - (now - datetime.fromisoformat(self.clock.since)).total_seconds()


def timer_from_json(value: Mapping[str, Any] | None) -> Timer | None:
    """Read what ``Timer.to_json`` wrote, or what an entry says about a timer."""
    if value is None:
        return None
    clock = value.get("clock")
    if clock is not None:
        clock = Clock(**{**clock, "needs": tuple(clock["needs"])})
    return Timer(value["seconds"], value["then"], clock)
