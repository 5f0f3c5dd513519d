"""Moves, and the rulings on them."""

from flask.typing import ResponseReturnValue
from flask_smorest import Blueprint

from referee.api.auth import event_log, own_table, principal
from referee.api.language import language
from referee.api.rendering import entry_json
from referee.api.requests import read_json, write_request
from referee.api.resources.operation import operation
from referee.api.resources.tables import with_etag
from referee.api.schemas.moves import MOVE_REF, EntrySchema, LegalMovesSchema
from referee.rules.codec import move_to_json
from referee.rules.legal import legal_actions
from referee.rules.views import awaiting
from referee.service.adjudication import make_move
from referee.service.problems import Problem

blueprint = Blueprint("moves", __name__, description="Moves and rulings")


@blueprint.route("/tables/<table_id>/moves", methods=["POST"])
@operation(
    blueprint,
    "makeMove",
    EntrySchema,
    "The ruling. An illegal move is ruled on like any other: see `ruling.verdict`.",
    status=201,
    write=True,
    body=MOVE_REF,
)
def make(table_id: str) -> ResponseReturnValue:
    """Say what was played, drawn, called or shown; a seat for itself, the host for anyone."""
    table = own_table(table_id)
    move = read_json()
    if not isinstance(move, dict):
        raise Problem("invalid-request", "A move is an object.", [("move", "must be an object")])
    entry = make_move(event_log(), table, write_request(), move)
    return with_etag(entry_json(table, entry, principal(), language()), entry.seq, 201)


@blueprint.route("/tables/<table_id>/legal-moves")
@operation(blueprint, "listLegalMoves", LegalMovesSchema, "The moves that would be legal now.")
def list_legal(table_id: str) -> ResponseReturnValue:
    """Every legal move that does not depend on a hand; `awaiting` says what else is due."""
    state = own_table(table_id).state
    moves = [move_to_json(action) for action in legal_actions(state)]
    return {"moves": moves, "awaiting": awaiting(state)}
