"""The score sheet."""

from flask.typing import ResponseReturnValue
from flask_smorest import Blueprint

from referee.api.auth import own_table
from referee.api.resources.operation import operation
from referee.api.schemas.tables import ScoresSchema
from referee.service.scores import score_sheet

blueprint = Blueprint("scores", __name__, description="Scores and their history")


@blueprint.route("/tables/<table_id>/scores")
@operation(blueprint, "getScores", ScoresSchema, "The score sheet.")
def get_scores(table_id: str) -> ResponseReturnValue:
    """Scores, round by round."""
    return score_sheet(own_table(table_id))
