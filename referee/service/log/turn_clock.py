"""The turn timer of a table: since when a seat is awaited, told by the log, and what follows.

No thread counts: any phone whose countdown has ended says so, and the server looks at its clock.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from referee.service.log.table_projection import LogEntry, TableProjection

SAY, DRAW = THEN = ("say", "draw")
SHORTEST, LONGEST = 10, 300
# What a seat decides by itself. Showing or counting hands, and dares, take the time they take.
TIMED = frozenset({"play", "drawn", "color", "powers", "respond", "swap"})
# After these the time of whoever is awaited begins anew.
RESTARTS = frozenset({"round-opened", "corrected", "timer-chosen", "game-started", "opened-again"})
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


def follow(table: "TableProjection", entry: "LogEntry") -> None:
    """Let the table's timer run on after an entry, or begin anew."""
    timer = table.meta.timer
    if timer is None:
        return
    awaited, clock = _awaited(table), timer.clock
    if awaited is None:
        clock = None
    elif clock is None or (clock.seat, clock.needs) != awaited or _begins(entry):
        clock = Clock(entry.seq, entry.at, *awaited)
    elif entry.kind == "time-up":
        clock = replace(clock, up=True)
    if clock is not timer.clock:
        table.meta.timer = replace(timer, clock=clock)


def _begins(entry: "LogEntry") -> bool:
    """Return whether time begins anew, though the same seat may be awaited for the same."""
    if entry.kind in RESTARTS:
        return True
    return any(event["event"] == "turn-came" for event in entry.body.get("events", ()))


def _awaited(table: "TableProjection") -> tuple[int, tuple[str, ...]] | None:
    """Return the seat that is awaited for what has its time, and the needs."""
    state, meta = table.state, table.meta
    asks = meta.pile is not None and meta.pile.question is not None
    seats = {seat for seat, _ in state.awaiting}
    needs = tuple(sorted(need for _, need in state.awaiting))
    if state.turn is None or meta.closed or asks or len(seats) != 1 or not TIMED.issuperset(needs):
        return None
    return seats.pop(), needs


def timer_view(table: "TableProjection") -> Json | None:
    """Return the table's timer, its running time, and the server's time now."""
    timer = table.meta.timer
    if timer is None:
        return None
    clock, now = timer.clock, datetime.now(UTC)
    running = clock and {
        "began": clock.began,
        "seat": clock.seat,
        "needs": list(clock.needs),
        "since": clock.since,
        "up": clock.up,
    }
    return {
        "seconds": timer.seconds,
        "then": timer.then,
        "running": running,
        "now": now.isoformat(timespec="milliseconds"),
    }
