"""Server-sent events: the entries of a table's log, as they are written, from any entry on.

The table's events have ids. Events about the stream itself have none: ``revoked`` and ``closing``
end it, ``unavailable`` and ``available`` are about the store; whoever wants it hears by
``pairings`` that somebody asks to be let in with devices, or was answered.
"""

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from flask import Response, request

from referee.api.limits.rates import sender_address
from referee.api.limits.streams import OpenStream, StreamLimit, holder
from referee.api.problems import problem_body, store_unavailable
from referee.api.rendering import entry_text
from referee.rules.message import Message
from referee.service.access import Principal
from referee.service.log.entries import dump
from referee.service.log.event_log import EventLog
from referee.service.log.table_projection import LogEntry, TableProjection
from referee.service.play.views import entries_after, sees_all
from referee.service.problems import Problem, invalid
from referee.store.errors import StoreUnavailable
from referee.store.health import Condition

BATCH = 100
REVOKED = "event: revoked\ndata: {}\n\n"
PAIRINGS = "event: pairings\ndata: {}\n\n"
STILL_HERE = ": still here\n\n"
RETRY_MS = 2_000
# A stream that yielded to another comes back later.
SHED_RETRY_MS = 15_000
# As many events are rendered at once without holding others up.
QUICK = 8
# A server puts the reader's connection here.
PEER_KEY = "referee.peer"
ENVIRON_KEY = "referee.stream"


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
    pairings: bool = False,
) -> Response:
    """Return an endless response; ``lang`` is called for each event, as it may change.

    ``pairings``: it has the events of that name.
    """
    whose = holder(principal, sender_address())
    open_stream = limit.enter(table.announce, request.environ.get(PEER_KEY), whose)
    events = EventStream(event_log, table, principal, lang, last, open_stream, limit, keep_alive)
    events.with_pairings = pairings
    try:
        events.watch()
        answer = Response(events.lines(), mimetype="text/event-stream")
        answer.headers["Cache-Control"] = "no-store"
        answer.headers["X-Accel-Buffering"] = "no"
        answer.call_on_close(events.close)
        # A server that can serves it without a thread, and closes it whatever becomes of the
        # answer (referee.serving).
        request.environ[ENVIRON_KEY] = events
    except BaseException:
        events.close()
        raise
    return answer


class EventStream:
    """The events for one reader, as text.

    Ask ``more`` until it has ``ended``; after an empty answer, wait until ``hear`` calls, or for
    ``keep_alive`` seconds and send ``STILL_HERE``. It holds a place until it is closed.
    """

    def __init__(
        self,
        event_log: EventLog,
        table: TableProjection,
        principal: Principal,
        lang: Callable[[], str],
        last: int,
        open_stream: OpenStream,
        limit: StreamLimit,
        keep_alive: float,
    ) -> None:
        self._limit, self._watching = limit, False
        self._log, self._table, self._principal = event_log, table, principal
        self._lang, self._last = lang, last
        self._store_was_well, self._unreadable = True, False
        self.with_pairings, self._asks = False, -1
        self.open_stream, self.keep_alive = open_stream, keep_alive
        self.ended = False

    def watch(self) -> None:
        """Let the table keep its newest entries at hand."""
        with self._table.lock:
            self._table.watchers += 1
            self._watching = True

    def leave(self) -> None:
        """Give the place to others, without waiting for anything."""
        self._limit.leave(self.open_stream)

    def close(self) -> None:
        """Leave, once the table is free; again, this does nothing."""
        self.leave()
        with self._table.lock:
            if self._watching:
                self._watching = False
                self._table.watchers -= 1

    def lines(self) -> Iterator[str]:
        """Yield everything, until the reader leaves or the server stops; for servers of threads."""
        yield self.begin()
        while not self.ended:
            text = self.more()
            if text:
                yield text
            elif not self._wait():
                yield STILL_HERE

    def begin(self) -> str:
        """Return the beginning. This reads the store."""
        # Read entries of other processes from before this one subscribed to the table.
        try:
            self._log.fresh(self._table.id)
        except StoreUnavailable:
            pass
        except Problem:  # purged meanwhile
            self.ended = True
            return REVOKED
        return f"retry: {RETRY_MS}\n\n"

    def more(self) -> str:
        """Return what is new, which may read the store; "" if nothing is."""
        if self.open_stream.over:
            self.ended = True
            return self._closing()
        if not self._admitted():
            self.ended = True
            return REVOKED
        self._log.mark_seen(self._principal)
        messages = []
        if self._store_was_well is not self._store_is_well():
            self._store_was_well = not self._store_was_well
            messages.append(_store_event(self._store_was_well, self._lang()))
        if self._pairings_are_new():
            self._asks = self._table.asks
            messages.append(PAIRINGS)
        for entry in self._entries():
            open_hands = sees_all(self._table, entry, self._principal)
            undone = self._table.meta.undone.get(entry.seq)
            data = entry_text(self._table, entry, open_hands, undone, self._lang())
            messages.append(f"id: {entry.seq}\nevent: {entry.kind}\ndata: {data}\n\n")
            self._last = entry.seq
        return "".join(messages)

    def is_quick(self) -> bool:
        """Return whether ``more`` has little to say, and from memory."""
        behind = self._table.version - self._last
        return behind <= 0 or (behind <= QUICK and len(self._table.tail) >= behind)

    @contextmanager
    def hear(self, wake: Callable[[], None]) -> Iterator[None]:
        """Let ``wake`` be called, from any thread, whenever there may be more."""
        self._table.listeners.add(wake)
        try:
            yield
        finally:
            self._table.listeners.discard(wake)

    def _closing(self) -> str:
        shed = self.open_stream.shed
        # Spread the reconnects of all readers.
        again = RETRY_MS // 4 + secrets.randbelow(RETRY_MS) + (SHED_RETRY_MS if shed else 0)
        data = dump({"reason": "shed", "seconds": again // 1000} if shed else {})
        return f"event: closing\nretry: {again}\ndata: {data}\n\n"

    def _admitted(self) -> bool:
        return self._log.holders.is_valid(self._principal) and not self._table.purged

    def _pairings_are_new(self) -> bool:
        return self.with_pairings and self._asks != self._table.asks

    def _store_is_well(self) -> bool:
        return self._log.store.condition is Condition.HEALTHY

    def _entries(self) -> list[LogEntry]:
        """Return new entries; none if the store is unavailable."""
        try:
            entries = entries_after(self._log, self._table, self._last, BATCH)
        except StoreUnavailable:
            self._unreadable = True
            return []
        self._unreadable = False
        return entries

    def _wait(self) -> bool:
        """Wait for something new; return False after ``keep_alive`` seconds."""
        with self._table.changed:
            return self._table.changed.wait_for(
                lambda: (
                    self.open_stream.over
                    or self._store_was_well is not self._store_is_well()
                    or self._pairings_are_new()
                    or (self._table.version > self._last and not self._unreadable)
                    or not self._admitted()
                ),
                self.keep_alive,
            )


def _store_event(well: bool, lang: str) -> str:
    """Return the event about the store, which has no id, as it is not the table's."""
    if well:
        return "event: available\ndata: {}\n\n"
    return f"event: unavailable\ndata: {dump(problem_body(store_unavailable(), lang))}\n\n"
