"""Taking a table out of the database, with all that belongs to it."""

from sqlalchemy import Engine, delete

from referee.store.schema import log, photos, snapshots, tables, tokens

# What points to a table goes before the table.
OF_A_TABLE = (
    log.c.table_id,
    snapshots.c.table_id,
    tokens.c.table_id,
    photos.c.table_id,
    tables.c.id,
)


def purge(engine: Engine, table_id: str) -> bool:
    """Delete the table, whole or not at all; whether it was there."""
    with engine.begin() as connection:
        gone = 0
        for column in OF_A_TABLE:
            gone = connection.execute(delete(column.table).where(column == table_id)).rowcount
    return gone > 0
