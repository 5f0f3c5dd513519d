"""The language that a seat wants to be spoken to in."""

from referee.service.event_log import Change, EventLog, WriteRequest
from referee.service.problems import Problem
from referee.service.table_projection import LogEntry, TableProjection


def choose_language(
    log: EventLog, table: TableProjection, request: WriteRequest, language: str | None
) -> LogEntry:
    """Keep a seat's language, or, with None, go by each request again. Raises Problem."""
    by = request.principal
    if by.seat is None:
        raise Problem("forbidden", "Only a seat keeps a language: send Accept-Language instead.")
    body = {"by": by.to_json(), "seat": by.seat, "language": language}
    entry, _ = log.write(table, request, lambda: Change([("language-chosen", body)]))
    return entry
