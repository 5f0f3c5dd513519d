"""What devices see."""

from typing import Any

from flask.typing import ResponseReturnValue
from flask_smorest import Blueprint

from referee.api.auth import event_log, own_table, principal
from referee.api.language import language
from referee.api.rendering import entry_json
from referee.api.requests import write_request
from referee.api.resources.operation import operation
from referee.api.resources.tables import with_etag
from referee.api.schemas.devices import OBSERVED, ObservationSchema
from referee.api.schemas.moves import EntrySchema
from referee.rules.message import Message
from referee.service.intake import observe
from referee.service.problems import invalid

blueprint = Blueprint("observations", __name__, description="What devices see")


@blueprint.route("/tables/<table_id>/observations", methods=["POST"])
@operation(
    blueprint,
    "observe",
    EntrySchema,
    "What the referee made of it (`meaning`), and what stands elsewhere than it should.",
    status=201,
    write=True,
    body=ObservationSchema,
)
def post(seen: dict[str, Any], table_id: str) -> ResponseReturnValue:
    """Say what was seen; for the table's devices. A device says what it saw, never what it means.

    A tower or a card that the game expects to be moved or laid makes the move it waits for; that
    move is an entry of its own, with the observation as its `cause`. A card against the rules is
    ruled on like any other. What cannot be told is asked, once (`questions`), and play goes on.
    Anything else that stands or lies wrong is told apart in `discrepancies`.
    """
    table = own_table(table_id)
    needed, allowed = OBSERVED[seen["kind"]]
    if "from_" in seen:
        seen["from"] = seen.pop("from_")
    for field in needed:
        if field not in seen:
            raise invalid(field, Message("is missing: {name} needs it", name=seen["kind"]))
    for field in seen:
        if field not in ("kind", "at", *needed, *allowed):
            raise invalid(field, Message("is not a field of {name}", name=seen["kind"]))
    seen["at"] = seen["at"].isoformat(timespec="milliseconds")
    entry = observe(event_log(), table, write_request(), seen)
    return with_etag(entry_json(table, entry, principal(), language()), entry.seq, 201)
