"""Make a tournament; change its settings, its players and its organisers."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import structlog
from sqlalchemy import Executable, insert, update

from referee.rules.engine import new_game
from referee.rules.message import Message
from referee.rules.play.scoring import scoring_of
from referee.rules.records.serial import game_to_json
from referee.rules.rulings import RuleError
from referee.service.access import Principal, check_open_key, hash_token
from referee.service.log.entries import now
from referee.service.log.preconditions import WriteRequest
from referee.service.names import check_given_name, check_given_names
from referee.service.problems import Problem, from_rule, invalid
from referee.service.tournaments.log import (
    TournamentChange,
    TournamentLog,
    TournamentProjection,
    none_such,
)
from referee.store.schema import tournament_tokens
from referee.store.tournaments import purge_tournament
from referee.store.writer import Row
from referee.tournaments.model import Settings

logger = structlog.get_logger(__name__)
MOST_PLAYERS = 200
# What may change once there is a round; the rest decides what its results mean.
ALWAYS = frozenset({"name", "rounds", "minutes", "public", "finish", "card_rounds", "options"})


def create_tournament(
    log: TournamentLog,
    settings: Mapping[str, Any],
    players: Sequence[str],
    organiser: str | None,
    key: str | None,
    fingerprint: str,
) -> tuple[TournamentProjection, str, Principal]:
    """Create a tournament; return it, its first organiser's token and its holder. Raises Problem.

    ``organiser`` is the organiser's name.
    """
    check_open_key(key)
    tokens = log.events.tokens
    tournament_id = tokens.id("tournament", key)
    token = tokens.token("organiser", key)
    holder = Principal(
        tokens.id("organiser", key), "", "organiser", name=organiser, tournament_id=tournament_id
    )
    check_given_name(settings["name"], "name", ())
    if organiser is not None:
        check_given_name(organiser, "organiser", ())
    _check_names((), players)
    chosen = asdict(
        Settings(**{**settings, "low": False, "seed": tokens.id("tournament-seed", key)})
    )
    chosen |= _game_of(chosen)
    body = {
        "by": holder.to_json(),
        "organiser": organiser,
        "settings": chosen,
        "players": list(players),
    }
    request = WriteRequest(holder, key, fingerprint)
    tournament = log.create(tournament_id, request, body, [organiser_row(holder, token)])
    return tournament, token, holder


def organiser_row(holder: Principal, token: str) -> tuple[Executable, Row]:
    """Return the insertion of an organiser's token into the database, hashed."""
    row = {
        "id": holder.id,
        "hash": hash_token(token),
        "tournament_id": holder.tournament_id,
        "name": holder.name,
        "created": now(),
        "revoked": None,
    }
    return insert(tournament_tokens), row


def change_settings(
    log: TournamentLog,
    tournament: TournamentProjection,
    request: WriteRequest,
    changed: Mapping[str, Any],
) -> None:
    """Change settings; those that decide what results mean, only before the first round."""
    if "name" in changed:
        check_given_name(changed["name"], "name", ())

    def decide() -> TournamentChange:
        state = tournament.state
        for name in changed:
            if state.rounds and name not in ALWAYS:
                raise Problem(
                    "conflict",
                    Message("{field} is fixed once the first round is drawn.", field=name),
                )
        merged = {**asdict(state.settings), **changed}
        check_settings(merged)
        if merged["rounds"] is not None and merged["rounds"] < len(state.rounds):
            raise invalid("rounds", "so many rounds have been drawn already")
        settings = {**changed}
        if changed.keys() & {"ruleset", "options", "table_size"}:
            settings |= _game_of(merged)
        body = {"by": request.principal.to_json(), "settings": settings}
        return TournamentChange([("settings-changed", body)])

    log.write(tournament, request, decide)


def check_settings(settings: Mapping[str, Any]) -> None:
    """Check settings that depend on one another. Raises Problem."""
    if settings["smallest_table"] > settings["table_size"]:
        most = settings["table_size"]
        reason = Message("must be a whole number from {least} to {most}", least=2, most=most)
        raise invalid("smallest_table", reason)
    if settings["finish"] == "time" and settings["minutes"] is None:
        raise invalid("minutes", Message("is missing: {name} needs it", name="finish: time"))
    if settings["finish"] == "card-rounds" and settings["card_rounds"] is None:
        name = "finish: card-rounds"
        raise invalid("card_rounds", Message("is missing: {name} needs it", name=name))


