"""Rounds: drawing for the deal, turning up the first card, and the moves of each."""

from typing import Any

from flask.typing import ResponseReturnValue
from marshmallow import Schema, fields

from referee.api.auth import event_log
from referee.api.operation import Resource
from referee.api.schemas.common import PageQuery
from referee.api.schemas.tables import NewDrawsSchema, NewRoundSchema, RoundResultSchema
from referee.service.access import DEALERS, SEAT_ACTORS
from referee.service.preconditions import WriteRequest
from referee.service.problems import invalid
from referee.service.rounds import draw_for_deal, start_round
from referee.service.scores import results
from referee.service.table_projection import LogEntry, TableProjection

blueprint = Resource("rounds", "The deal, and rounds")


class RoundPage(Schema):
    """Finished rounds."""

    items = fields.List(fields.Nested(RoundResultSchema), required=True)
    next = fields.Integer(required=True, allow_none=True)


@blueprint.operation(
    "POST /tables/<table_id>/deal-draws",
    "drawForDeal",
    "Who deals, or who is tied and draws again.",
    body=NewDrawsSchema,
    rights=SEAT_ACTORS,
)
def draw(new: dict[str, Any], table: TableProjection, request: WriteRequest) -> LogEntry:
    """The cards that seats drew to find the dealer."""
    draws = {item["seat"]: item["card"] for item in new["draws"]}
    if len(draws) < len(new["draws"]):
        raise invalid("draws", "a seat draws one card")
    return draw_for_deal(event_log(), table, request, draws)


@blueprint.operation(
    "POST /tables/<table_id>/rounds",
    "startRound",
    "The round has begun.",
    body=NewRoundSchema,
    fails=("not-approved",),
    rights=DEALERS,
)
def start(new: dict[str, Any], table: TableProjection, request: WriteRequest) -> LogEntry:
    """Turn up the first card of a round."""
    return start_round(event_log(), table, request, new["opening"], new["dealer"])


@blueprint.operation(
    "GET /tables/<table_id>/rounds", "listRounds", "The rounds.", RoundPage, query=PageQuery
)
def list_rounds(query: dict[str, Any], table: TableProjection) -> ResponseReturnValue:
    """The finished rounds and their scores."""
    found = results(table)
    start, end = query["after"], query["after"] + query["limit"]
    return {"items": found[start:end], "next": end if end < len(found) else None}
