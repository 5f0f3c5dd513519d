"""The tables that a process holds in memory, and keeping them as the log has them.

Where several processes share a database, each holds tables of its own. Then the log decides:
whoever reads looks for news first, and tables that somebody streams from are kept up as others
write.
"""

import threading
from collections import OrderedDict
from contextlib import suppress

import orjson

from referee.rules.message import Message
from referee.rules.serial import game_from_json
from referee.rules.state import State
from referee.service.problems import Problem
from referee.service.table_projection import LogEntry, TableProjection
from referee.store.errors import StoreUnavailable
from referee.store.reader import Entry, LogReader

MOST_LIVE = 20_000
LOADING_AT_ONCE = 64
LOOK_AT_ONCE = 500
# The kinds of entries that make a token or a secret void, and what in them names it.
VOIDS = {"token-revoked": "token", "token-rotated": "void"}


class TableCache:
    """Tables by id. ``void``: ids of revoked tokens, marks of secrets that were renewed."""

    def __init__(self, reader: LogReader, shared: bool) -> None:
        self._reader = reader
        self._shared = shared
        self._tables: OrderedDict[str, TableProjection] = OrderedDict()
        self._guard = threading.Lock()
        self._loading = tuple(threading.Lock() for _ in range(LOADING_AT_ONCE))
        self.void: set[str] = set()

    def table(self, table_id: str) -> TableProjection:
        """The table, as far as this process knows. Raises Problem when there is none."""
        return self._used(table_id) or self._loaded(table_id)

    def fresh(self, table_id: str) -> TableProjection:
        """The table, as the log has it now. Raises Problem when there is none."""
        table = self._used(table_id)
        if table is None:
            return self._loaded(table_id)
        if self._shared or table.unsure:
            self.catch_up(table)
        return table

    def __len__(self) -> int:
        return len(self._tables)

    def cached(self, table_id: str) -> TableProjection | None:
        """The table if it is in memory."""
        with self._guard:
            return self._tables.get(table_id)

    def drop(self, table_id: str) -> None:
        """A table is no more: its streams end."""
        with self._guard:
            table = self._tables.pop(table_id, None)
        if table is not None:
            table.purged = True
            table.announce()

    def clear(self) -> None:
        """Let go of all tables: each is loaded again when it is asked for."""
        with self._guard:
            self._tables.clear()

    def keep(self, table: TableProjection) -> None:
        """Hold a table; another one that nobody needs may be let go for it."""
        with self._guard:
            self._tables[table.id] = table
            if len(self._tables) <= MOST_LIVE:
                return
            for table_id, old in self._tables.items():
                # Whoever streams from a table or writes to it must keep the same one.
                if not old.lock.locked() and not old.watchers and old is not table:
                    del self._tables[table_id]
                    break

    def take(self, table: TableProjection, entry: LogEntry, state: State | None = None) -> None:
        """Fold an entry into a table; hold its lock."""
        table.take(entry, state)
        self._void(entry)

    def catch_up(self, table: TableProjection) -> bool:
        """Take in what others have written to a table; whether there was anything."""
        if not self._reader.entries(table.id, table.version, limit=1) and not table.unsure:
            return False
        with table.lock:
            return self.take_stored(table)

    def take_stored(self, table: TableProjection) -> bool:
        """The same, for whoever holds the table's lock."""
        stored = self._reader.entries(table.id, table.version)
        for found in stored:
            self.take(table, parse_entry(found))
        table.unsure = False
        if stored:
            table.announce()
        return bool(stored)

    def notice_write(self, table_id: str, seq: int) -> None:
        """Another process has written: streams want to know, all others ask by themselves."""
        table = self.cached(table_id)
        if table is not None and table.watchers and table.version < seq:
            with suppress(StoreUnavailable):
                self.catch_up(table)

    def look(self) -> None:
        """Something may not have been heard: look at every table that somebody streams from."""
        watched = {table.id: table for table in self._watched()}
        ids = list(watched)
        with suppress(StoreUnavailable):
            for start in range(0, len(ids), LOOK_AT_ONCE):
                newest = self._reader.newest(ids[start : start + LOOK_AT_ONCE])
                for table_id in ids[start : start + LOOK_AT_ONCE]:
                    if table_id not in newest:
                        self.drop(table_id)
                    elif watched[table_id].version < newest[table_id]:
                        self.catch_up(watched[table_id])

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
        # Of those who want the same table one reads it; nobody else waits for them.
        with self._loading[hash(table_id) % LOADING_AT_ONCE]:
            table = self._used(table_id)
            if table is None:
                table = self._load(table_id)
                self.keep(table)
            return table

    def _load(self, table_id: str) -> TableProjection:
        row = self._reader.table(table_id)
        if row is None:
            raise Problem(
                "not-found", Message("There is no table {table}.", table=repr(table_id[:40]))
            )
        snapshot = self._reader.snapshot(table_id)
        first = self._reader.entries(table_id, limit=1)[0]
        start = game_from_json(orjson.loads(first.body)["game"])
        table = TableProjection(table_id, row["code"], row["created"], start)
        if snapshot is not None:
            table.restore(snapshot[0], orjson.loads(snapshot[1]))
        for entry in self._reader.entries(table_id, table.version):
            self.take(table, parse_entry(entry))
        if self._shared:
            # Nobody told this process of tokens revoked while it did not hold the table.
            for entry in self._reader.entries_of_kind(table_id, tuple(VOIDS)):
                self._void(parse_entry(entry))
        return table

    def _void(self, entry: LogEntry) -> None:
        if entry.kind in VOIDS:
            self.void.add(entry.body[VOIDS[entry.kind]])


def parse_entry(entry: Entry) -> LogEntry:
    """A stored entry with its body parsed."""
    return LogEntry(entry.seq, entry.kind, entry.at, orjson.loads(entry.body))
