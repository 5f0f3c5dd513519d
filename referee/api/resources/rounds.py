"""Rounds: drawing for the deal, turning up the first card, and the moves of each."""

from typing import Any

from flask.typing import ResponseReturnValue
from flask_smorest import Blueprint
from marshmallow import Schema, fields

from referee.api.auth import event_log
from referee.api.operation import entry_answer, operation
from referee.api.schemas.common import PageQuery
from referee.api.schemas.moves import EntrySchema
from referee.api.schemas.tables import NewDrawsSchema, NewRoundSchema, RoundResultSchema
from referee.service.access import DEALERS, SEAT_ACTORS
from referee.service.preconditions import WriteRequest
from referee.service.problems import invalid
from referee.service.rounds import draw_for_deal, start_round
from referee.service.scores import results
from referee.service.table_projection import TableProjection

blueprint = Blueprint("rounds", __name__, description="The deal, and rounds")


class RoundPage(Schema):
    """Finished rounds."""

    items = fields.List(fields.Nested(RoundResultSchema), required=True)
    next = fields.Integer(required=True, allow_none=True)


@blueprint.route("/tables/<table_id>/deal-draws", methods=["POST"])
@operation(
    blueprint,
    "drawForDeal",
    EntrySchema,
    "Who deals, or who is tied and draws again.",
    status=201,
    write=True,
    body=NewDrawsSchema,
    rights=SEAT_ACTORS,
)
def draw(new: dict[str, Any], table: TableProjection, request: WriteRequest) -> ResponseReturnValue:
    """The cards that seats drew to find the dealer."""
    draws = {item["seat"]: item["card"] for item in new["draws"]}
    if len(draws) < len(new["draws"]):
        raise invalid("draws", "a seat draws one card")
    entry = draw_for_deal(event_log(), table, request, draws)
    return entry_answer(table, entry)


@blueprint.route("/tables/<table_id>/rounds", methods=["POST"])
@operation(
    blueprint,
    "startRound",
    EntrySchema,
    "The round has begun.",
    status=201,
    write=True,
    fails=("not-approved",),
    body=NewRoundSchema,
    rights=DEALERS,
)
def start(
    new: dict[str, Any], table: TableProjection, request: WriteRequest
) -> ResponseReturnValue:
    """Turn up the first card of a round."""
    entry = start_round(event_log(), table, request, new["opening"], new["dealer"])
    return entry_answer(table, entry)


@blueprint.route("/tables/<table_id>/rounds")
@operation(blueprint, "listRounds", RoundPage, "The rounds.", query=PageQuery)
def list_rounds(query: dict[str, Any], table: TableProjection) -> ResponseReturnValue:
    """The finished rounds and their scores."""
    found = results(table)
    start, end = query["after"], query["after"] + query["limit"]
    return {"items": found[start:end], "next": end if end < len(found) else None}
