"""The language chosen for a seat."""

from referee.service.event_log import Change, EventLog
from referee.service.preconditions import WriteRequest
from referee.service.table_projection import LogEntry, TableProjection


def choose_language(
    log: EventLog, table: TableProjection, request: WriteRequest, language: str | None
) -> LogEntry:
    """Store a seat's language; None uses each request's language again."""
    by = request.principal
    body = {"by": by.to_json(), "seat": by.seat, "language": language}
    return log.write(table, request, lambda: Change([("language-chosen", body)]))[0]
