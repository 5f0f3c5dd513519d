"""Moves, and the rulings on them."""

from typing import Any

from flask.typing import ResponseReturnValue

from referee.api.auth import event_log
from referee.api.operation import Resource
from referee.api.schemas.moves import MOVE_REF, LegalMovesSchema
from referee.rules.codec import move_to_json
from referee.rules.legal import legal_actions
from referee.rules.views import awaiting
from referee.service.access import PLAYERS
from referee.service.adjudication import make_move
from referee.service.preconditions import WriteRequest
from referee.service.problems import Problem
from referee.service.table_projection import LogEntry, TableProjection

blueprint = Resource("moves", "Moves and rulings")


@blueprint.operation(
    "POST /tables/<table_id>/moves",
    "makeMove",
    "The ruling. An illegal move is ruled on like any other: see `ruling.verdict`.",
    body=MOVE_REF,
    if_match="unless-confirmed",
    rights=PLAYERS,
)
def make(move: Any, table: TableProjection, request: WriteRequest) -> LogEntry:
    """Say what was played, drawn, called or shown; a seat for itself, the host for anyone."""
    if not isinstance(move, dict):
        raise Problem("invalid-request", "A move is an object.", [("move", "must be an object")])
    return make_move(event_log(), table, request, move)


@blueprint.operation(
    "GET /tables/<table_id>/legal-moves",
    "listLegalMoves",
    "The moves that would be legal now.",
    LegalMovesSchema,
)
def list_legal(table: TableProjection) -> ResponseReturnValue:
    """List the legal moves that depend on no hand; `awaiting` says what else is due."""
    state = table.state
    moves = [move_to_json(action) for action in legal_actions(state)]
    return {"moves": moves, "awaiting": awaiting(state)}
