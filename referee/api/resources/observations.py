"""What devices see."""

from typing import Any

from flask.typing import ResponseReturnValue
from flask_smorest import Blueprint

from referee.api.auth import house, own_table, principal
from referee.api.language import language
from referee.api.rendering import entry_json
from referee.api.requests import write_request
from referee.api.resources.operation import operation
from referee.api.resources.tables import with_etag
from referee.api.schemas.devices import ObservationSchema
from referee.api.schemas.moves import EntrySchema
from referee.service.intake import observe

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
    """Say where a tower or power is; for the table's devices.

    A tower that the game expects to be moved makes the choice it waits for; the move is an entry of
    its own, with the observation as its `cause`. Any other that stands elsewhere than it should is
    told apart in `discrepancies`, and play goes on.
    """
    table = own_table(table_id)
    seen["at"] = seen["at"].isoformat(timespec="milliseconds")
    entry = observe(house(), table, write_request(), seen)
    return with_etag(entry_json(table, entry, principal(), language()), entry.seq, 201)