def _game_of(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Check that tables of this size can play the game; return how it is scored."""
    check_settings(settings)
    names = [str(number) for number in range(settings["table_size"])]
    try:
        start = new_game(settings["ruleset"], settings["options"], names)
    except RuleError as error:
        raise from_rule(error) from None
    options = game_to_json(start.game)["options"]
    return {"options": options, "low": scoring_of(start).best is min}


def add_players(
    log: TournamentLog,
    tournament: TournamentProjection,
    request: WriteRequest,
    names: Sequence[str],
) -> None:
    """Add players; they play from the next round on. Raises Problem."""

    def decide() -> TournamentChange:
        state = tournament.state
        if state.settings.format == "knockout" and state.rounds:
            raise Problem("conflict", "Nobody joins a knockout once its first round is drawn.")
        if len(state.players) + len(names) > MOST_PLAYERS:
            most = Message("there can be {most} players at most", most=MOST_PLAYERS)
            raise invalid("players", most)
        _check_names([player.name for player in state.players.values()], names)
        body = {"by": request.principal.to_json(), "players": list(names)}
        return TournamentChange([("players-joined", body)])

    log.write(tournament, request, decide)


def change_player(
    log: TournamentLog,
    tournament: TournamentProjection,
    request: WriteRequest,
    number: int,
    change: Mapping[str, Any],
) -> None:
    """Rename a player, or let them pause, drop out or come back. Raises Problem."""

    def decide() -> TournamentChange:
        players = tournament.state.players
        if number not in players:
            raise Problem("not-found", Message("There is no player {player}.", player=number))
        if "name" in change:
            others = [player.name for player in players.values() if player.number != number]
            check_given_name(change["name"], "name", others)
        by = request.principal.to_json()
        body = {"by": by, "player": number, "change": dict(change)}
        return TournamentChange([("player-changed", body)])

    log.write(tournament, request, decide)


def _check_names(others: Sequence[str], names: Sequence[str]) -> None:
    check_given_names([(f"players[{i}]", name) for i, name in enumerate(names)], others)


def add_organiser(
    log: TournamentLog, tournament: TournamentProjection, request: WriteRequest, name: str | None
) -> tuple[str, Principal]:
    """Issue another organiser's token. Raises Problem."""
    if name is not None:
        check_given_name(name, "name", ())
    tokens = log.events.tokens
    holder = Principal(
        tokens.id("add-organiser", request.request_key),
        "",
        "organiser",
        name=name,
        tournament_id=tournament.id,
    )
    token = tokens.token("add-organiser", request.request_key)

    def decide() -> TournamentChange:
        body = {"by": request.principal.to_json(), "token": holder.id, "name": name}
        return TournamentChange([("organiser-added", body)], [organiser_row(holder, token)])

    log.write(tournament, request, decide)
    return token, holder


def purge(log: TournamentLog, tournament_id: str) -> None:
    """Delete a tournament; its tables stay. Raises Problem if there is none."""
    organisers = log.reader.organisers_of(tournament_id)
    if not purge_tournament(log.events.engine, tournament_id):
        raise none_such(tournament_id)
    log.drop(tournament_id)
    for row in organisers:
        log.events.shut_out(row["id"])


def sweep_tournaments(log: TournamentLog, quiet_since: str) -> None:
    """Purge the tournaments in which nothing has happened since a time."""
    for tournament_id in log.reader.quiet_since(quiet_since):
        purge(log, tournament_id)
        logger.info("tournament purged", tournament=tournament_id, why="idle")


def remove_organiser(
    log: TournamentLog, tournament: TournamentProjection, request: WriteRequest, token_id: str
) -> None:
    """Revoke an organiser's token; one stays. Raises Problem."""

    def decide() -> TournamentChange:
        organisers = tournament.state.organisers
        if token_id not in organisers:
            raise Problem("not-found", "There is no such organiser.")
        if len(organisers) == 1:
            raise Problem("conflict", "A tournament needs an organiser: add another one first.")
        body = {"by": request.principal.to_json(), "token": token_id}
        revoke = update(tournament_tokens).where(tournament_tokens.c.id == token_id)
        return TournamentChange([("organiser-removed", body)], [(revoke.values(revoked=now()), {})])

    log.write(tournament, request, decide)
    log.events.shut_out(token_id)
