"""Server-sent events: the entries of a table's log, as they are written, from any entry on.

The table's events have ids. Events about the stream itself have none: ``revoked`` and ``closing``
end it, ``unavailable`` and ``available`` are about the store.
"""

import secrets
import time
from collections.abc import Callable, Iterator

from flask import Response, request, stream_with_context

from referee.api.middleware.limiting import sender_address
from referee.api.problems import problem_body, store_unavailable
from referee.api.rendering import entry_text
from referee.api.stream_limits import OpenStream, StreamLimit
from referee.api.stream_shares import holder
from referee.rules.message import Message
from referee.service.access import Principal
from referee.service.event_log import EventLog, dump
from referee.service.events import entries_after
from referee.service.problems import Problem, invalid
from referee.service.table_projection import LogEntry, TableProjection
from referee.service.views import sees_all
from referee.store.errors import StoreUnavailable
from referee.store.health import Condition

BATCH = 100
REVOKED = "event: revoked\ndata: {}\n\n"
RETRY_MS = 2_000
# A stream that yielded to another comes back later.
SHED_RETRY_MS = 15_000


def last_event_id(table: TableProjection, after: int | None) -> int:
    """Return the last event the reader has: Last-Event-ID, or ``after``. Raises Problem."""
    header = request.headers.get("Last-Event-ID")
    if header is None:
        last, field = after or 0, "after"
    elif header.isascii() and header.isdecimal() and len(header) < 16:
        last, field = int(header), "Last-Event-ID"
    else:
        raise invalid("Last-Event-ID", "must be the id of an event: a whole number")
    if last > table.version:
        raise invalid(
            field,
            Message(
                "there is no event {last} yet: the newest is {version}",
                last=last,
                version=table.version,
            ),
        )
    return last


def stream(
    event_log: EventLog,
    table: TableProjection,
    principal: Principal,
    lang: Callable[[], str],
    last: int,
    limit: StreamLimit,
    keep_alive: float,
) -> Response:
    """Return an endless response; ``lang`` is called for each event, as it may change."""
    whose = holder(principal, sender_address())
    open_stream = limit.enter(table.announce, request.environ.get("gunicorn.socket"), whose)
    with table.lock:
        table.watchers += 1

    def leave() -> None:
        with table.lock:
            table.watchers -= 1
        limit.leave(open_stream)

    lines = _timed(
        _Stream(event_log, table, principal, lang, open_stream, keep_alive).lines(last), open_stream
    )
    answer = Response(stream_with_context(lines), mimetype="text/event-stream")
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["X-Accel-Buffering"] = "no"
    answer.call_on_close(leave)
    return answer


def _timed(lines: Iterator[str], open_stream: OpenStream) -> Iterator[str]:
    """Pass lines on, noting when each write began."""
    for line in lines:
        open_stream.writing_since = time.monotonic()
        yield line
        open_stream.writing_since = None


class _Stream:
    """The events for one reader."""

    def __init__(
        self,
        event_log: EventLog,
        table: TableProjection,
        principal: Principal,
        lang: Callable[[], str],
        open_stream: OpenStream,
        keep_alive: float,
    ) -> None:
        self._log, self._table, self._principal = event_log, table, principal
        self._lang, self._open_stream, self._keep_alive = lang, open_stream, keep_alive
        self._store_was_well = True

    def lines(self, last: int) -> Iterator[str]:
        """Yield everything after an event, until the reader leaves or the server stops."""
        yield f"retry: {RETRY_MS}\n\n"
        # Read entries of other processes from before this one subscribed to the table.
        try:
            self._log.fresh(self._table.id)
        except StoreUnavailable:
            pass
        except Problem:  # purged meanwhile
            yield REVOKED
            return
        while not self._open_stream.over:
            if not self._admitted():
                yield REVOKED
                return
            self._log.mark_seen(self._principal)
            if self._store_was_well is not self._store_is_well():
                self._store_was_well = not self._store_was_well
                yield _store_event(self._store_was_well)
            entries = self._entries(last)
            for entry in entries or ():
                open_hands = sees_all(self._table, entry, self._principal)
                undone = self._table.meta.undone.get(entry.seq)
                data = entry_text(self._table, entry, open_hands, undone, self._lang())
                yield f"id: {entry.seq}\nevent: {entry.kind}\ndata: {data}\n\n"
                last = entry.seq
            if not entries and not self._wait(last, entries is None):
                yield ": still here\n\n"
        # Spread the reconnects of all readers.
        again = RETRY_MS // 4 + secrets.randbelow(RETRY_MS)
        if self._open_stream.shed:
            again += SHED_RETRY_MS
        data = dump({"reason": "shed", "seconds": again // 1000} if self._open_stream.shed else {})
        yield f"event: closing\nretry: {again}\ndata: {data}\n\n"

    def _admitted(self) -> bool:
        return self._log.is_valid(self._principal) and not self._table.purged

    def _store_is_well(self) -> bool:
        return self._log.store.condition is Condition.HEALTHY

    def _entries(self, last: int) -> list[LogEntry] | None:
        """Return new entries; None if the store is unavailable."""
        try:
            return entries_after(self._log, self._table, last, BATCH)
        except StoreUnavailable:
            return None

    def _wait(self, last: int, unreadable: bool) -> bool:
        """Wait for something new; return False after ``keep_alive`` seconds."""
        with self._table.changed:
            return self._table.changed.wait_for(
                lambda: (
                    self._open_stream.over
                    or self._store_was_well is not self._store_is_well()
                    or (self._table.version > last and not unreadable)
                    or not self._admitted()
                ),
                self._keep_alive,
            )


def _store_event(well: bool) -> str:
    """Return the event about the store, which has no id, as it is not the table's."""
    if well:
        return "event: available\ndata: {}\n\n"
    return f"event: unavailable\ndata: {dump(problem_body(store_unavailable()))}\n\n"
