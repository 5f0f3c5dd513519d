"""The language chosen for a seat."""

from referee.service.event_log import Change, EventLog
from referee.service.preconditions import WriteRequest
from referee.service.table_projection import LogEntry, TableProjection


def choose_language(
    log: EventLog, table: TableProjection, request: WriteRequest, language: str | None
) -> LogEntry:
    """Keep a seat's language, or, with None, go by each request again."""
    by = request.principal
    body = {"by": by.to_json(), "seat": by.seat, "language": language}
    return log.write(table, request, lambda: Change([("language-chosen", body)]))[0]
