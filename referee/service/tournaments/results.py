"""The results of a tournament's tables: from their games, typed in, confirmed, disputed."""

from collections.abc import Sequence
from typing import Any

import structlog

from referee.rules.message import Message
from referee.service.access import SEAT_ACTORS, TABLE_PLAYERS, Principal
from referee.service.log.entries import now
from referee.service.log.preconditions import WriteRequest
from referee.service.log.table_projection import TableProjection
from referee.service.play.games import end_present_game, sheet_of_game
from referee.service.problems import Problem, invalid
from referee.service.tournaments.log import (
    TournamentChange,
    TournamentLog,
    TournamentProjection,
)
from referee.store.errors import StoreUnavailable
from referee.tournaments.fold import spent
from referee.tournaments.model import Ending, Round, SeatedTable
from referee.tournaments.scoring import best_of

logger = structlog.get_logger(__name__)
Body = dict[str, Any]
# The tournament itself, which reports what a table's game ended with.
REFEREE = Principal("", "", "referee")
# Rounds whose tables are looked at; a table that is written to is looked at in any case.
LATEST = 2


def settle(log: TournamentLog, tournament: TournamentProjection) -> None:
    """Take over what the tables of the latest rounds have ended with."""
    at = now()
    for played in tournament.state.rounds[-LATEST:]:
        ids = [t.table_id for t in played.tables if t.table_id is not None]
        newest = log.reader.newest(ids) if log.shared and ids else {}
        for seated in played.tables:
            if seated.table_id is None:
                continue
            try:
                table = log.events.table(seated.table_id)
                if table.version < newest.get(table.id, 0):
                    table = log.events.fresh(table.id)
            except Problem:  # purged
                continue
            try:
                _look(log, tournament, played, seated, table, at)
            except (Problem, StoreUnavailable) as error:
                # Read what is known; the next reader tries again.
                logger.warning("result not taken over yet", table=table.id, reason=str(error))


def table_played(log: TournamentLog, table: TableProjection) -> None:
    """Take over what a table's game has ended with, after a write at the table."""
    place = table.meta.tournament
    if place is None:
        return
    try:
        tournament = log.cached(place["id"]) or log.tournament(place["id"])
        if len(tournament.state.rounds) < place["round"]:
            tournament = log.tournament(place["id"])
        played = tournament.state.rounds[place["round"] - 1]
        seated = played.tables[place["table"] - 1]
        if seated.table_id == table.id:
            _look(log, tournament, played, seated, table, now())
    except (Problem, StoreUnavailable, IndexError) as error:
        # The move itself is written; the next reader of the tournament takes it over.
        logger.warning("result not taken over yet", table=table.id, reason=str(error))


def _look(
    log: TournamentLog,
    tournament: TournamentProjection,
    played: Round,
    seated: SeatedTable,
    table: TableProjection,
    at: str,
) -> None:
    if _is_due(tournament, played, table, at):
        _end(log, table)
        return
    ending = _ending(log, table, len(seated.players), tournament.state.settings.low)
    if ending != seated.seen:
        _report(log, tournament, played, seated, table, ending)


def _is_due(
    tournament: TournamentProjection, played: Round, table: TableProjection, at: str
) -> bool:
    """Return whether the table's game has to end: it has played its rounds, or its time is up."""
    state, settings = table.state, tournament.state.settings
    if state.winner is not None or not state.round or table.meta.closed or table.meta.game > 1:
        return False
    if state.in_progress or state.awaiting:
        return False
    if settings.finish == "card-rounds":
        return len(table.meta.results) >= (settings.card_rounds or 0)
    clock = played.clock
    return settings.finish == "time" and clock is not None and spent(clock, at) >= clock.seconds


def _end(log: TournamentLog, table: TableProjection) -> None:
    """End the game in the name of the organiser who made the table, and so report it."""
    host = Principal(next(iter(table.meta.hosts.held), ""), table.id, "host")
    try:
        end_present_game(log.events, table, WriteRequest(host))
    except Problem as problem:  # somebody else was first
        logger.debug("not ended", table=table.id, why=problem.kind)


def _ending(log: TournamentLog, table: TableProjection, seats: int, low: bool) -> Ending | None:
    """Return how the table's first game has ended; later ones do not count."""
    scores, winner = table.state.scores, table.state.winner
    if table.meta.game > 1:
        sheet = sheet_of_game(log.events, table, 1)
        scores, winner = tuple(sheet["scores"]), sheet["winner"]
    if winner is None:
        return None
    won = winner if isinstance(winner, tuple | list) else (winner,)
    counted = tuple(scores[:seats])
    # Who came to the table later is not in the tournament.
    return Ending(counted, tuple(seat for seat in won if seat <= seats) or best_of(counted, low))


