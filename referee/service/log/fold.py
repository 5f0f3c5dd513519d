"""Fold the entries of a log into its table, one after the other."""

from collections.abc import Mapping
from dataclasses import replace

from referee.rules.message import Message
from referee.rules.position.state import State
from referee.service.log.game_folds import GAME_FOLDS
from referee.service.log.hosts import HOST_KINDS
from referee.service.log.table_folds import TABLE_FOLDS
from referee.service.log.table_meta import TIMED, Clock
from referee.service.log.table_projection import Fold, LogEntry, TableProjection
from referee.service.pile.layers import pile_from_json
from referee.service.problems import Problem

CONCERN_HOSTS = frozenset(
    {*HOST_KINDS, "host-asked", "host-agreed", "host-request-ended"},
)
# After these the time of whoever is awaited begins anew.
RESTARTS = frozenset({"round-opened", "corrected", "timer-chosen", "game-started", "opened-again"})

FOLDS: Mapping[str, Fold] = {**TABLE_FOLDS, **GAME_FOLDS}


def check_kind(kind: str) -> None:
    """Check that an entry of this kind can be folded in once it is stored. Raises ValueError."""
    if kind not in FOLDS:
        raise ValueError(f"no fold for entries of kind {kind!r}")


def fold(table: TableProjection, entry: LogEntry, state: State | None = None) -> None:
    """Fold an entry in; ``state`` is the state after it, where the caller has it already.

    Raises Problem when a newer server has written it.
    """
    if entry.kind not in FOLDS:
        raise Problem(
            "newer-log",
            Message("A newer server has written entry {entry}: update this one.", entry=entry.seq),
        )
    FOLDS[entry.kind](table, entry, state)
    if entry.kind in CONCERN_HOSTS:
        table.meta.hosts.take(entry.seq, entry.kind, entry.at, entry.body)
    if "pile" in entry.body:
        table.meta.pile = pile_from_json(entry.body["pile"])
    _follow(table, entry)
    table.version = entry.seq
    table.presence.change()
    if table.watchers:
        table.tail.append(entry)
    else:
        table.tail.clear()


def _follow(table: TableProjection, entry: LogEntry) -> None:
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


def _begins(entry: LogEntry) -> bool:
    """Return whether time begins anew, though the same seat may be awaited for the same."""
    if entry.kind in RESTARTS:
        return True
    return any(event["event"] == "turn-came" for event in entry.body.get("events", ()))


def _awaited(table: TableProjection) -> tuple[int, tuple[str, ...]] | None:
    """Return the seat that is awaited for what has its time, and the needs."""
    state, meta = table.state, table.meta
    asks = meta.pile is not None and meta.pile.question is not None
    seats = {seat for seat, _ in state.awaiting}
    needs = tuple(sorted(need for _, need in state.awaiting))
    if state.turn is None or meta.closed or asks or len(seats) != 1 or not TIMED.issuperset(needs):
        return None
    return seats.pop(), needs
