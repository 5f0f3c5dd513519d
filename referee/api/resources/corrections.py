"""Corrections by the host: nothing is erased, everything after is played again."""

from typing import Any

from referee.api.auth import event_log
from referee.api.operation import Resource
from referee.api.schemas.tables import CorrectionSchema
from referee.api.validation import check_fields_of_kind
from referee.service.access import HOST
from referee.service.adjudication import correct
from referee.service.preconditions import WriteRequest
from referee.service.table_projection import LogEntry, TableProjection

blueprint = Resource("corrections", "Setting the game right")

# kind → the fields it needs, and those it may have
FIELDS = {
    "undo": ((), ("round", "move", "count")),
    "overrule": (("verdict",), ("round", "move")),
    "replace": (("replacement",), ("round", "move")),
    "insert": (("inserted",), ("round", "move")),
    "hand-count": (("seat", "count"), ()),
}


@blueprint.operation(
    "POST /tables/<table_id>/corrections",
    "correct",
    "The game as it stands now, and what came out otherwise.",
    body=CorrectionSchema,
    rights=HOST,
)
def make(change: dict[str, Any], table: TableProjection, request: WriteRequest) -> LogEntry:
    """Undo moves, overrule the referee, say what was really played, or set a hand count right.

    What came after it is played again: `changed` and `differs` say what came out otherwise. A card
    that a camera saw is then the card of whoever's turn it was.
    """
    check_fields_of_kind(change, FIELDS)
    return correct(event_log(), table, request, change)
