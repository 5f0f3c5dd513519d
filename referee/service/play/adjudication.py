"""Moves and corrections by people."""

from collections.abc import Callable, Mapping
from typing import Any

from referee.rules.actions import Action, Leave, Overruled, Reveal, SetHand, TimeUp
from referee.rules.codec import parse_move
from referee.rules.move_fields import FieldError
from referee.rules.position.state import Game
from referee.service.access import check_acts_for
from referee.service.history.correction_checks import check_effect, check_takes_back, own_last_entry
from referee.service.log.event_log import Change, EventLog
from referee.service.log.preconditions import WriteRequest
from referee.service.log.table_projection import LogEntry, TableProjection
from referee.service.people.seats import leaves_in_round, leaving
from referee.service.problems import Problem, from_field, invalid
from referee.service.reconcile.act_on_pile import explain_pile
from referee.service.reconcile.reconcile_move import reconcile_move
from referee.service.reconcile.round_opening import check_knows_unknown
from referee.service.reconcile.unit_of_work import UnitOfWork


def make_move(
    log: EventLog, table: TableProjection, request: WriteRequest, move: Mapping[str, Any]
) -> LogEntry:
    """Rule on a move and record it, legal or not. Raises Problem."""
    return log.write(table, request, _ruling_on(log, table, request, move))[0]


def preview_play(
    log: EventLog, table: TableProjection, request: WriteRequest, move: Mapping[str, Any]
) -> tuple[LogEntry, Game]:
    """Return the entry that laying a card would make, and the game after it. Raises Problem.

    Of other moves the ruling may say what only the table can notice, such as a missing call.
    """
    if move.get("move") != "play":
        raise invalid("move", "only a card to be laid can be tried")
    return log.preview(table, request, _ruling_on(log, table, request, move))


def _ruling_on(
    log: EventLog, table: TableProjection, request: WriteRequest, move: Mapping[str, Any]
) -> Callable[[], Change]:
    action = read_move(table, request, move)

    def adjudicate() -> Change:
        if isinstance(action, Leave) and not leaves_in_round(table.state):
            return leaving(table, request, action.seat)
        if not table.state.round:
            raise Problem("conflict", "No round has begun: turn up the first card.")
        work = UnitOfWork(log, table)
        work.finish_choice_before(action)
        entry = reconcile_move(work, request.principal, action, request.known_version)
        work.choose_moved_towers()
        explain_pile(work)
        return work.change(entry)

    return adjudicate


def read_move(table: TableProjection, request: WriteRequest, move: Mapping[str, Any]) -> Action:
    """Return the move as an action of a seat that the sender may act for. Raises Problem."""
    principal = request.principal
    if "seat" not in move and principal.seat is not None:
        move = {**move, "seat": principal.seat}
    try:
        action = parse_move(move, len(table.state.game.seats))
    except FieldError as error:
        raise from_field(error) from None
    if isinstance(action, Overruled | SetHand):
        raise invalid("move", "the host's corrections have a place of their own")
    if isinstance(action, TimeUp):
        raise invalid("move", "the referee alone rules that time is up")
    check_acts_for(principal, action.seat, "Nobody may play for another seat but the host.")
    if isinstance(action, Reveal) and action.unknown:
        check_knows_unknown(principal)
    return action


def correct(
    log: EventLog, table: TableProjection, request: WriteRequest, change: Mapping[str, Any]
) -> LogEntry:
    """Correct the game and play it again from there. Nothing is erased: the log keeps both.

    A seat takes back its own last entry and does nothing else. Raises Problem.
    """
    with log.long_games.turn(table.version - table.meta.game_since):
        return log.write(table, request, _correcting(log, table, request, change))[0]


def preview_correction(
    log: EventLog, table: TableProjection, request: WriteRequest, change: Mapping[str, Any]
) -> tuple[LogEntry, Game]:
    """Return the entry that a correction would make, and the game after it. Raises Problem."""
    with log.long_games.turn(table.version - table.meta.game_since):
        return log.preview(table, request, _correcting(log, table, request, change))


def _correcting(
    log: EventLog, table: TableProjection, request: WriteRequest, change: Mapping[str, Any]
) -> Callable[[], Change]:
    by = request.principal

    def adjudicate() -> Change:
        own = None if by.is_host else own_last_entry(log, table, by, change)
        work = UnitOfWork(log, table)
        entry = work.next
        corrected = work.correct(by, change)
        if own is not None:
            check_takes_back(corrected, own)
        check_effect(corrected)
        explain_pile(work)
        return work.change(entry)

    return adjudicate
