"""Tournaments: create and read them, their players, their organisers."""

from typing import Any

from flask import Response
from flask.typing import ResponseReturnValue

from referee.api.auth import may_make_tables, reader, tournament_log
from referee.api.kept_answers import NONE_MATCH_PARAMETER, UNCHANGED, kept_answer
from referee.api.limits.work import count_ruling, timed_tournament
from referee.api.operation import Resource, with_etag
from referee.api.requests import body_fingerprint, idempotency_key
from referee.api.schemas.tournament_answers import (
    MadeOrganiserSchema,
    MadeTournamentSchema,
    PurgedTournamentSchema,
    StandingsSchema,
    TournamentEntryPage,
    TournamentSchema,
)
from referee.api.schemas.tournaments import (
    ChangedPlayerSchema,
    NewOrganiserSchema,
    NewPlayersSchema,
    NewTournamentSchema,
    SettingsSchema,
    StandingsQuery,
    TournamentEventQuery,
)
from referee.service.access import ONLOOKERS, OPERATORS, ORGANISERS, Principal
from referee.service.log.entries import dump
from referee.service.log.preconditions import WriteRequest
from referee.service.tournaments.log import TournamentProjection
from referee.service.tournaments.results import settle
from referee.service.tournaments.rounds import find_round
from referee.service.tournaments.setup import (
    add_organiser,
    add_players,
    change_player,
    change_settings,
    create_tournament,
    purge,
    remove_organiser,
)
from referee.service.tournaments.views import entry_view, standings_view, tournament_view

blueprint = Resource(
    "tournaments",
    "Tournaments: several tables under one event, with a draw, results and standings",
)
tournament_players = Resource("tournament-players", "The players of a tournament")
organisers = Resource("organisers", "Who organises a tournament")


def shown(tournament: TournamentProjection, by: Principal | None, status: int = 200) -> Response:
    """Return a tournament as an answer."""
    view = tournament_view(tournament_log(), tournament, by)
    return with_etag(view, view["version"], status)


@blueprint.operation(
    "POST /tournaments",
    "createTournament",
    "The tournament, and its organiser's token.",
    MadeTournamentSchema,
    body=NewTournamentSchema,
    write=True,
    if_match="none",
    fails=("not-authenticated", "forbidden"),
    rights=None,
)
def create(new: dict[str, Any]) -> ResponseReturnValue:
    """Create a tournament, as its organiser.

    Then, for each round: draw it (`drawTournamentRound`), start it (`startTournamentRound`), which
    makes a table of its own for each group with a join code, let the players play there, and have
    the results confirmed (`confirmTournamentResult`).
    """
    may_make_tables()
    count_ruling()
    players, organiser = new.pop("players"), new.pop("organiser")
    with timed_tournament(None):
        tournament, token, holder = create_tournament(
            tournament_log(), new, players, organiser, idempotency_key(), body_fingerprint()
        )
    view = tournament_view(tournament_log(), tournament, holder)
    body = {"tournament": view, "token": token, "token_id": holder.id}
    return with_etag(body, view["version"], 201)


@blueprint.operation(
    "GET /tournaments/<tournament_id>",
    "getTournament",
    "The tournament, its players and its newest round.",
    TournamentSchema,
    rights=ONLOOKERS,
)
def get(tournament: TournamentProjection) -> ResponseReturnValue:
    """Return a tournament as it is now.

    Without a token if the tournament is public. Organisers also get the join codes. Pages that
    follow it ask again every few seconds.
    """
    settle(tournament_log(), tournament)
    return shown(tournament, reader())


@blueprint.operation(
    "PATCH /tournaments/<tournament_id>",
    "changeTournament",
    "The tournament with its new settings.",
    TournamentSchema,
    body=SettingsSchema,
    rights=ORGANISERS,
)
def change(
    changed: dict[str, Any], tournament: TournamentProjection, request: WriteRequest
) -> ResponseReturnValue:
    """Change settings; what decides the meaning of results, only before the first draw."""
    change_settings(tournament_log(), tournament, request, changed)
    return shown(tournament, request.principal)


