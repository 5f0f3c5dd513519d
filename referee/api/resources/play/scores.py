"""The score sheet."""

from collections.abc import Callable
from typing import Any

from flask import Response
from flask.typing import ResponseReturnValue

from referee.api.auth import event_log
from referee.api.language import language
from referee.api.operation import Resource
from referee.api.schemas.games import GameQuery, ScoresSchema
from referee.api.schemas.vocabulary import FILE
from referee.api.scoresheet import draw_sheet, write_sheet
from referee.rules.ruleset import find_ruleset
from referee.service.log.table_projection import TableProjection
from referee.service.play.games import sheet_of_game
from referee.texts import deck_name, sheet_words

blueprint = Resource("scores", "Scores and their history")
CSV, SVG = "text/csv", "image/svg+xml"


@blueprint.operation(
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


@blueprint.operation(
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


@blueprint.operation(
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
