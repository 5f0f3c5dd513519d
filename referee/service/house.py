"""The house: every table of a server, and the one way anything is written to them."""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import orjson
from sqlalchemy import Engine, Executable, RowMapping
from sqlalchemy.exc import IntegrityError

from referee.rules.serial import game_from_json
from referee.rules.state import State
from referee.service.access import Principal, TokenMaker, hash_token, mark_of
from referee.service.live import LiveTable, LogEntry
from referee.service.problems import Problem
from referee.store.database import token_secret
from referee.store.reader import Entry, Reader
from referee.store.writer import Job, Row, Writer

SNAPSHOT_EVERY = 200
MOST_LIVE = 20_000
MOST_KNOWN_TOKENS = 100_000


@dataclass(frozen=True, slots=True)
class Request:
    """What comes with a write beside its content.

    ``key`` is the Idempotency-Key, ``fingerprint`` a hash of the request it is bound to, and
    ``if_match`` the versions of the table that the sender had in mind (None: any).
    """

    principal: Principal
    key: str | None = None
    fingerprint: str = ""
    if_match: frozenset[int] | None = None

    @property
    def request_key(self) -> str | None:
        """The key as stored: everybody has keys of their own."""
        return None if self.key is None else f"{self.principal.id}:{self.key}"


@dataclass(frozen=True, slots=True)
class Change:
    """What a use case wants written: entries (kind, body), and the state after each.

    ``answer`` is the index of the entry that the request is answered with, now and when it comes
    again.
    """

    entries: Sequence[tuple[str, Mapping[str, Any]]]
    states: Sequence[State | None] = ()
    before: Sequence[tuple[Executable, Row]] = ()
    answer: int = -1


# Told of entries once they are durable.
Written = Callable[[LiveTable, Sequence[LogEntry]], None]


