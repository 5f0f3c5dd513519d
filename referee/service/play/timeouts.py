"""Choosing a table's turn timer, and ruling that time is up."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from referee.rules.actions import TimeUp
from referee.rules.play.time_up import may_be_drawn_for
from referee.service.log.event_log import Change, EventLog
from referee.service.log.preconditions import WriteRequest
from referee.service.log.table_meta import DRAW
from referee.service.log.table_projection import LogEntry, TableProjection
from referee.service.problems import Problem
from referee.service.reconcile.act_on_pile import explain_pile
from referee.service.reconcile.unit_of_work import UnitOfWork

Json = dict[str, Any]


def choose_timer(
    log: EventLog, table: TableProjection, request: WriteRequest, timer: Json | None
) -> LogEntry:
    """Give the turns of a table so many seconds, or as much time as they take (None)."""
    body = {"by": request.principal.to_json(), "timer": timer}
    return log.write(table, request, lambda: Change([("timer-chosen", body)]))[0]


def report_time_up(
    log: EventLog, table: TableProjection, request: WriteRequest, began: int
) -> LogEntry:
    """Rule that the time that began with an entry is up: once, whoever says so first.

    Raises Problem when it is not up by the server's clock, or when the game has gone on.
    """
    # All phones tell of the same moment, so they share a key.
    shared = replace(request, shared_key=f"time-up:{began}", fingerprint=f"time-up {began}")

    def decide() -> Change:
        timer = table.meta.timer
        if timer is None:
            raise Problem("conflict", "This table has no turn timer.")
        clock, left = timer.clock, timer.left(datetime.now(UTC))
        if clock is None or left is None or clock.began != began:
            raise Problem("conflict", "The game has gone on: that time does not run any more.")
        if clock.up:
            raise Problem("conflict", "Everybody knows already that this time is up.")
        if left > 0:
            raise Problem("conflict", "Time is not up yet.")
        if timer.then == DRAW and may_be_drawn_for(table.state, clock.seat):
            work = UnitOfWork(log, table)
            entry = work.next
            work.rule(request.principal, TimeUp(clock.seat))
            explain_pile(work)
            return work.change(entry)
        body = {
            "by": request.principal.to_json(),
            "round": table.state.round,
            "seat": clock.seat,
            "needs": list(clock.needs),
        }
        return Change([("time-up", body)])

    return log.write(table, shared, decide)[0]
