"""Rounds: drawing for the deal, turning up the first card, and the moves of each."""

from typing import Any

from flask.typing import ResponseReturnValue
from flask_smorest import Blueprint
from marshmallow import Schema, fields

from referee.api.auth import event_log, own_table, principal
from referee.api.language import language
from referee.api.rendering import entry_json
from referee.api.requests import write_request
from referee.api.resources.operation import operation
from referee.api.resources.tables import with_etag
from referee.api.schemas.common import PageQuery
from referee.api.schemas.moves import EntrySchema
from referee.api.schemas.tables import NewDrawsSchema, NewRoundSchema, RoundResultSchema
from referee.service.problems import invalid
from referee.service.rounds import draw_for_deal, start_round
from referee.service.scores import results

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
)
def draw(new: dict[str, Any], table_id: str) -> ResponseReturnValue:
    """The cards that seats drew to find the dealer."""
    table = own_table(table_id)
    draws = {item["seat"]: item["card"] for item in new["draws"]}
    if len(draws) < len(new["draws"]):
        raise invalid("draws", "a seat draws one card")
    entry = draw_for_deal(event_log(), table, write_request(), draws)
    return with_etag(entry_json(table, entry, principal(), language()), entry.seq, 201)


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
)
def start(new: dict[str, Any], table_id: str) -> ResponseReturnValue:
    """Turn up the first card of a round."""
    table = own_table(table_id)
    entry = start_round(event_log(), table, write_request(), new["opening"], new["dealer"])
    return with_etag(entry_json(table, entry, principal(), language()), entry.seq, 201)


@blueprint.route("/tables/<table_id>/rounds")
@operation(blueprint, "listRounds", RoundPage, "The rounds.", query=PageQuery)
def list_rounds(query: dict[str, Any], table_id: str) -> ResponseReturnValue:
    """The finished rounds and their scores."""
    found = results(own_table(table_id))
    start, end = query["after"], query["after"] + query["limit"]
    return {"items": found[start:end], "next": end if end < len(found) else None}
