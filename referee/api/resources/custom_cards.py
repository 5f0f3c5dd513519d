"""Custom cards: proposed before the game, and approved by every other seat."""

from typing import Any

from flask.typing import ResponseReturnValue
from flask_smorest import Blueprint
from marshmallow import Schema, fields

from referee.api.auth import event_log, own_table, principal
from referee.api.language import language
from referee.api.rendering import custom_cards_json, entry_json
from referee.api.requests import write_request
from referee.api.resources.operation import operation
from referee.api.resources.tables import with_etag
from referee.api.schemas.moves import EntrySchema
from referee.api.schemas.tables import ApprovalSchema, NewCustomCardSchema
from referee.service.problems import invalid
from referee.service.rounds import (
    approve_custom_card,
    propose_custom_card,
    withdraw_custom_card,
)
from referee.service.table_projection import LogEntry, TableProjection

blueprint = Blueprint("custom-cards", __name__, description="Cards that the table writes itself")


class CustomCardsSchema(Schema):
    """The custom cards proposed."""

    items = fields.List(fields.Dict(), required=True)


def _answer(table: TableProjection, entry: LogEntry, status: int = 201) -> ResponseReturnValue:
    return with_etag(entry_json(table, entry, principal(), language()), entry.seq, status)


@blueprint.route("/tables/<table_id>/custom-cards")
@operation(blueprint, "listCustomCards", CustomCardsSchema, "The cards, and who has approved them.")
def list_cards(table_id: str) -> ResponseReturnValue:
    """The custom cards proposed so far."""
    return {"items": custom_cards_json(own_table(table_id))}


@blueprint.route("/tables/<table_id>/custom-cards", methods=["POST"])
@operation(
    blueprint,
    "proposeCustomCard",
    EntrySchema,
    "The card is proposed.",
    status=201,
    write=True,
    body=NewCustomCardSchema,
)
def propose(new: dict[str, Any], table_id: str) -> ResponseReturnValue:
    """Propose a card: a text, and effects from the vocabulary."""
    table = own_table(table_id)
    seat = new["seat"] if new["seat"] is not None else principal().seat
    return _answer(
        table, propose_custom_card(event_log(), table, write_request(), new["card"], seat)
    )


@blueprint.route("/tables/<table_id>/custom-cards/<int:card_id>/approvals", methods=["POST"])
@operation(
    blueprint,
    "approveCustomCard",
    EntrySchema,
    "The seat has approved it.",
    status=201,
    write=True,
    body=ApprovalSchema,
)
def approve(given: dict[str, Any], table_id: str, card_id: int) -> ResponseReturnValue:
    """Approve a card."""
    table = own_table(table_id)
    seat = given["seat"] if given["seat"] is not None else principal().seat
    if seat is None:
        raise invalid("seat", "say which seat approves")
    return _answer(table, approve_custom_card(event_log(), table, write_request(), card_id, seat))


@blueprint.route("/tables/<table_id>/custom-cards/<int:card_id>", methods=["DELETE"])
@operation(blueprint, "withdrawCustomCard", EntrySchema, "The card is withdrawn.", write=True)
def withdraw(table_id: str, card_id: int) -> ResponseReturnValue:
    """Withdraw a card; its proposer or the host may."""
    table = own_table(table_id)
    return _answer(table, withdraw_custom_card(event_log(), table, write_request(), card_id), 200)