def _report(
    log: TournamentLog,
    tournament: TournamentProjection,
    played: Round,
    seated: SeatedTable,
    table: TableProjection,
    ending: Ending | None,
) -> None:
    version = table.version
    place = {"round": played.number, "table": seated.number, "version": version}

    def decide() -> TournamentChange | None:
        known = tournament.state.rounds[played.number - 1].tables[seated.number - 1]
        if known.version >= version or known.table_id != table.id or known.seen == ending:
            return None
        by = REFEREE.to_json()
        if ending is None:
            return TournamentChange([("result-withdrawn", {"by": by, **place})])
        scores, winners = list(ending.scores), list(ending.winners)
        body = {"by": by, **place, "scores": scores, "winners": winners}
        return TournamentChange([("result-reported", {**body, "source": "table"})])

    log.write(tournament, WriteRequest(REFEREE), decide)


def enter_result(
    log: TournamentLog,
    tournament: TournamentProjection,
    request: WriteRequest,
    number: int,
    table: int,
    scores: Sequence[int],
    winners: Sequence[int] | None,
    decided: bool,
) -> None:
    """Type in a result: an organiser for any table, a seat for its own. Raises Problem.

    ``decided``: the organiser confirms it for everybody. Whoever else types it in agrees with it.
    """
    by = request.principal

    def decide() -> TournamentChange:
        seated = _playing(tournament, number, table)
        seat = _seat_of(by, seated)
        if seat is not None and seated.state == "confirmed":
            raise Problem("conflict", "This result is confirmed: only an organiser changes it.")
        if len(scores) != len(seated.players):
            reason = Message("must be one for each of {seats} seats", seats=len(seated.players))
            raise invalid("scores", reason)
        best = best_of(scores, tournament.state.settings.low)
        place = {"by": by.to_json(), "round": number, "table": table}
        for won in winners or ():
            if not 1 <= won <= len(scores):
                raise invalid("winners", Message("there is no seat {seat}", seat=won))
        body = {**place, "scores": list(scores), "winners": sorted(set(winners or best))}
        body |= {"source": "organiser" if seat is None else "seat"}
        body |= {"confirmed": [] if seat is None else [seat]}
        entries = [("result-reported", body)]
        if seat is None and decided:
            entries.append(("result-confirmed", {**place, "seats": [], "decided": True}))
        return TournamentChange(entries)

    log.write(tournament, request, decide)


def confirm_result(
    log: TournamentLog,
    tournament: TournamentProjection,
    request: WriteRequest,
    number: int,
    table: int,
    agrees: bool,
    seat: int | None,
    result: int | None,
    reason: str | None,
) -> None:
    """Confirm a result or dispute it: a seat for itself, an organiser for one or all seats.

    ``result`` is the id of the result that is meant. Raises Problem.
    """
    by = request.principal

    def decide() -> TournamentChange:
        seated = _playing(tournament, number, table)
        own = _seat_of(by, seated)
        if own is not None and seat not in (None, own):
            raise Problem("forbidden", SEAT_ACTORS.refusal)
        if seated.result is None:
            raise Problem("conflict", "This table has no result yet.")
        if result is not None and result != seated.result.id:
            raise Problem("conflict", "There is a newer result: look at it again.")
        meant = own if own is not None else seat
        if meant is not None and not 1 <= meant <= len(seated.players):
            raise invalid("seat", Message("there is no seat {seat}", seat=meant))
        place: Body = {"by": by.to_json(), "round": number, "table": table}
        if agrees:
            seats = [] if meant is None else [meant]
            decided = meant is None
            return TournamentChange(
                [("result-confirmed", {**place, "seats": seats, "decided": decided})]
            )
        if meant is None:
            raise invalid("seat", "say which seat disputes the result")
        if own is not None and seated.state == "confirmed":
            raise Problem("conflict", "This result is confirmed: only an organiser changes it.")
        return TournamentChange([("result-disputed", {**place, "seat": meant, "reason": reason})])

    log.write(tournament, request, decide)


def _playing(tournament: TournamentProjection, number: int, table: int) -> SeatedTable:
    rounds = tournament.state.rounds
    if not 1 <= number <= len(rounds):
        raise Problem("not-found", Message("There is no round {round}.", round=number))
    tables = rounds[number - 1].tables
    if not 1 <= table <= len(tables):
        raise Problem("not-found", Message("There is no table {table}.", table=table))
    seated = tables[table - 1]
    if seated.table_id is None:
        raise Problem("conflict", "This round has not begun.")
    return seated


def _seat_of(by: Principal, seated: SeatedTable) -> int | None:
    """Return the sender's seat at the table, None for an organiser. Raises Problem."""
    if by.role == "organiser":
        return None
    if by.table_id != seated.table_id or by.seat is None or by.seat > len(seated.players):
        raise Problem("forbidden", TABLE_PLAYERS.refusal)
    return by.seat
