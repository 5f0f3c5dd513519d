"""Delete a table and everything that belongs to it."""

from sqlalchemy import Engine, delete

from referee.store.schema import imports, log, photos, snapshots, tables, tokens, webhooks

# Rows that refer to a table must go before it.
TABLE_IDS = (
    imports.c.table_id,
    log.c.table_id,
    snapshots.c.table_id,
    tokens.c.table_id,
    photos.c.table_id,
    webhooks.c.table_id,
    tables.c.id,
)


def purge(engine: Engine, table_id: str) -> bool:
    """Delete the table in one transaction. Returns whether it existed."""
    with engine.begin() as connection:
        gone = 0
        for column in TABLE_IDS:
            gone = connection.execute(delete(column.table).where(column == table_id)).rowcount
    return gone > 0