@blueprint.operation(
    "GET /tournaments/<tournament_id>/standings",
    "getStandings",
    "The standings.",
    StandingsSchema,
    query=StandingsQuery,
    headers=(NONE_MATCH_PARAMETER,),
    rights=ONLOOKERS,
    also={"responses": UNCHANGED},
)
def show_standings(query: dict[str, Any], tournament: TournamentProjection) -> ResponseReturnValue:
    """Return the standings, the best first; only results that count are in them.

    More points come first; among equals more wins, then more game points (fewer, in a game that the
    lowest score wins), then the stronger opponents. In a knockout the round that a player has
    reached comes before all that, then the place at the table in that round.
    """
    settle(tournament_log(), tournament)
    if query["round"] is not None:
        find_round(tournament, query["round"])
    return kept_answer(
        tournament,
        f"standings {query['round']}",
        lambda: dump(standings_view(tournament, query["round"])).encode(),
    )


@blueprint.operation(
    "GET /tournaments/<tournament_id>/events",
    "listTournamentEvents",
    "A page of the log.",
    TournamentEntryPage,
    query=TournamentEventQuery,
    rights=ONLOOKERS,
)
def list_entries(query: dict[str, Any], tournament: TournamentProjection) -> ResponseReturnValue:
    """List what happened in the tournament, oldest first. What happens at a table is in its own."""
    settle(tournament_log(), tournament)
    entries = tournament_log().entries(tournament, query["after"], query["limit"] + 1)
    page = entries[: query["limit"]]
    more = len(page) < len(entries)
    return {"items": [entry_view(entry) for entry in page], "next": page[-1].seq if more else None}


@tournament_players.operation(
    "POST /tournaments/<tournament_id>/players",
    "addTournamentPlayers",
    "The tournament with the new players.",
    TournamentSchema,
    body=NewPlayersSchema,
    rights=ORGANISERS,
)
def add(
    new: dict[str, Any], tournament: TournamentProjection, request: WriteRequest
) -> ResponseReturnValue:
    """Let players join, also late: they play from the next draw on, with the points of no round.

    Nobody joins a knockout once its first round is drawn.
    """
    count_ruling()
    add_players(tournament_log(), tournament, request, new["players"])
    return shown(tournament, request.principal, 201)


@tournament_players.operation(
    "PATCH /tournaments/<tournament_id>/players/<int:player>",
    "changeTournamentPlayer",
    "The tournament with the changed player.",
    TournamentSchema,
    body=ChangedPlayerSchema,
    rights=ORGANISERS,
)
def change_one(
    changed: dict[str, Any], tournament: TournamentProjection, request: WriteRequest, player: int
) -> ResponseReturnValue:
    """Rename a player, or let them pause, drop out or come back."""
    change_player(tournament_log(), tournament, request, player, changed)
    return shown(tournament, request.principal)


@organisers.operation(
    "POST /tournaments/<tournament_id>/organisers",
    "addOrganiser",
    "Another organiser's token; it is shown this once.",
    MadeOrganiserSchema,
    body=NewOrganiserSchema,
    rights=ORGANISERS,
)
def add_one(
    new: dict[str, Any], tournament: TournamentProjection, request: WriteRequest
) -> ResponseReturnValue:
    """Let somebody else organise the tournament as well; all organisers may do the same."""
    token, holder = add_organiser(tournament_log(), tournament, request, new["name"])
    body = {"tournament_id": tournament.id, "token": token, "token_id": holder.id}
    return with_etag(body, tournament.version, 201)


@organisers.operation(
    "DELETE /tournaments/<tournament_id>/organisers/<token_id>",
    "removeOrganiser",
    "The tournament; the token is void from now on.",
    TournamentSchema,
    rights=ORGANISERS,
)
def remove(
    tournament: TournamentProjection, request: WriteRequest, token_id: str
) -> ResponseReturnValue:
    """Revoke an organiser's token; a tournament keeps one organiser at least."""
    remove_organiser(tournament_log(), tournament, request, token_id)
    return shown(tournament, request.principal)


@organisers.operation(
    "DELETE /operator/tournaments/<tournament_id>",
    "purgeTournament",
    "The tournament is gone; its tables stay.",
    PurgedTournamentSchema,
    write=False,
    rights=OPERATORS,
)
def purge_one(tournament_id: str) -> ResponseReturnValue:
    """Delete a tournament for good: players, draws, results, organisers."""
    purge(tournament_log(), tournament_id)
    return {"purged": tournament_id}
