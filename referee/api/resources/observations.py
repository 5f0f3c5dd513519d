"""Observations from devices."""

from typing import Any

from referee.api.auth import event_log
from referee.api.operation import Resource
from referee.api.schemas.devices import OBSERVED, ObservationSchema
from referee.api.validation import check_fields_of_kind
from referee.service.access import OBSERVERS
from referee.service.intake import observe
from referee.service.preconditions import WriteRequest
from referee.service.table_projection import LogEntry, TableProjection

blueprint = Resource("observations", "What devices see")


@blueprint.operation(
    "POST /tables/<table_id>/observations",
    "observe",
    "What the referee made of it (`meaning`), and what stands elsewhere than it should.",
    body=ObservationSchema,
    rights=OBSERVERS,
)
def post(seen: dict[str, Any], table: TableProjection, request: WriteRequest) -> LogEntry:
    """Report what a device saw, not what it means; for the table's devices.

    A tower or a card that the game expects to be moved or laid makes the move it waits for; that
    move is an entry of its own, with the observation as its `cause`. A card against the rules is
    ruled on like any other. What cannot be told is asked, once (`questions`), and play goes on.
    Anything else out of place is listed in `discrepancies`.
    """
    if "from_" in seen:
        seen["from"] = seen.pop("from_")
    check_fields_of_kind(seen, OBSERVED)
    seen["at"] = seen["at"].isoformat(timespec="milliseconds")
    return observe(event_log(), table, request, seen)
