"""Reading what was written."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Engine, RowMapping, func, select

from referee.store.schema import log, snapshots, tables, tokens


class Entry(NamedTuple):
    """One entry of a table's log; ``body`` is JSON text."""

    seq: int
    kind: str
    at: str
    body: str


ENTRY = (log.c.seq, log.c.kind, log.c.at, log.c.body)


class Reader:
    """Queries over the log, the snapshots and the tokens."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def entries(self, table_id: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        """A table's entries after ``after``, oldest first."""
        query = select(*ENTRY).where(log.c.table_id == table_id, log.c.seq > after)
        query = query.order_by(log.c.seq).limit(limit)
        with self._engine.connect() as connection:
            return [Entry(*row) for row in connection.execute(query)]

    def entries_of_kind(self, table_id: str, kinds: Sequence[str]) -> list[Entry]:
        """A table's entries of some kinds, oldest first."""
        query = select(*ENTRY).where(log.c.table_id == table_id, log.c.kind.in_(kinds))
        with self._engine.connect() as connection:
            return [Entry(*row) for row in connection.execute(query.order_by(log.c.seq))]

    def by_request_key(self, table_id: str, key: str) -> tuple[Entry, str] | None:
        """The entry that a request with this key made, and the fingerprint it is bound to."""
        query = select(*ENTRY, log.c.fingerprint).where(
            log.c.table_id == table_id, log.c.request_key == key
        )
        with self._engine.connect() as connection:
            row = connection.execute(query).first()
        return None if row is None else (Entry(*row[:4]), row[4])

    def table(self, table_id: str) -> RowMapping | None:
        """The table's row."""
        with self._engine.connect() as connection:
            query = select(tables).where(tables.c.id == table_id)
            return connection.execute(query).mappings().first()

    def table_by_code(self, code: str) -> str | None:
        """The id of the table with this join code."""
        with self._engine.connect() as connection:
            query = select(tables.c.id).where(tables.c.code == code)
            return connection.execute(query).scalar_one_or_none()

    def snapshot(self, table_id: str) -> tuple[int, str] | None:
        """The newest snapshot: the entry it stands after, and its JSON."""
        with self._engine.connect() as connection:
            query = select(snapshots.c.seq, snapshots.c.body).where(
                snapshots.c.table_id == table_id
            )
            row = connection.execute(query).first()
        return None if row is None else (row[0], row[1])

    def token(self, hashed: str) -> RowMapping | None:
        """The token with this hash."""
        with self._engine.connect() as connection:
            query = select(tokens).where(tokens.c.hash == hashed)
            return connection.execute(query).mappings().first()

    def tokens_of(self, table_id: str) -> list[RowMapping]:
        """The table's tokens, oldest first."""
        with self._engine.connect() as connection:
            query = select(tokens).where(tokens.c.table_id == table_id)
            return list(
                connection.execute(query.order_by(tokens.c.created, tokens.c.id)).mappings()
            )

    def answers(self) -> bool:
        """Whether the database answers a query."""
        with self._engine.connect() as connection:
            value: Any = connection.execute(select(func.count()).select_from(tables)).scalar_one()
        return isinstance(value, int)
