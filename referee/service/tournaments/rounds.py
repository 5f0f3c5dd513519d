"""Draw a round of a tournament, start its tables and its clock, close it."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import structlog
from sqlalchemy import insert

from referee.rules.engine import new_game
from referee.rules.message import Message
from referee.rules.records.serial import game_to_json
from referee.rules.rulings import RuleError
from referee.service.access import Principal, new_code, new_id
from referee.service.log.entries import now
from referee.service.log.event_log import Change
from referee.service.log.preconditions import WriteRequest
from referee.service.log.table_projection import TableProjection
from referee.service.people.operator import close_table
from referee.service.play.games import end_present_game
from referee.service.problems import Problem, from_rule, invalid
from referee.service.tournaments.log import (
    TournamentChange,
    TournamentLog,
    TournamentProjection,
)
from referee.service.tournaments.results import settle
from referee.store.schema import tables
from referee.tournaments.draw import Draw, candidates, draw_round
from referee.tournaments.fold import evolve
from referee.tournaments.model import Round, SeatedTable, Tournament
from referee.tournaments.standings import is_decided

logger = structlog.get_logger(__name__)
Body = dict[str, Any]
MOST_ROUNDS = 20
MOST_TABLES = 1000


def find_round(tournament: TournamentProjection, number: int) -> Round:
    """Return a round of the tournament. Raises Problem."""
    rounds = tournament.state.rounds
    if not 1 <= number <= len(rounds):
        raise Problem("not-found", Message("There is no round {round}.", round=number))
    return rounds[number - 1]


def find_seated(tournament: TournamentProjection, number: int, table: int) -> SeatedTable:
    """Return a table of a round. Raises Problem."""
    drawn = find_round(tournament, number)
    if not 1 <= table <= len(drawn.tables):
        raise Problem("not-found", Message("There is no table {table}.", table=table))
    return drawn.tables[table - 1]


def draw(
    log: TournamentLog,
    tournament: TournamentProjection,
    request: WriteRequest,
    seating: Sequence[Sequence[int]] | None,
    force: bool,
) -> None:
    """Draw the next round, or take the given seating. Raises Problem.

    ``force``: results that are missing or not confirmed count as they stand.
    """
    if force:
        end_games(log, tournament, request.principal)
    settle(log, tournament)

    ready: tuple[int, TournamentChange] | None = None
    version, state = tournament.current
    # Others wait for the lock, so it is drawn before. A repeated request may be refused here.
    with suppress(Problem):
        ready = version, _drawing(state, request.principal, seating, force)

    def decide() -> TournamentChange:
        version, state = tournament.current
        if ready is not None and ready[0] == version:
            return ready[1]
        return _drawing(state, request.principal, seating, force)

    log.write(tournament, request, decide)


def _drawing(
    state: Tournament, organiser: Principal, seating: Sequence[Sequence[int]] | None, force: bool
) -> TournamentChange:
    """Draw the next round, and close the last one if that is forced. Raises Problem."""
    by = organiser.to_json()
    entries: list[tuple[str, Body]] = []
    for played in state.rounds:
        if played.state == "drawn":
            raise Problem(
                "conflict", "The last round has not begun: start it, or take its draw back."
            )
        if played.state == "playing":
            if not force:
                raise Problem("conflict", _missing(played))
            entries.append(("round-closed", {"by": by, "round": played.number}))
    for kind, closing in entries:
        state = evolve(state, 0, kind, "", closing)
    if entries and is_over(state):  # nothing is left to draw: the last round is closed
        return TournamentChange(entries)
    drawn = _drawn(state, seating)
    body = {
        "by": by,
        "round": len(state.rounds) + 1,
        "tables": [list(seats) for seats in drawn.tables],
        "byes": list(drawn.byes),
        "manual": seating is not None,
    }
    return TournamentChange([*entries, ("round-drawn", body)])


def is_over(state: Tournament) -> bool:
    """Return whether all rounds are played: as many as planned, or a knockout's final."""
    if not state.rounds or any(played.state != "over" for played in state.rounds):
        return False
    if state.settings.format == "knockout" and is_decided(state):
        return True
    return len(state.rounds) >= (state.settings.rounds or MOST_ROUNDS)


def _missing(drawn: Round) -> Message:
    open_ones = [str(t.number) for t in drawn.tables if t.state not in ("confirmed", "void")]
    return Message(
        "Round {round} lacks confirmed results of these tables: {tables}.",
        round=drawn.number,
        tables=", ".join(open_ones),
    )


def _drawn(state: Tournament, seating: Sequence[Sequence[int]] | None) -> Draw:
    if is_over(state):
        raise Problem("conflict", "All rounds of this tournament have been played.")
    drawn = draw_round(state) if seating is None else _given(state, seating)
    if len(drawn.tables) + sum(len(earlier.tables) for earlier in state.rounds) > MOST_TABLES:
        raise Problem(
            "conflict",
            Message(
                "A tournament has {most} tables at most, all rounds together.", most=MOST_TABLES
            ),
        )
    if not drawn.tables:
        raise Problem("conflict", "Too few players are in for a round.")
    return drawn


def _given(state: Tournament, seating: Sequence[Sequence[int]]) -> Draw:
    """Check a seating that the organiser gives. Raises Problem."""
    may_play, seen = set(candidates(state)), set[int]()
    for i, table in enumerate(seating):
        for player in table:
            if player not in may_play:
                raise invalid(
                    f"tables[{i}]", Message("player {player} does not play", player=player)
                )
            if player in seen:
                raise invalid(
                    f"tables[{i}]", Message("player {player} sits at two places", player=player)
                )
            seen.add(player)
    return Draw(tuple(tuple(table) for table in seating), tuple(sorted(may_play - seen)))


