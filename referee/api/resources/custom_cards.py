"""Custom cards: proposed before the game, and approved by every other seat."""

from typing import Any

from flask.typing import ResponseReturnValue
from flask_smorest import Blueprint
from marshmallow import Schema, fields

from referee.api.auth import event_log, principal
from referee.api.operation import entry_answer, operation
from referee.api.rendering import custom_cards_json
from referee.api.schemas.moves import EntrySchema
from referee.api.schemas.tables import ApprovalSchema, NewCustomCardSchema
from referee.service.access import SEAT_ACTORS
from referee.service.preconditions import WriteRequest
from referee.service.problems import invalid
from referee.service.rounds import (
    approve_custom_card,
    propose_custom_card,
    withdraw_custom_card,
)
from referee.service.table_projection import TableProjection

blueprint = Blueprint("custom-cards", __name__, description="Cards that the table writes itself")


class CustomCardsSchema(Schema):
    """The custom cards proposed."""

    items = fields.List(fields.Dict(), required=True)


@blueprint.route("/tables/<table_id>/custom-cards")
@operation(blueprint, "listCustomCards", CustomCardsSchema, "The cards, and who has approved them.")
def list_cards(table: TableProjection) -> ResponseReturnValue:
    """The custom cards proposed so far."""
    return {"items": custom_cards_json(table)}


@blueprint.route("/tables/<table_id>/custom-cards", methods=["POST"])
@operation(
    blueprint,
    "proposeCustomCard",
    EntrySchema,
    "The card is proposed.",
    status=201,
    write=True,
    body=NewCustomCardSchema,
    rights=SEAT_ACTORS,
)
def propose(
    new: dict[str, Any], table: TableProjection, request: WriteRequest
) -> ResponseReturnValue:
    """Propose a card: a text, and effects from the vocabulary."""
    seat = new["seat"] if new["seat"] is not None else principal().seat
    return entry_answer(table, propose_custom_card(event_log(), table, request, new["card"], seat))


@blueprint.route("/tables/<table_id>/custom-cards/<int:card_id>/approvals", methods=["POST"])
@operation(
    blueprint,
    "approveCustomCard",
    EntrySchema,
    "The seat has approved it.",
    status=201,
    write=True,
    body=ApprovalSchema,
    rights=SEAT_ACTORS,
)
def approve(
    given: dict[str, Any], table: TableProjection, request: WriteRequest, card_id: int
) -> ResponseReturnValue:
    """Approve a card."""
    seat = given["seat"] if given["seat"] is not None else principal().seat
    if seat is None:
        raise invalid("seat", "say which seat approves")
    return entry_answer(table, approve_custom_card(event_log(), table, request, card_id, seat))


@blueprint.route("/tables/<table_id>/custom-cards/<int:card_id>", methods=["DELETE"])
@operation(
    blueprint,
    "withdrawCustomCard",
    EntrySchema,
    "The card is withdrawn.",
    write=True,
    rights=SEAT_ACTORS,
)
def withdraw(table: TableProjection, request: WriteRequest, card_id: int) -> ResponseReturnValue:
    """Withdraw a card; its proposer or the host may."""
    return entry_answer(table, withdraw_custom_card(event_log(), table, request, card_id), 200)
