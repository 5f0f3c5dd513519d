"""Moves and corrections: the only writer of rulings."""

from collections.abc import Mapping
from typing import Any

from referee.rules.actions import Action, Overruled, SetHand
from referee.rules.codec import FieldError, parse_move
from referee.service.access import require_host
from referee.service.event_log import Change, EventLog, WriteRequest
from referee.service.pile_inference import drain
from referee.service.problems import Problem, from_field, invalid
from referee.service.reconcile_move import reconcile_move
from referee.service.table_projection import LogEntry, TableProjection
from referee.service.unit_of_work import UnitOfWork


def make_move(
    log: EventLog, table: TableProjection, request: WriteRequest, move: Mapping[str, Any]
) -> LogEntry:
    """Rule on a move and write it down, legal or not. Raises Problem."""
    action = read_move(table, request, move)

    def adjudicate() -> Change:
        if not table.state.round:
            raise Problem("conflict", "No round has begun: turn up the first card.")
        work = UnitOfWork(log, table)
        work.finish_choice(action)
        answer = reconcile_move(work, request, action)
        if work.entries[answer][0] != "confirmed":
            # Who says what the camera has seen since is not behind the times, but of one mind.
            log.check_version(table, request)
        work.look()
        drain(work)
        return work.change(answer)

    entry, _ = log.write(table, request, adjudicate, any_version=True)
    return entry


def read_move(table: TableProjection, request: WriteRequest, move: Mapping[str, Any]) -> Action:
    """The move as an action of somebody who may make it. Raises Problem."""
    principal = request.principal
    if principal.role not in ("host", "seat"):
        raise Problem("forbidden", "A spectator or a device makes no moves.")
    if "seat" not in move and principal.seat is not None:
        move = {**move, "seat": principal.seat}
    try:
        action = parse_move(move, len(table.state.game.seats))
    except FieldError as error:
        raise from_field(error) from None
    if isinstance(action, Overruled | SetHand):
        raise invalid("move", "the host's corrections have a place of their own")
    if not principal.may_act_for(action.seat):
        raise Problem("forbidden", "Nobody may play for another seat but the host.")
    return action


def correct(
    log: EventLog, table: TableProjection, request: WriteRequest, change: Mapping[str, Any]
) -> LogEntry:
    """Correct the game and play it again from there. Nothing is erased: the log keeps both."""
    require_host(request.principal)

    def adjudicate() -> Change:
        work = UnitOfWork(log, table)
        work.correct(request.principal, change)
        drain(work)
        return work.change(answer=0)

    entry, _ = log.write(table, request, adjudicate)
    return entry