def take_back_draw(
    log: TournamentLog, tournament: TournamentProjection, request: WriteRequest, number: int
) -> None:
    """Take back the draw of the last round, as long as nobody has played. Raises Problem."""
    opened: list[TableProjection] = []

    def decide() -> TournamentChange:
        drawn = find_round(tournament, number)
        if number != len(tournament.state.rounds):
            raise Problem("conflict", "Only the last round's draw can be taken back.")
        opened[:] = [table for t in drawn.tables if (table := find_table(log, t)) is not None]
        if any(map(has_begun, opened)) or any(t.result is not None for t in drawn.tables):
            raise Problem("conflict", "This round has begun already.")
        body = {"by": request.principal.to_json(), "round": number}
        return TournamentChange([("round-undone", body)])

    if log.write(tournament, request, decide):
        for table in opened:
            host = replace(request.principal, role="host", table_id=table.id)
            with suppress(Problem):  # closed already, or purged meanwhile
                close_table(log.events, table, WriteRequest(host), None)


def start(
    log: TournamentLog,
    tournament: TournamentProjection,
    request: WriteRequest,
    number: int,
    minutes: int | None,
) -> None:
    """Start a round: make its tables, and start the clock. Raises Problem."""

    def decide() -> TournamentChange:
        drawn, settings = find_round(tournament, number), tournament.state.settings
        if drawn.state != "drawn":
            raise Problem("conflict", "This round has begun already.")
        new = [_new_table(tournament, drawn, seated, request.principal) for seated in drawn.tables]
        body = {
            "by": request.principal.to_json(),
            "round": number,
            "tables": [table.id for table, _ in new],
            "minutes": settings.minutes if minutes is None else minutes,
        }
        return TournamentChange([("round-started", body)], tables=new)

    log.write(tournament, request, decide)


def _new_table(
    tournament: TournamentProjection, drawn: Round, seated: SeatedTable, organiser: Principal
) -> tuple[TableProjection, Change]:
    state = tournament.state
    names = [state.players[player].name for player in seated.players]
    try:
        begin = new_game(state.settings.ruleset, state.settings.options, names)
    except RuleError as error:
        raise from_rule(error) from None
    table = TableProjection(new_id(), new_code(), now(), begin)
    host = replace(organiser, role="host", table_id=table.id)
    row = {"id": table.id, "code": table.code, "created": table.created}
    body = {
        "by": host.to_json(),
        "game": game_to_json(begin.game),
        "mode": state.settings.mode,
        "tournament": {"id": tournament.id, "round": drawn.number, "table": seated.number},
    }
    return table, Change([("created", body)], [begin], [(insert(tables), row)])


def change_clock(
    log: TournamentLog,
    tournament: TournamentProjection,
    request: WriteRequest,
    number: int,
    change: str,
    minutes: int | None,
) -> None:
    """Pause the clock of a round, let it go on, or give more time. Raises Problem."""

    def decide() -> TournamentChange:
        played = find_round(tournament, number)
        if played.started is None:
            raise Problem("conflict", "This round has not begun.")
        if change == "extend":
            if minutes is None:
                raise invalid("minutes", Message("is missing: {name} needs it", name="extend"))
        elif played.clock is None:
            raise Problem("conflict", "This round has no clock.")
        elif (played.clock.since is None) == (change == "pause"):
            raise Problem("conflict", "The clock does so already.")
        seconds = 60 * minutes if minutes is not None else None
        body = {"by": request.principal.to_json(), "round": number, "change": change}
        if seconds is not None:
            body["seconds"] = seconds
        return TournamentChange([("clock-changed", body)])

    log.write(tournament, request, decide)


def end_round(
    log: TournamentLog, tournament: TournamentProjection, request: WriteRequest, number: int
) -> None:
    """End the games at all tables that have begun: what stands is the result. Raises Problem."""
    if find_round(tournament, number).started is None:
        raise Problem("conflict", "This round has not begun.")
    end_games(log, tournament, request.principal, number)
    settle(log, tournament)


def end_games(
    log: TournamentLog,
    tournament: TournamentProjection,
    organiser: Principal,
    number: int | None = None,
) -> None:
    """End the games that are still played, of a round or of all.

    A table that is gone or closed holds nobody up: it stays without a result.
    """
    for played in tournament.state.rounds:
        if played.state == "playing" and number in (None, played.number):
            for seated in played.tables:
                if seated.result is None:
                    _end_game(log, seated, organiser)


def _end_game(log: TournamentLog, seated: SeatedTable, organiser: Principal) -> None:
    table = find_table(log, seated)
    if table is None or not table.state.round or table.state.winner is not None:
        return
    host = replace(organiser, role="host", table_id=table.id)
    try:
        end_present_game(log.events, table, WriteRequest(host))
    except Problem as problem:
        logger.info("game not ended", table=table.id, why=problem.kind)


def has_begun(table: TableProjection) -> bool:
    """Return whether anything has been played at a table."""
    return table.state.round > 0 or table.meta.game > 1


def find_table(log: TournamentLog, seated: SeatedTable) -> TableProjection | None:
    """Return the table that a group plays at; None before the round begins or once it is purged."""
    if seated.table_id is None:
        return None
    try:
        return log.events.table(seated.table_id)
    except Problem:
        return None
