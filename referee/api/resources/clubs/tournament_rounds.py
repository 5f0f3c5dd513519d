"""The rounds of a tournament: draw, start, clock; results, and files of everything."""

from collections.abc import Callable, Iterable, Sequence
from math import ceil
from typing import Any

from flask import Response
from flask.typing import ResponseReturnValue

from referee.api.auth import reader, tournament_log
from referee.api.kept_answers import NONE_MATCH_PARAMETER, UNCHANGED, kept_answer
from referee.api.limits.rates import limiter, sender_address
from referee.api.limits.work import count_ruling
from referee.api.operation import Resource, with_etag
from referee.api.schemas.tournament_answers import (
    ExportSchema,
    RoundTableSchema,
    TournamentRoundPage,
    TournamentRoundSchema,
    TournamentSchema,
)
from referee.api.schemas.tournaments import (
    ClockChangeSchema,
    ConfirmationSchema,
    EnteredResultSchema,
    NewTournamentRoundSchema,
    StartSchema,
    TournamentRoundQuery,
)
from referee.api.schemas.vocabulary import FILE
from referee.api.scoresheet import write_lines
from referee.service.access import ONLOOKERS, ORGANISERS, TABLE_PLAYERS, Principal
from referee.service.log.entries import dump
from referee.service.log.preconditions import WriteRequest
from referee.service.tournaments import export as files
from referee.service.tournaments.log import TournamentProjection
from referee.service.tournaments.results import confirm_result, enter_result, settle
from referee.service.tournaments.rounds import (
    change_clock,
    draw,
    end_round,
    find_round,
    find_seated,
    start,
    take_back_draw,
)
from referee.service.tournaments.views import round_view, table_view, tournament_view

rounds = Resource("tournament-rounds", "The rounds of a tournament: draw, tables, clock")
results = Resource("tournament-results", "The results of a tournament's tables, and files of them")
CSV = "text/csv"
CSV_CONTENT = {"content": {CSV: {"schema": {"type": "string", **FILE}}}}
# So many tables of a round count as one that somebody makes.
TABLES_AS_ONE = 10
ROUND = "/tournaments/<tournament_id>/rounds/<int:round_number>"
TABLE = f"{ROUND}/tables/<int:table_number>"


def _shown(
    tournament: TournamentProjection, number: int, by: Principal | None, status: int = 200
) -> Response:
    log = tournament_log()
    view = round_view(log, tournament.state, find_round(tournament, number), by)
    return with_etag(view, tournament.version, status)


def _table(
    tournament: TournamentProjection, number: int, table: int, by: Principal | None, status: int
) -> Response:
    seated = find_seated(tournament, number, table)
    that_round = find_round(tournament, number)
    view = table_view(tournament_log(), tournament.state, that_round, seated, by)
    return with_etag(view, tournament.version, status)


@rounds.operation(
    "POST /tournaments/<tournament_id>/rounds",
    "drawTournamentRound",
    "The round: who sits where, and who has a bye.",
    TournamentRoundSchema,
    body=NewTournamentRoundSchema,
    rights=ORGANISERS,
)
def draw_next(
    new: dict[str, Any], tournament: TournamentProjection, request: WriteRequest
) -> ResponseReturnValue:
    """Draw the next round, once all results of the last one count.

    Players who have met sit apart as far as possible; among such seatings a Swiss takes one that
    brings equal points together. Nobody has a second bye before everybody has had one. The same
    tournament always gives the same draw. In a knockout all who are left play the final, however
    few they are. After the last round `force` only closes it, and the answer is that round. Nothing
    begins yet: `startTournamentRound` starts it, and `takeBackDraw` takes it back.
    """
    count_ruling()
    draw(tournament_log(), tournament, request, new["tables"], new["force"])
    return _shown(tournament, len(tournament.state.rounds), request.principal, 201)


@rounds.operation(
    "GET /tournaments/<tournament_id>/rounds",
    "listTournamentRounds",
    "A page of rounds.",
    TournamentRoundPage,
    query=TournamentRoundQuery,
    rights=ONLOOKERS,
)
def list_all(query: dict[str, Any], tournament: TournamentProjection) -> ResponseReturnValue:
    """List the rounds with their tables and results, oldest first."""
    settle(tournament_log(), tournament)
    state, by = tournament.state, reader()
    last = query["after"] + query["limit"]
    page = state.rounds[query["after"] : last]
    items = [round_view(tournament_log(), state, a_round, by) for a_round in page]
    return {"items": items, "next": last if last < len(state.rounds) else None}


@rounds.operation(
    f"GET {ROUND}",
    "getTournamentRound",
    "The round, its tables and their results.",
    TournamentRoundSchema,
    rights=ONLOOKERS,
)
def get(tournament: TournamentProjection, round_number: int) -> ResponseReturnValue:
    """Return a round."""
    settle(tournament_log(), tournament)
    return _shown(tournament, round_number, reader())


@rounds.operation(
    f"DELETE {ROUND}",
    "takeBackDraw",
    "The tournament without the round.",
    TournamentSchema,
    rights=ORGANISERS,
)
def take_back(
    tournament: TournamentProjection, request: WriteRequest, round_number: int
) -> ResponseReturnValue:
    """Take back the draw of the last round, as long as nobody has played in it.

    Tables that were made for it are closed.
    """
    take_back_draw(tournament_log(), tournament, request, round_number)
    view = tournament_view(tournament_log(), tournament, request.principal)
    return with_etag(view, view["version"])


