"""Custom cards: proposed before the game, and approved by every other seat."""

from typing import Any

from flask.typing import ResponseReturnValue
from marshmallow import Schema, fields

from referee.api.auth import event_log, principal
from referee.api.operation import Resource
from referee.api.rendering import custom_cards_json
from referee.api.schemas.tables import ApprovalSchema, NewCustomCardSchema
from referee.service.access import SEAT_ACTORS
from referee.service.preconditions import WriteRequest
from referee.service.problems import invalid
from referee.service.rounds import (
    approve_custom_card,
    propose_custom_card,
    withdraw_custom_card,
)
from referee.service.table_projection import LogEntry, TableProjection

blueprint = Resource("custom-cards", "Cards that the table writes itself")


class CustomCardsSchema(Schema):
    """The custom cards proposed."""

    items = fields.List(fields.Dict(), required=True)


@blueprint.operation(
    "GET /tables/<table_id>/custom-cards",
    "listCustomCards",
    "The cards, and who has approved them.",
    CustomCardsSchema,
)
def list_cards(table: TableProjection) -> ResponseReturnValue:
    """The custom cards proposed so far."""
    return {"items": custom_cards_json(table)}


@blueprint.operation(
    "POST /tables/<table_id>/custom-cards",
    "proposeCustomCard",
    "The card is proposed.",
    body=NewCustomCardSchema,
    rights=SEAT_ACTORS,
)
def propose(new: dict[str, Any], table: TableProjection, request: WriteRequest) -> LogEntry:
    """Propose a card: a text, and effects from the vocabulary."""
    seat = new["seat"] if new["seat"] is not None else principal().seat
    return propose_custom_card(event_log(), table, request, new["card"], seat)


@blueprint.operation(
    "POST /tables/<table_id>/custom-cards/<int:card_id>/approvals",
    "approveCustomCard",
    "The seat has approved it.",
    body=ApprovalSchema,
    rights=SEAT_ACTORS,
)
def approve(
    given: dict[str, Any], table: TableProjection, request: WriteRequest, card_id: int
) -> LogEntry:
    """Approve a card."""
    seat = given["seat"] if given["seat"] is not None else principal().seat
    if seat is None:
        raise invalid("seat", "say which seat approves")
    return approve_custom_card(event_log(), table, request, card_id, seat)


@blueprint.operation(
    "DELETE /tables/<table_id>/custom-cards/<int:card_id>",
    "withdrawCustomCard",
    "The card is withdrawn.",
    rights=SEAT_ACTORS,
)
def withdraw(table: TableProjection, request: WriteRequest, card_id: int) -> LogEntry:
    """Withdraw a card; its proposer or the host may."""
    return withdraw_custom_card(event_log(), table, request, card_id)
