"""Server-sent events: what happens at a table, as it happens, from any entry on."""

import threading
from collections.abc import Iterator

from flask import Response, request, stream_with_context

from referee.api.rendering import entry_text
from referee.service.access import Principal
from referee.service.events import entries_after
from referee.service.house import House
from referee.service.live import LiveTable
from referee.service.problems import Problem, invalid
from referee.service.views import sees_all

BATCH = 100
RETRY_MS = 2_000


class StreamLimit:
    """How many streams may be open at once: each takes a thread of the server."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.open = 0
        self._guard = threading.Lock()

    def enter(self) -> None:
        """One more. Raises Problem."""
        with self._guard:
            if self.open >= self.most:
                raise Problem("too-many-streams", "Too many streams are open; try again later.")
            self.open += 1

    def leave(self) -> None:
        """One less."""
        with self._guard:
            self.open -= 1


def last_event_id(table: LiveTable, after: int | None) -> int:
    """Where the reader left off: Last-Event-ID, or ``after``. Raises Problem."""
    header = request.headers.get("Last-Event-ID")
    if header is None:
        last, field = after or 0, "after"
    elif header.isascii() and header.isdecimal() and len(header) < 16:
        last, field = int(header), "Last-Event-ID"
    else:
        raise invalid("Last-Event-ID", "must be the id of an event: a whole number")
    if last > table.version:
        raise invalid(field, f"there is no event {last} yet: the newest is {table.version}")
    return last


def stream(
    house: House,
    table: LiveTable,
    principal: Principal,
    lang: str,
    last: int,
    limit: StreamLimit,
    keep_alive: float,
) -> Response:
    """An endless answer of events."""
    limit.enter()
    with table.lock:
        table.watchers += 1

    def leave() -> None:
        with table.lock:
            table.watchers -= 1
        limit.leave()

    lines = _events(house, table, principal, lang, last, keep_alive)
    answer = Response(stream_with_context(lines), mimetype="text/event-stream")
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["X-Accel-Buffering"] = "no"
    answer.call_on_close(leave)
    return answer


def _events(
    house: House, table: LiveTable, principal: Principal, lang: str, last: int, keep_alive: float
) -> Iterator[str]:
    yield f"retry: {RETRY_MS}\n\n"
    while True:
        if not house.knows(principal):
            yield "event: revoked\ndata: {}\n\n"
            return
        house.saw(principal)
        entries = entries_after(house, table, last, BATCH)
        for entry in entries:
            data = entry_text(table, entry, sees_all(table, entry, principal), lang)
            yield f"id: {entry.seq}\nevent: {entry.kind}\ndata: {data}\n\n"
            last = entry.seq
        if not entries:
            with table.changed:
                woken = table.version > last or table.changed.wait(keep_alive)
            if not woken:
                yield ": still here\n\n"
