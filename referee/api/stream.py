"""Server-sent events: what happens at a table, as it happens, from any entry on.

Beside the table's own events, which have ids, a stream says what concerns itself: ``revoked`` and
``closing``, with which it ends, ``unavailable`` and ``available`` of the store.
"""

import secrets
import time
from collections.abc import Callable, Iterator

from flask import Response, request, stream_with_context

from referee.api.problems import problem_body, store_unavailable
from referee.api.rendering import entry_text
from referee.api.stream_limits import Slot, StreamLimit
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


def last_event_id(table: TableProjection, after: int | None) -> int:
    """Where the reader left off: Last-Event-ID, or ``after``. Raises Problem."""
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
    """An endless answer of events; ``lang`` is asked anew each time, for it may be changed."""
    slot = limit.enter(table.announce, request.environ.get("gunicorn.socket"))
    with table.lock:
        table.watchers += 1

    def leave() -> None:
        with table.lock:
            table.watchers -= 1
        limit.leave(slot)

    lines = _timed(_Stream(event_log, table, principal, lang, slot, keep_alive).lines(last), slot)
    answer = Response(stream_with_context(lines), mimetype="text/event-stream")
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["X-Accel-Buffering"] = "no"
    answer.call_on_close(leave)
    return answer


def _timed(lines: Iterator[str], slot: Slot) -> Iterator[str]:
    """The lines; while one is being sent, the slot says since when."""
    for line in lines:
        slot.writing_since = time.monotonic()
        yield line
        slot.writing_since = None


class _Stream:
    """What one reader is sent."""

    def __init__(
        self,
        event_log: EventLog,
        table: TableProjection,
        principal: Principal,
        lang: Callable[[], str],
        slot: Slot,
        keep_alive: float,
    ) -> None:
        self._log, self._table, self._principal = event_log, table, principal
        self._lang, self._slot, self._keep_alive = lang, slot, keep_alive
        self._told_well = True

    def lines(self, last: int) -> Iterator[str]:
        """Everything after an event, until the reader or the server goes."""
        yield f"retry: {RETRY_MS}\n\n"
        # What was written elsewhere before this process knew that somebody streams from the table.
        try:
            self._log.fresh(self._table.id)
        except StoreUnavailable:
            pass
        except Problem:  # purged meanwhile
            yield REVOKED
            return
        while not self._slot.over:
            if not self._admitted():
                yield REVOKED
                return
            self._log.mark_seen(self._principal)
            if self._told_well is not self._store_well():
                self._told_well = not self._told_well
                yield _store_event(self._told_well)
            entries = self._entries(last)
            for entry in entries or ():
                open_hands = sees_all(self._table, entry, self._principal)
                data = entry_text(self._table, entry, open_hands, self._lang())
                yield f"id: {entry.seq}\nevent: {entry.kind}\ndata: {data}\n\n"
                last = entry.seq
            if not entries and not self._wait(last, entries is None):
                yield ": still here\n\n"
        # Not all at the same moment: the next server has others to serve as well.
        again = RETRY_MS // 4 + secrets.randbelow(RETRY_MS)
        yield f"event: closing\nretry: {again}\ndata: {{}}\n\n"

    def _admitted(self) -> bool:
        return self._log.is_valid(self._principal) and not self._table.purged

    def _store_well(self) -> bool:
        return self._log.store.condition is Condition.HEALTHY

    def _entries(self, last: int) -> list[LogEntry] | None:
        """What is new; None when it cannot be read just now."""
        try:
            return entries_after(self._log, self._table, last, BATCH)
        except StoreUnavailable:
            return None

    def _wait(self, last: int, unreadable: bool) -> bool:
        """Wait for something new; whether there is."""
        with self._table.changed:
            return self._table.changed.wait_for(
                lambda: (
                    self._slot.over
                    or self._told_well is not self._store_well()
                    or (self._table.version > last and not unreadable)
                    or not self._admitted()
                ),
                self._keep_alive,
            )


def _store_event(well: bool) -> str:
    """The store has gone, or is back: no event of the table's, so it has no id."""
    if well:
        return "event: available\ndata: {}\n\n"
    return f"event: unavailable\ndata: {dump(problem_body(store_unavailable()))}\n\n"
