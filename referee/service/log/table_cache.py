"""The tables that a process has in memory, kept up to date with the log.

Where several processes share a database, each has its own cache and the log is the truth: reads
look for news first, and tables with open streams are updated as others write.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress

import orjson
import structlog

from referee.rules.message import Message, quoted
from referee.rules.position.state import State
from referee.rules.records.serial import game_from_json
from referee.service.log.entries import parse_entry
from referee.service.log.fold import fold
from referee.service.log.table_projection import LogEntry, TableProjection
from referee.service.problems import Problem
from referee.store.errors import StoreUnavailable
from referee.store.reader import LogReader

logger = structlog.get_logger(__name__)
MOST_LIVE = 20_000
LOADING_AT_ONCE = 64
LOOK_AT_ONCE = 500
# Kinds of entries that make a token or a secret void, and the field that names it.
VOIDS = {"token-revoked": "token", "token-rotated": "void"}
ASKING = ("host-asked", "host-agreed")


class TableCache:
    """Tables by id. ``void``: ids of revoked tokens, marks of secrets that were renewed.

    ``asked`` is called with each table at which a phone asks to become a host: also with one that
    is loaded after a restart, and with one at which it asked another process.
    """

    def __init__(self, reader: LogReader, shared: bool) -> None:
        self._reader = reader
        self._shared = shared
        self._tables: OrderedDict[str, TableProjection] = OrderedDict()
        self._guard = threading.Lock()
        self._loading = tuple(threading.Lock() for _ in range(LOADING_AT_ONCE))
        self.void: set[str] = set()
        self.asked: Callable[[str], None] = lambda _: None

    def table(self, table_id: str) -> TableProjection:
        """Return the table as this process knows it. Raises Problem when there is none."""
        return self._used(table_id) or self._loaded(table_id)

    def fresh(self, table_id: str) -> TableProjection:
        """Return the table as the log has it now. Raises Problem when there is none."""
        table = self._used(table_id)
        if table is None:
            return self._loaded(table_id)
        if self._shared or table.unsure:
            self.catch_up(table)
        return table

    def __len__(self) -> int:
        return len(self._tables)

    def cached(self, table_id: str) -> TableProjection | None:
        """Return the table if it is in memory."""
        with self._guard:
            return self._tables.get(table_id)

    def drop(self, table_id: str) -> None:
        """Drop a purged table and end its streams."""
        with self._guard:
            table = self._tables.pop(table_id, None)
        if table is not None:
            table.purged = True
            table.announce()

    def clear(self) -> None:
        """Drop all tables: each is loaded again when it is needed."""
        with self._guard:
            self._tables.clear()

    def keep(self, table: TableProjection) -> None:
        """Add a table; one that nobody uses may be dropped for it."""
        with self._guard:
            self._tables[table.id] = table
            if len(self._tables) <= MOST_LIVE:
                return
            for table_id, old in self._tables.items():
                # Streams and writers must keep the object they have.
                if not old.lock.locked() and not old.watchers and old is not table:
                    del self._tables[table_id]
                    break

    def take(self, table: TableProjection, entry: LogEntry, state: State | None = None) -> None:
        """Fold an entry into a table; hold its lock."""
        fold(table, entry, state)
        self._void(entry)
        if entry.kind in ASKING:
            self.asked(table.id)

    def catch_up(self, table: TableProjection) -> bool:
        """Update a table with others' writes; return whether there were any."""
        if not self._reader.entries(table.id, table.version, limit=1) and not table.unsure:
            return False
        with table.lock:
            return self.take_stored(table)

    def take_stored(self, table: TableProjection) -> bool:
        """Do as ``catch_up`` does, while holding the table's lock."""
        stored = self._reader.entries(table.id, table.version)
        for entry in stored:
            self.take(table, parse_entry(entry))
        table.unsure = False
        if stored:
            table.announce()
        return bool(stored)

    def notice_write(self, table_id: str, seq: int) -> None:
        """Update a table with open streams that another process has written to."""
        table = self.cached(table_id)
        if table is not None and table.watchers and table.version < seq:
            self._catch_up_if_possible(table)

    def look(self) -> None:
        """Check every table with open streams, as notifications may have been lost."""
        watched = {table.id: table for table in self._watched()}
        ids = list(watched)
        with suppress(StoreUnavailable):
            for start in range(0, len(ids), LOOK_AT_ONCE):
                newest = self._reader.newest(ids[start : start + LOOK_AT_ONCE])
                for table_id in ids[start : start + LOOK_AT_ONCE]:
                    if table_id not in newest:
                        self.drop(table_id)
                    elif watched[table_id].version < newest[table_id]:
                        self._catch_up_if_possible(watched[table_id])

    def _catch_up_if_possible(self, table: TableProjection) -> None:
        # Whoever reads a table that a newer server has written to is told so.
        with suppress(StoreUnavailable, Problem):
            self.catch_up(table)

    def announce_all(self) -> None:
        """Wake all streams."""
        for table in self._watched():
            table.announce()

    def _watched(self) -> list[TableProjection]:
        with self._guard:
            return [table for table in self._tables.values() if table.watchers]

    def _used(self, table_id: str) -> TableProjection | None:
        with self._guard:
            table = self._tables.get(table_id)
            if table is not None:
                self._tables.move_to_end(table_id)
            return table

    def _loaded(self, table_id: str) -> TableProjection:
        # One thread loads a table; those that want others do not wait for it.
        with self._loading[hash(table_id) % LOADING_AT_ONCE]:
            table = self._used(table_id)
            if table is None:
                table = self._load(table_id)
                self.keep(table)
                if table.meta.hosts.request is not None:
                    self.asked(table_id)
            return table

    def _load(self, table_id: str) -> TableProjection:
        row = self._reader.table(table_id)
        if row is None:
            raise Problem(
                "not-found", Message("There is no table {table}.", table=quoted(table_id))
            )
        snapshot = self._reader.snapshot(table_id)
        first = self._reader.entries(table_id, limit=1)[0]
        start = game_from_json(orjson.loads(first.body)["game"])
        table = TableProjection(table_id, row["code"], row["created"], start)
        if snapshot is not None:
            self._restore(table, *snapshot)
        for entry in self._reader.entries(table_id, table.version):
            self.take(table, parse_entry(entry))
        if self._shared:
            # Tokens may have been revoked while the table was not cached.
            for entry in self._reader.entries_of_kind(table_id, tuple(VOIDS)):
                self._void(parse_entry(entry))
        return table

    def _restore(self, table: TableProjection, seq: int, body: str) -> None:
        """Load a snapshot; one that cannot be read is left aside, and the whole log is folded."""
        try:
            table.restore(seq, orjson.loads(body))
        except (KeyError, TypeError, ValueError) as error:
            # A newer server has written it.
            logger.warning("snapshot not read", table=table.id, entry=seq, reason=repr(error))

    def _void(self, entry: LogEntry) -> None:
        if entry.kind in VOIDS:
            self.void.add(entry.body[VOIDS[entry.kind]])
