"""The score sheet."""

from collections.abc import Callable

from flask import Response
from flask.typing import ResponseReturnValue

from referee.api.language import language
from referee.api.operation import Resource
from referee.api.schemas.tables import ScoresSchema
from referee.api.scoresheet import draw_sheet, write_sheet
from referee.service.scores import score_sheet
from referee.service.table_projection import TableProjection
from referee.texts import deck_name, sheet_words

blueprint = Resource("scores", "Scores and their history")
CSV, SVG = "text/csv", "image/svg+xml"


@blueprint.operation("GET /tables/<table_id>/scores", "getScores", "The score sheet.", ScoresSchema)
def get_scores(table: TableProjection) -> ResponseReturnValue:
    """Return the scores, round by round."""
    return score_sheet(table)


@blueprint.operation(
    "GET /tables/<table_id>/scores.csv",
    "getScoresTable",
    "The score sheet as CSV, a line a round.",
    None,
)
@blueprint.doc(responses={"200": {"content": {CSV: {"schema": {"type": "string"}}}}})
def get_table(table: TableProjection) -> ResponseReturnValue:
    """Return the score sheet for a spreadsheet."""
    return _file(write_sheet(score_sheet(table), _words(table)), CSV, "scores.csv")


@blueprint.operation(
    "GET /tables/<table_id>/scores.svg", "getScoresPicture", "The score sheet as a picture.", None
)
@blueprint.doc(responses={"200": {"content": {SVG: {"schema": {"type": "string"}}}}})
def get_picture(table: TableProjection) -> ResponseReturnValue:
    """Draw the standings, the course of the game and the catches as a picture to share."""
    deck = deck_name(table.state.game.ruleset, language())
    return _file(draw_sheet(score_sheet(table), deck, _words(table)), SVG, "scores.svg")


def _words(table: TableProjection) -> Callable[..., str]:
    game = table.state.game
    return sheet_words(language(), game.seats, game.ruleset)


def _file(text: str, mimetype: str, name: str) -> Response:
    """Return a file with the name under which to save it."""
    answer = Response(text, content_type=f"{mimetype}; charset=utf-8")
    answer.headers["Content-Disposition"] = f'inline; filename="{name}"'
    return answer
