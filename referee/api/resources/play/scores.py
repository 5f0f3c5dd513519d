"""The games of a table, one after the other, and their score sheets."""

from collections.abc import Callable
from typing import Any

from flask import Response
from flask.typing import ResponseReturnValue

from referee.api.auth import event_log
from referee.api.language import language
from referee.api.operation import Resource
from referee.api.schemas.games import GameQuery, GamesSchema, NewGameSchema, ScoresSchema
from referee.api.schemas.tables import LARGEST_GAME
from referee.api.schemas.vocabulary import FILE
from referee.api.scoresheet import draw_sheet, write_sheet
from referee.rules.ruleset import find_ruleset
from referee.service.access import HOST
from referee.service.log.preconditions import WriteRequest
from referee.service.log.table_projection import LogEntry, TableProjection
from referee.service.play.games import (
    end_present_game,
    list_games,
    sheet_of_game,
    start_next_game,
)
from referee.texts import deck_name, sheet_words

games = Resource("games", "The games of a table, one after the other")
scores = Resource("scores", "Scores and their history")
CSV, SVG = "text/csv", "image/svg+xml"


@games.operation(
    "GET /tables/<table_id>/games", "listGames", "The games, the present one last.", GamesSchema
)
def list_all(table: TableProjection) -> ResponseReturnValue:
    """List the table's games; score sheet, rounds and record take each one as `game`."""
    lang = language()
    return {
        "items": [
            {**game, "deck": deck_name(find_ruleset(game["ruleset"]), lang)}
            for game in list_games(event_log(), table)
        ]
    }


@games.operation(
    "POST /tables/<table_id>/games",
    "startGame",
    "The next game has begun, with all scores 0.",
    body=NewGameSchema,
    largest=LARGEST_GAME,
    fails=("conflict",),
    rights=HOST,
)
def start(new: dict[str, Any], table: TableProjection, request: WriteRequest) -> LogEntry:
    """Play another game at the same table: seats, tokens, devices and languages stay."""
    return start_next_game(
        event_log(), table, request, new["ruleset"], new["options"], new["preset"]
    )


@games.operation(
    "POST /tables/<table_id>/games/end",
    "endGame",
    "The game is over. Who leads has won it.",
    fails=("conflict",),
    rights=HOST,
)
def end(table: TableProjection, request: WriteRequest) -> LogEntry:
    """End the game with the scores as they stand; a round in progress is broken off."""
    return end_present_game(event_log(), table, request)


@scores.operation(
    "GET /tables/<table_id>/scores",
    "getScores",
    "The score sheet.",
    ScoresSchema,
    query=GameQuery,
    fails=("not-found",),
)
def get_scores(query: dict[str, Any], table: TableProjection) -> ResponseReturnValue:
    """Return the scores of a game, round by round."""
    return sheet_of_game(event_log(), table, query["game"])


@scores.operation(
    "GET /tables/<table_id>/scores.csv",
    "getScoresTable",
    "The score sheet as CSV, a line a round.",
    None,
    query=GameQuery,
    fails=("not-found",),
    also={"responses": {"200": {"content": {CSV: {"schema": {"type": "string", **FILE}}}}}},
)
def get_table(query: dict[str, Any], table: TableProjection) -> ResponseReturnValue:
    """Return the score sheet for a spreadsheet."""
    sheet = sheet_of_game(event_log(), table, query["game"])
    return _file(write_sheet(sheet, _words(sheet)), CSV, "scores.csv")


@scores.operation(
    "GET /tables/<table_id>/scores.svg",
    "getScoresPicture",
    "The score sheet as a picture.",
    None,
    query=GameQuery,
    fails=("not-found",),
    also={"responses": {"200": {"content": {SVG: {"schema": {"type": "string", **FILE}}}}}},
)
def get_picture(query: dict[str, Any], table: TableProjection) -> ResponseReturnValue:
    """Draw the standings, the course of the game and the catches as a picture to share."""
    sheet = sheet_of_game(event_log(), table, query["game"])
    deck = deck_name(find_ruleset(sheet["ruleset"]), language())
    return _file(draw_sheet(sheet, deck, _words(sheet)), SVG, "scores.svg")


def _words(sheet: dict[str, Any]) -> Callable[..., str]:
    return sheet_words(language(), sheet["seats"], find_ruleset(sheet["ruleset"]))


def _file(text: str, mimetype: str, name: str) -> Response:
    """Return a file with the name under which to save it."""
    answer = Response(text, content_type=f"{mimetype}; charset=utf-8")
    answer.headers["Content-Disposition"] = f'inline; filename="{name}"'
    return answer