class House:
    """The tables of one server process."""

    def __init__(self, engine: Engine, written: Written | None = None) -> None:
        self._engine = engine
        self._written = written
        self.reader = Reader(engine)
        self.writer = Writer(engine)
        self.tokens = TokenMaker(token_secret(engine))
        self._tables: OrderedDict[str, LiveTable] = OrderedDict()
        self._principals: OrderedDict[str, Principal] = OrderedDict()
        self._revoked: set[str] = set()
        self._devices_seen: dict[str, str] = {}
        self._guard = threading.Lock()

    @property
    def engine(self) -> Engine:
        """The database, for what goes past the log: purging."""
        return self._engine

    def close(self) -> None:
        """Let go of the database."""
        self.writer.close()
        self._engine.dispose()

    def table(self, table_id: str) -> LiveTable:
        """The table of this id. Raises Problem when there is none."""
        with self._guard:
            table = self._tables.get(table_id)
            if table is not None:
                self._tables.move_to_end(table_id)
                return table
            table = self._load(table_id)
            if table is None:
                raise Problem("not-found", f"There is no table {table_id[:40]!r}.")
            self._keep(table)
            return table

    def _keep(self, table: LiveTable) -> None:
        self._tables[table.id] = table
        if len(self._tables) > MOST_LIVE:
            for table_id, old in self._tables.items():
                # Whoever streams from a table or writes to it must keep the same one.
                if not old.lock.locked() and not old.watchers and old is not table:
                    del self._tables[table_id]
                    break

    def _load(self, table_id: str) -> LiveTable | None:
        row = self.reader.table(table_id)
        if row is None:
            return None
        snapshot = self.reader.snapshot(table_id)
        first = self.reader.entries(table_id, limit=1)[0]
        start = game_from_json(orjson.loads(first.body)["game"])
        table = LiveTable(table_id, row["code"], row["created"], start)
        if snapshot is not None:
            table.restore(snapshot[0], orjson.loads(snapshot[1]))
        for entry in self.reader.entries(table_id, table.version):
            table.take(parse_entry(entry))
        return table

    def principal(self, token: str) -> Principal | None:
        """Whom the token stands for; None when there is no such token, or it was revoked."""
        hashed = hash_token(token)
        with self._guard:
            if hashed in self._principals:
                return self._principals[hashed]
        row = self.reader.token(hashed)
        if row is None or row["revoked"] is not None:
            return None
        found = Principal(
            row["id"], row["table_id"], row["role"], row["seat"], row["name"], mark_of(hashed)
        )
        with self._guard:
            self._principals[hashed] = found
            if len(self._principals) > MOST_KNOWN_TOKENS:
                self._principals.popitem(last=False)
        return found

    def forget(self, gone: str, hashed: str) -> None:
        """A token, or a secret that it had, was revoked: ``gone`` is its id, or the mark."""
        with self._guard:
            self._principals.pop(hashed, None)
            self._revoked.add(gone)

    def knows(self, principal: Principal) -> bool:
        """Whether the principal's token has not been revoked since it was let in."""
        return not self._revoked & {principal.id, principal.mark}

    def saw(self, principal: Principal) -> None:
        """A device has just been heard of: it sent a request, or still holds a stream open."""
        if principal.role == "device":
            self._devices_seen[principal.id] = now()

    def held(self, table_id: str) -> LiveTable | None:
        """The table if it is in memory."""
        with self._guard:
            return self._tables.get(table_id)

    def drop(self, table_id: str, token_rows: Sequence[RowMapping]) -> None:
        """A table was purged: whoever holds a token of it is unknown, and its streams end."""
        with self._guard:
            table = self._tables.pop(table_id, None)
            for row in token_rows:
                self._principals.pop(row["hash"], None)
                self._revoked.add(row["id"])
        if table is not None:
            table.announce()

    def last_seen(self, device: str) -> str | None:
        """When a device was last heard of by this process; None if it was not."""
        return self._devices_seen.get(device)

    def devices_seen_since(self, since: str) -> int:
        """How many devices this process has heard of since then."""
        return sum(at >= since for at in list(self._devices_seen.values()))

    def tables_held(self) -> int:
        """How many tables are in memory."""
        return len(self._tables)

    def write(
        self, table: LiveTable, request: Request, decide: Callable[[], Change]
    ) -> tuple[LogEntry, bool]:
        """Decide under the table's lock and write; the answer, and whether it is a repetition.

        A request whose key has been used gets the entry it made then, whatever has changed since.
        Raises Problem; nothing is changed then.
        """
        with table.lock:
            try:
                self._check_version(table, request)
                _check_open(table, request)
                change = decide()
            except Problem:
                made = self.made_before(table, request)
                if made is not None:
                    return made, True
                raise
            entries = self._entries(table, change)
            try:
                self._commit(table, request, change, entries)
            except IntegrityError:
                made = self.made_before(table, request)
                if made is not None:
                    return made, True
                raise self._overtaken(table) from None
            self._take(table, entries, change)
        table.announce()
        self._tell(table, entries)
        return entries[change.answer], False

    def _tell(self, table: LiveTable, entries: Sequence[LogEntry]) -> None:
        if self._written is not None:
            self._written(table, entries)

    def _overtaken(self, table: LiveTable) -> Problem:
        """Somebody else has written this entry: forget what is held here, and read it anew."""
        with self._guard:
            self._tables.pop(table.id, None)
        return Problem("stale-version", "The table has changed meanwhile. Read it again.")

    def create(self, table: LiveTable, request: Request, change: Change) -> LogEntry:
        """Write a new table."""
        entries = self._entries(table, change)
        with table.lock:
            self._commit(table, request, change, entries)
            self._take(table, entries, change)
        with self._guard:
            self._keep(table)
        self._tell(table, entries)
        return entries[change.answer]

    def _check_version(self, table: LiveTable, request: Request) -> None:
        if request.if_match is not None and table.version not in request.if_match:
            raise Problem(
                "stale-version",
                f"The table has changed: it is at version {table.version} now. Read it again.",
                extra={"version": table.version},
            )

    def made_before(self, table: LiveTable, request: Request) -> LogEntry | None:
        """The entry that a request with the same key made. Raises Problem if it was another one."""
        if request.request_key is None:
            return None
        found = self.reader.by_request_key(table.id, request.request_key)
        if found is None:
            return None
        entry, fingerprint = found
        if fingerprint != request.fingerprint:
            raise Problem(
                "key-reused",
                "This Idempotency-Key was used for another request; use a new one for each.",
            )
        return parse_entry(entry)

    def _entries(self, table: LiveTable, change: Change) -> list[LogEntry]:
        at = now()
        return [
            LogEntry(table.version + i, kind, at, body)
            for i, (kind, body) in enumerate(change.entries, 1)
        ]

    def _take(self, table: LiveTable, entries: Sequence[LogEntry], change: Change) -> None:
        for i, entry in enumerate(entries):
            table.take(entry, change.states[i] if change.states else None)

    def _commit(
        self,
        table: LiveTable,
        request: Request,
        change: Change,
        entries: Sequence[LogEntry],
    ) -> None:
        answer = entries[change.answer]
        rows: list[dict[str, Any]] = [
            {
                "table_id": table.id,
                "seq": entry.seq,
                "kind": entry.kind,
                "at": entry.at,
                "body": dump(entry.body),
                "request_key": request.request_key if entry is answer else None,
                "fingerprint": request.fingerprint if entry is answer else None,
            }
            for entry in entries
        ]
        self.writer.write(Job(rows, self._snapshot(table), change.before))

    def _snapshot(self, table: LiveTable) -> Row | None:
        """A snapshot of the table as it is before the new entries, once in a while."""
        if table.version == 0 or table.version % SNAPSHOT_EVERY:
            return None
        return {"table_id": table.id, "seq": table.version, "body": dump(table.snapshot())}


def parse_entry(entry: Entry) -> LogEntry:
    """A stored entry with its body parsed."""
    return LogEntry(entry.seq, entry.kind, entry.at, orjson.loads(entry.body))


def _check_open(table: LiveTable, request: Request) -> None:
    if table.meta.closed is not None and not request.principal.is_operator:
        raise Problem(
            "closed", "This table is closed: it can be read, and nothing is written any more."
        )


def dump(value: object) -> str:
    """JSON as it is stored and served."""
    return orjson.dumps(value).decode()


def now() -> str:
    """The time, as the log has it: UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def fingerprint(method: str, path: str, body: bytes) -> str:
    """What an Idempotency-Key is bound to."""
    return hashlib.sha256(b"\0".join((method.encode(), path.encode(), body))).hexdigest()
