"""Read the log, snapshots, tokens, photos, webhooks and computers."""

import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Engine, RowMapping, Select, func, select
from sqlalchemy.exc import DBAPIError

from referee.store.health import SOON, StoreHealth
from referee.store.schema import (
    computers,
    log,
    photos,
    settings,
    snapshots,
    tables,
    tokens,
    webhooks,
)


class Entry(NamedTuple):
    """One entry of a table's log; ``body`` is JSON text."""

    seq: int
    kind: str
    at: str
    body: str


class WebhookPosition(NamedTuple):
    """How far a webhook has got in the log of its table, whose newest entry is ``newest``."""

    id: str
    table_id: str
    revision: int
    last_seq: int
    newest: int
    has_test: bool


ENTRY = (log.c.seq, log.c.kind, log.c.at, log.c.body)


class LogReader:
    """Queries the database. Every method may raise StoreUnavailable."""

    def __init__(self, engine: Engine, health: StoreHealth | None = None) -> None:
        self._health = health or StoreHealth(engine)
        # Single queries need no transaction, which saves PostgreSQL two round trips.
        shared = engine.dialect.name == "postgresql"
        self._engine = engine.execution_options(isolation_level="AUTOCOMMIT") if shared else engine

    def entries(self, table_id: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        """Return a table's entries after number ``after``, oldest first."""
        query = select(*ENTRY).where(log.c.table_id == table_id, log.c.seq > after)
        return [Entry(*row) for row in self._rows(query.order_by(log.c.seq).limit(limit))]

    def entries_of_kind(self, table_id: str, kinds: Sequence[str], after: int = 0) -> list[Entry]:
        """Return a table's entries of these kinds after number ``after``, oldest first."""
        query = select(*ENTRY).where(
            log.c.table_id == table_id, log.c.seq > after, log.c.kind.in_(kinds)
        )
        return [Entry(*row) for row in self._rows(query.order_by(log.c.seq))]

    def newest_table(self, since: str) -> tuple[str, str] | None:
        """Return id and join code of the table that was made last; None if none was since."""
        query = select(tables.c.id, tables.c.code).where(tables.c.created >= since)
        rows = self._rows(query.order_by(tables.c.created.desc(), tables.c.id).limit(1))
        return tuple(rows[0]) if rows else None

    def newest(self, table_ids: Sequence[str]) -> dict[str, int]:
        """Return the number of each table's newest entry; unknown tables are left out."""
        last = select(func.max(log.c.seq)).where(log.c.table_id == tables.c.id).scalar_subquery()
        query = select(tables.c.id, last).where(tables.c.id.in_(table_ids))
        return {row[0]: row[1] for row in self._rows(query)}

    def by_request_key(self, table_id: str, key: str) -> tuple[Entry, str] | None:
        """Return the entry written under an Idempotency-Key, and the fingerprint of its request."""
        query = select(*ENTRY, log.c.fingerprint).where(
            log.c.table_id == table_id, log.c.request_key == key
        )
        rows = self._rows(query)
        return (Entry(*rows[0][:4]), rows[0][4]) if rows else None

    def table(self, table_id: str) -> RowMapping | None:
        """Return the table's row."""
        return self._mapping(select(tables).where(tables.c.id == table_id))

    def table_by_code(self, code: str) -> str | None:
        """Return the id of the table with this join code."""
        rows = self._rows(select(tables.c.id).where(tables.c.code == code))
        return rows[0][0] if rows else None

    def snapshot(self, table_id: str) -> tuple[int, str] | None:
        """Return the snapshot's entry number and JSON."""
        query = select(snapshots.c.seq, snapshots.c.body).where(snapshots.c.table_id == table_id)
        rows = self._rows(query)
        return (rows[0][0], rows[0][1]) if rows else None

    def token(self, hashed: str) -> RowMapping | None:
        """Return the token with this hash."""
        return self._mapping(select(tokens).where(tokens.c.hash == hashed))

    def token_by_id(self, token_id: str) -> RowMapping | None:
        """Return the token with this id."""
        return self._mapping(select(tokens).where(tokens.c.id == token_id))

    def tokens_of(self, table_id: str) -> list[RowMapping]:
        """Return the table's tokens, oldest first."""
        query = select(tokens).where(tokens.c.table_id == table_id)
        return [row._mapping for row in self._rows(query.order_by(tokens.c.created, tokens.c.id))]

    def photos_of(self, table_id: str) -> list[RowMapping]:
        """Return the table's stored photos, oldest first, without the image data."""
        columns = [column for column in photos.c if column is not photos.c.data]
        query = select(*columns).where(photos.c.table_id == table_id)
        return [row._mapping for row in self._rows(query.order_by(photos.c.at, photos.c.id))]

    def photo(self, table_id: str, photo_id: str) -> RowMapping | None:
        """Return a stored photo."""
        return self._mapping(
            select(photos).where(photos.c.table_id == table_id, photos.c.id == photo_id)
        )

    def webhook(self, webhook_id: str) -> RowMapping | None:
        """Return the webhook with this id."""
        return self._mapping(select(webhooks).where(webhooks.c.id == webhook_id))

    def webhooks_of(self, table_id: str) -> list[RowMapping]:
        """Return the table's webhooks, oldest first."""
        query = select(webhooks).where(webhooks.c.table_id == table_id)
        rows = self._rows(query.order_by(webhooks.c.created, webhooks.c.id))
        return [row._mapping for row in rows]

    def webhook_positions(self, table_id: str | None = None) -> list[WebhookPosition]:
        """Return how far the webhooks have got that are on or to be tested; of a table, or all."""
        newest = select(func.max(log.c.seq)).where(log.c.table_id == webhooks.c.table_id)
        query = select(
            *(webhooks.c.id, webhooks.c.table_id, webhooks.c.revision, webhooks.c.last_seq),
            newest.scalar_subquery(),
            webhooks.c.test.is_not(None),
        ).where(webhooks.c.disabled.is_(None) | webhooks.c.test.is_not(None))
        if table_id is not None:
            query = query.where(webhooks.c.table_id == table_id)
        return [WebhookPosition(*row) for row in self._rows(query)]

    def next_entry(self, table_id: str, after: int, kinds: Sequence[str] | None) -> Entry | None:
        """Return the table's first entry after a number, of these kinds; None: of any."""
        query = select(*ENTRY).where(log.c.table_id == table_id, log.c.seq > after)
        if kinds is not None:
            query = query.where(log.c.kind.in_(kinds))
        rows = self._rows(query.order_by(log.c.seq).limit(1))
        return Entry(*rows[0]) if rows else None

    def computers_of(self, computer: str) -> list[dict[str, Any]]:
        """Return what hosts know a computer as, by its hash; the one that brought it last first."""
        query = select(computers).where(computers.c.computer == computer)
        newest_first = query.order_by(computers.c.brought.desc(), computers.c.id)
        return [dict(row._mapping) for row in self._rows(newest_first)]

    def computers_by(self, host: str) -> list[dict[str, Any]]:
        """Return the computers that come along with a host, by the hash of the host's key."""
        query = select(computers).where(computers.c.host == host)
        by_name = query.order_by(computers.c.name, computers.c.id)
        return [dict(row._mapping) for row in self._rows(by_name)]

    def ping(self) -> None:
        """Query the database; raises StoreUnavailable if it does not answer."""
        self._rows(select(settings.c.name).limit(1))

    def _mapping(self, query: Select[*tuple[Any, ...]]) -> RowMapping | None:
        rows = self._rows(query)
        return rows[0]._mapping if rows else None

    def _rows(self, query: Select[*tuple[Any, ...]]) -> Sequence[Any]:
        began = time.monotonic()
        with self._health.reading():
            try:
                return self._fetch(query)
            except DBAPIError as error:
                # A connection that broke while idle says nothing about the next one.
                if not error.connection_invalidated or time.monotonic() - began > SOON:
                    raise
                return self._fetch(query)

    def _fetch(self, query: Select[*tuple[Any, ...]]) -> Sequence[Any]:
        with self._engine.connect() as connection:
            return connection.execute(query).all()
