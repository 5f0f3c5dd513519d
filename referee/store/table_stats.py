"""Size and age of tables, for the operator."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Engine, Subquery, func, select

from referee.store.schema import imports, log, tables


@dataclass(frozen=True, slots=True)
class TableStats:
    """A table's creation, number of log entries and newest entry; times in ISO 8601, UTC."""

    id: str
    created: str
    entries: int
    last: str


def table_stats(
    engine: Engine, after: str = "", limit: int | None = None, quiet_since: str | None = None
) -> list[TableStats]:
    """Return up to ``limit`` tables by id, after ``after``, with no entry since ``quiet_since``."""
    last = _last_entry()
    query = (
        select(tables.c.id, tables.c.created, last.c.seq, last.c.at)
        .join(last, last.c.table_id == tables.c.id)
        .where(tables.c.id > after)
        .order_by(tables.c.id)
        .limit(limit)
    )
    if quiet_since is not None:
        query = query.where(last.c.at < quiet_since)
    with engine.connect() as connection:
        return [TableStats(*row) for row in connection.execute(query)]


def unfinished_tables(engine: Engine, before: str | None = None) -> list[str]:
    """Return the tables, made before a time, whose imports were broken off."""
    query = select(tables.c.id).join(imports, imports.c.table_id == tables.c.id)
    if before is not None:
        query = query.where(tables.c.created < before)
    with engine.connect() as connection:
        return list(connection.execute(query).scalars())


def _last_entry() -> Subquery:
    newest = (
        select(log.c.table_id, func.max(log.c.seq).label("seq"))
        .group_by(log.c.table_id)
        .subquery("newest")
    )
    return (
        select(log.c.table_id, log.c.seq, log.c.at)
        .join(newest, (newest.c.table_id == log.c.table_id) & (newest.c.seq == log.c.seq))
        .subquery("last")
    )


def newest_body(engine: Engine, table_id: str, kinds: Sequence[str]) -> str | None:
    """Return the JSON body of a table's newest entry of these kinds, None without one."""
    query = select(log.c.body).where(log.c.table_id == table_id, log.c.kind.in_(kinds))
    with engine.connect() as connection:
        return connection.execute(query.order_by(log.c.seq.desc()).limit(1)).scalar_one_or_none()
