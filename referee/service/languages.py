"""The language that a seat wants to be spoken to in."""

from referee.service.event_log import Change, House, Request
from referee.service.problems import Problem
from referee.service.table_projection import LiveTable, LogEntry


def choose_language(
    house: House, table: LiveTable, request: Request, language: str | None
) -> LogEntry:
    """Keep a seat's language, or, with None, go by each request again. Raises Problem."""
    by = request.principal
    if by.seat is None:
        raise Problem("forbidden", "Only a seat keeps a language: send Accept-Language instead.")
    body = {"by": by.to_json(), "seat": by.seat, "language": language}
    entry, _ = house.write(table, request, lambda: Change([("language-chosen", body)]))
    return entry