@rounds.operation(
    f"POST {ROUND}/start",
    "startTournamentRound",
    "The round with a table, and a join code, for each group.",
    TournamentRoundSchema,
    body=StartSchema,
    rights=ORGANISERS,
)
def begin(
    how: dict[str, Any], tournament: TournamentProjection, request: WriteRequest, round_number: int
) -> ResponseReturnValue:
    """Start a round: make its tables with everybody in their seats, and start the clock.

    They are ordinary tables. Players join with the code, and the organiser's token is a host's
    there. When a table's game is over, its scores become the result here by themselves.
    """
    tables = len(find_round(tournament, round_number).tables)
    limiter().spend("tables", sender_address(), ceil(tables / TABLES_AS_ONE))
    start(tournament_log(), tournament, request, round_number, how["minutes"])
    return _shown(tournament, round_number, request.principal, 201)


@rounds.operation(
    f"POST {ROUND}/clock",
    "changeClock",
    "The round with its clock.",
    TournamentRoundSchema,
    body=ClockChangeSchema,
    rights=ORGANISERS,
)
def clock(
    given: dict[str, Any],
    tournament: TournamentProjection,
    request: WriteRequest,
    round_number: int,
) -> ResponseReturnValue:
    """Pause the clock, let it go on, or give more time."""
    change_clock(
        tournament_log(), tournament, request, round_number, given["change"], given["minutes"]
    )
    return _shown(tournament, round_number, request.principal, 201)


@rounds.operation(
    f"POST {ROUND}/end",
    "endTournamentRound",
    "The round; the scores as they stand are its results.",
    TournamentRoundSchema,
    rights=ORGANISERS,
)
def end(
    tournament: TournamentProjection, request: WriteRequest, round_number: int
) -> ResponseReturnValue:
    """End the games at all tables of a round that have begun; a round of cards is broken off.

    The results still have to be confirmed. Tables that have not begun, or are closed or gone,
    wait for a result.
    """
    end_round(tournament_log(), tournament, request, round_number)
    return _shown(tournament, round_number, request.principal, 201)


@results.operation(
    f"PUT {TABLE}/result",
    "enterTournamentResult",
    "The table with its result.",
    RoundTableSchema,
    body=EnteredResultSchema,
    rights=TABLE_PLAYERS,
)
def enter(
    given: dict[str, Any],
    tournament: TournamentProjection,
    request: WriteRequest,
    round_number: int,
    table_number: int,
) -> ResponseReturnValue:
    """Type in a result: for tables without phones, or to settle a dispute.

    An organiser may at any table, a seat at its own until its result is confirmed; the others then
    confirm it. A result that the table's own game ends with later replaces it, and is open again.
    """
    enter_result(tournament_log(), tournament, request, round_number, table_number, **given)
    return _table(tournament, round_number, table_number, request.principal, 200)


@results.operation(
    f"POST {TABLE}/confirmations",
    "confirmTournamentResult",
    "The table with its result.",
    RoundTableSchema,
    body=ConfirmationSchema,
    rights=TABLE_PLAYERS,
)
def confirm(
    given: dict[str, Any],
    tournament: TournamentProjection,
    request: WriteRequest,
    round_number: int,
    table_number: int,
) -> ResponseReturnValue:
    """Confirm a table's result or dispute it, with the token of a seat of that table.

    It counts once all seats have confirmed it. An organiser confirms for one seat, or for all, and
    so decides a dispute. A correction at the table makes a new result, which is open again.
    """
    settle(tournament_log(), tournament)
    confirm_result(tournament_log(), tournament, request, round_number, table_number, **given)
    return _table(tournament, round_number, table_number, request.principal, 201)


def _file(
    tournament: TournamentProjection,
    name: str,
    head: Sequence[str],
    lines: Callable[[], Iterable[files.Line]],
) -> Response:
    answer = kept_answer(
        tournament, name, lambda: write_lines(head, lines()).encode(), f"{CSV}; charset=utf-8"
    )
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


@results.operation(
    "GET /tournaments/<tournament_id>/export",
    "exportTournament",
    "Settings, players, rounds, results and standings.",
    ExportSchema,
    headers=(NONE_MATCH_PARAMETER,),
    rights=ONLOOKERS,
    also={"responses": UNCHANGED},
)
def export(tournament: TournamentProjection) -> ResponseReturnValue:
    """Export everything about the tournament, with the paths of the tables' records."""
    count_ruling()
    settle(tournament_log(), tournament)
    return kept_answer(
        tournament, "export", lambda: dump(files.export(tournament_log(), tournament)).encode()
    )


@results.operation(
    "GET /tournaments/<tournament_id>/results.csv",
    "getTournamentResultsTable",
    "A line for each player in each round; table 0 is a bye.",
    None,
    headers=(NONE_MATCH_PARAMETER,),
    rights=ONLOOKERS,
    also={"responses": {"200": CSV_CONTENT, **UNCHANGED}},
)
def results_csv(tournament: TournamentProjection) -> ResponseReturnValue:
    """Return all seatings and results for a spreadsheet."""
    count_ruling()
    settle(tournament_log(), tournament)
    return _file(
        tournament,
        "results.csv",
        files.RESULTS,
        lambda: files.result_lines(tournament_log(), tournament),
    )


@results.operation(
    "GET /tournaments/<tournament_id>/standings.csv",
    "getStandingsTable",
    "The standings, a line a player.",
    None,
    headers=(NONE_MATCH_PARAMETER,),
    rights=ONLOOKERS,
    also={"responses": {"200": CSV_CONTENT, **UNCHANGED}},
)
def standings_csv(tournament: TournamentProjection) -> ResponseReturnValue:
    """Return the standings for a spreadsheet."""
    settle(tournament_log(), tournament)
    return _file(
        tournament, "standings.csv", files.STANDINGS, lambda: files.standing_lines(tournament)
    )
