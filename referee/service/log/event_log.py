"""All tables of this process, and their only writer."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Engine, Executable, RowMapping
from sqlalchemy.exc import IntegrityError

from referee.rules.position.state import Game, State
from referee.service.access import HOST, Principal, TokenMaker
from referee.service.leases import LEASE, Leases
from referee.service.log.entries import dump, entry_row, now, number_entries, parse_entry
from referee.service.log.fold import check_kind
from referee.service.log.hosts import TAKEOVER_SECONDS, Takeovers
from referee.service.log.long_games import LongGames
from referee.service.log.pairing_requests import PAIRING, Pairings
from referee.service.log.preconditions import (
    MOST_ENTRIES,
    WriteRequest,
    check_if_match,
    check_open,
    check_room,
    check_same_request,
)
from referee.service.log.table_cache import TableCache
from referee.service.log.table_projection import LogEntry, TableProjection
from referee.service.log.token_holders import TokenHolders
from referee.service.periodic_task import PeriodicTask
from referee.service.pile.thresholds import Prior
from referee.service.problems import Problem
from referee.service.webhook_news import WEBHOOK, WebhookNews
from referee.store.database import token_secret
from referee.store.errors import StoreUnavailable
from referee.store.groups import GroupReader
from referee.store.health import StoreHealth
from referee.store.postgres.notifications import News, Notifications
from referee.store.writer import Job, LogWriter, Row

SNAPSHOT_EVERY = 200
# Retries of a write when another process was first.
TRIES = 40
# Prefixes of notifications; others name a table that was written to.
DEVICE = "device/"
PHONE = "phone/"
PURGED = "purged/"
VOID = "void/"
SECONDS = len("2026-11-05T12:00:00")
# Roles of phones that the game may wait for.
PLAYING = frozenset({"host", "seat"})


@dataclass(frozen=True, slots=True)
class Change:
    """The result of a use case: entries (kind, body), and the state after each.

    ``answer`` is the index of the entry that answers the request, now and when it is repeated.
    ``confirmed``: the request confirms what the log held already.
    """

    entries: Sequence[tuple[str, Mapping[str, Any]]]
    states: Sequence[State | None] = ()
    before: Sequence[tuple[Executable, Row]] = ()
    answer: int = -1
    confirmed: bool = False


# Called with entries once they are durable.
Written = Callable[[TableProjection, Sequence[LogEntry]], None]


class EventLog:
    """The tables of one server process.

    Where several processes share the database, each caches tables in its own memory, and the log is
    the truth: a write based on an old version fails on its entry number, catches up and decides
    again; a read checks for new entries first; streams are notified. ``prior`` is how camera
    readings are weighed, ``takeover_seconds`` how long a host has to refuse another,
    ``most_entries`` how many entries a table may have.
    """

    def __init__(
        self,
        engine: Engine,
        written: Written | None = None,
        prior: Prior | None = None,
        takeover_seconds: float = TAKEOVER_SECONDS,
        most_entries: int = MOST_ENTRIES,
    ) -> None:
        self._engine = engine
        self._written = written
        self.prior = prior or Prior()
        self.store = StoreHealth(engine)
        self.reader = GroupReader(engine, self.store)
        self.writer = LogWriter(engine, self.store)
        self.tokens = TokenMaker(token_secret(engine))
        shared = engine.dialect.name == "postgresql"
        self.cache = TableCache(self.reader, shared)
        self.store.on_change = self.cache.announce_all
        self._notifications = (
            Notifications(engine, self._receive_news, self.cache.look, self.store.report_disconnect)
            if shared
            else None
        )
        self.holders = TokenHolders(self.reader, self.cache)
        self._devices_seen: dict[str, str] = {}
        self.leases = Leases(self._publish)
        self.pairings = Pairings(self._publish, self.pairings_changed)
        self.hooks = WebhookNews(self._publish)
        self.takeovers = Takeovers(takeover_seconds)
        self.cache.asked = self.takeovers.wait_for
        # Called after a write at a table of a tournament.
        self.played: Callable[[TableProjection], None] = lambda _: None
        # What runs beside the requests until it is closed.
        self.tasks: list[PeriodicTask] = []
        self.long_games = LongGames()
        self.most_entries = most_entries

    @property
    def shared(self) -> bool:
        """Whether other processes may use the database."""
        return self._notifications is not None

    @property
    def engine(self) -> Engine:
        """The database, for purging, which bypasses the log."""
        return self._engine

    def open(self) -> None:
        """Start receiving notifications of other processes' writes."""
        if self._notifications is not None:
            self._notifications.open()

    def close(self) -> None:
        """End the tasks, and close the database."""
        for task in self.tasks:
            task.stop()
        self.hooks.close()
        if self._notifications is not None:
            self._notifications.close()
        self.store.close()
        self.writer.close()
        self._engine.dispose()

    def table(self, table_id: str) -> TableProjection:
        """Return a table as this process knows it. Raises Problem if there is none."""
        return self.cache.table(table_id)

    def fresh(self, table_id: str) -> TableProjection:
        """Return a table as it is in the log now. Raises Problem if there is none."""
        return self.cache.fresh(table_id)

    def _receive_news(self, news: News) -> None:
        for name, value in news.items():
            if name.startswith(DEVICE):
                self._devices_seen[name.removeprefix(DEVICE)] = value
            elif name.startswith(PHONE):
                self._hear(value, name.removeprefix(PHONE))
            elif name.startswith(LEASE):
                self.leases.receive(name.removeprefix(LEASE), value)
            elif name.startswith(PAIRING):
                self.pairings.receive(name.removeprefix(PAIRING), value)
            elif name.startswith(WEBHOOK):
                self.hooks.changed(name.removeprefix(WEBHOOK))
            elif name.startswith(PURGED):
                self._dropped(name.removeprefix(PURGED))
            elif name.startswith(VOID):
                self.cache.void.add(name.removeprefix(VOID))
                self.cache.announce_all()
            else:
                self.cache.notice_write(name, int(value))
                self.hooks.written(name)

    def _publish(self, name: str, value: str) -> None:
        if self._notifications is not None:
            self._notifications.send(name, value)

    def pairings_changed(self, table_id: str) -> None:
        """Wake those who want to know who asks to be let in with devices at a table."""
        table = self.cache.cached(table_id)
        if table is not None:
            table.asks += 1
            table.announce()

    def shut_out(self, organiser: str) -> None:
        """End the streams of an organiser whose token was revoked."""
        self.cache.void.add(organiser)
        self.cache.announce_all()
        self._publish(VOID + organiser, "")

    def mark_seen(self, principal: Principal) -> None:
        """Note that a device or a phone sent a request, or still holds a stream open."""
        if principal.role == "device":
            at = now()
            # Once a second is enough for other processes.
            if self._devices_seen.get(principal.id, "")[:SECONDS] != at[:SECONDS]:
                self._publish(DEVICE + principal.id, at)
            self._devices_seen[principal.id] = at
        elif principal.role in PLAYING and self._hear(principal.table_id, principal.id):
            self._publish(PHONE + principal.id, principal.table_id)

    def _hear(self, table_id: str, token: str) -> bool:
        table = self.cache.cached(table_id)
        return table is not None and table.presence.hear(token)

    def cached(self, table_id: str) -> TableProjection | None:
        """Return the table if it is in memory."""
        return self.cache.cached(table_id)

    def drop(self, table_id: str, token_rows: Sequence[RowMapping]) -> None:
        """Forget a purged table: its tokens are void, and its streams end."""
        self.cache.void.update(row["id"] for row in token_rows)
        self._dropped(table_id)
        self._publish(PURGED + table_id, "")

    def _dropped(self, table_id: str) -> None:
        self.holders.forget_table(table_id)
        self.cache.drop(table_id)

    def last_seen(self, device: str) -> str | None:
        """Return the time when this process last saw a device; None if it has not."""
        return self._devices_seen.get(device)

    def devices_seen_since(self, since: str) -> int:
        """Count the devices that this process has seen since a time."""
        return sum(at >= since for at in list(self._devices_seen.values()))

    def tables_cached(self) -> int:
        """Return the number of tables in memory."""
        return len(self.cache)

    def write(
        self, table: TableProjection, request: WriteRequest, decide: Callable[[], Change]
    ) -> tuple[LogEntry, bool]:
        """Decide under the table's lock and write; return the answer, and True for a repetition.

        A request with a used key gets the entry it made the first time. If this raises Problem,
        nothing has changed.
        """
        with table.lock:
            if table.unsure:
                self.cache.take_stored(table)
            for _ in range(TRIES):
                written = self._try(table, request, decide)
                if written is not None:
                    break
            else:
                raise _overtaken()
        if table.meta.tournament is not None:
            self.played(table)
        return written

    def preview(
        self, table: TableProjection, request: WriteRequest, decide: Callable[[], Change]
    ) -> tuple[LogEntry, Game]:
        """Decide as ``write`` does, and return the answer and the game after it. Raises Problem.

        Nothing is written.
        """
        with table.lock:
            if table.unsure or self._notifications is not None:
                self.cache.take_stored(table)
            change = self._decided(table, request, decide)
            entry = self._entries(table, change)[change.answer]
            state = change.states[change.answer] if change.states else None
            return entry, (state or table.state).game

    def _try(
        self, table: TableProjection, request: WriteRequest, decide: Callable[[], Change]
    ) -> tuple[LogEntry, bool] | None:
        """Decide and write once; return None after catching up with others' writes instead."""
        try:
            change = self._decided(table, request, decide)
            entries = self._entries(table, change)
            self._commit(table, request, change, entries)
        except (Problem, IntegrityError) as error:
            earlier = self.made_before(table, request)
            behind = self._notifications is not None or isinstance(error, IntegrityError)
            news = behind and self.cache.take_stored(table)
            if earlier is not None:
                return earlier, True
            if news:
                return None
            if isinstance(error, Problem):
                raise
            raise _overtaken() from None
        except StoreUnavailable:
            # It may have been written all the same.
            table.unsure = True
            raise
        self._take(table, entries, change)
        self._announce(table, entries)
        return entries[change.answer], False

    def _announce(self, table: TableProjection, entries: Sequence[LogEntry]) -> None:
        table.announce()
        self._publish(table.id, str(table.version))
        self.hooks.written(table.id)
        if self._written is not None:
            self._written(table, entries)

    def create(self, table: TableProjection, request: WriteRequest, change: Change) -> LogEntry:
        """Write a new table."""
        entries = self._entries(table, change)
        with table.lock:
            self._commit(table, request, change, entries)
            self._take(table, entries, change)
        self.cache.keep(table)
        self._announce(table, entries)
        return entries[change.answer]

    def create_with(
        self, new: Sequence[tuple[TableProjection, Change]], rows: Sequence[tuple[Executable, Row]]
    ) -> None:
        """Write rows and new tables, if any, in one transaction."""
        entries = [self._entries(table, change) for table, change in new]
        before = [*rows, *(row for _, change in new for row in change.before)]
        log_rows = [
            entry_row(table.id, entry)
            for (table, _), written in zip(new, entries, strict=True)
            for entry in written
        ]
        self.writer.write(Job(log_rows, None, before))
        for (table, change), written in zip(new, entries, strict=True):
            with table.lock:
                self._take(table, written, change)
            self.cache.keep(table)
            self._announce(table, written)

    def _decided(
        self, table: TableProjection, request: WriteRequest, decide: Callable[[], Change]
    ) -> Change:
        """Decide, the request being in order. Raises Problem.

        If-Match is checked here and nowhere else. Whether the request only confirms what the log
        holds, for which any version will do, is known only once it is decided.
        """
        if not request.may_confirm:
            check_if_match(table, request)
        if not self.holders.is_valid(request.principal):
            raise Problem("not-authenticated", "The token is unknown or was revoked.")
        if request.principal.host and request.principal.id not in table.meta.hosts.held:
            raise Problem("forbidden", HOST.refusal)
        check_open(table, request.principal)
        change = decide()
        if request.may_confirm and not change.confirmed:
            check_if_match(table, request)
        return change

    def made_before(self, table: TableProjection, request: WriteRequest) -> LogEntry | None:
        """Return the entry made with this key. Raises Problem if another request made it."""
        if request.request_key is None:
            return None
        stored = self.reader.by_request_key(table.id, request.request_key)
        if stored is None:
            return None
        entry, fingerprint = stored
        check_same_request(fingerprint, request.fingerprint)
        return parse_entry(entry)

    def publish(self, table: TableProjection) -> None:
        """Let everybody find a table that was written in parts."""
        self.cache.keep(table)
        self._publish(table.id, str(table.version))

    def _entries(self, table: TableProjection, change: Change) -> list[LogEntry]:
        kinds = [kind for kind, _ in change.entries]
        for kind in kinds:
            check_kind(kind)
        check_room(table, kinds, self.most_entries)
        return number_entries(table.version, change.entries)

    def _take(self, table: TableProjection, entries: Sequence[LogEntry], change: Change) -> None:
        for i, entry in enumerate(entries):
            self.cache.take(table, entry, change.states[i] if change.states else None)

    def _commit(
        self,
        table: TableProjection,
        request: WriteRequest,
        change: Change,
        entries: Sequence[LogEntry],
    ) -> None:
        rows = [entry_row(table.id, entry) for entry in entries]
        rows[change.answer] |= request.stored
        self.writer.write(Job(rows, self._snapshot(table), change.before))

    def _snapshot(self, table: TableProjection) -> Row | None:
        """Return, occasionally, a snapshot of the table before the new entries."""
        if table.version == 0 or table.version % SNAPSHOT_EVERY:
            return None
        return self.snapshot_of(table)

    def snapshot_of(self, table: TableProjection) -> Row:
        """Return a snapshot of the table as it is now."""
        return {"table_id": table.id, "seq": table.version, "body": dump(table.snapshot())}


def _overtaken() -> Problem:
    return Problem("stale-version", "The table has changed meanwhile. Read it again.")
