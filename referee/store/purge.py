"""Delete a table and everything that belongs to it."""

import os
from glob import escape

import structlog
from sqlalchemy import Engine, delete

from referee.store.database import private_folder
from referee.store.schema import imports, log, photos, snapshots, tables, tokens, webhooks

logger = structlog.get_logger(__name__)
# The folder of the worker that reads phones' frames; it keeps a few files for each of them.
WORKER = "watcher"
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
    """Delete the table in one transaction, then its files. Returns whether it existed."""
    with engine.begin() as connection:
        gone = 0
        for column in TABLE_IDS:
            gone = connection.execute(delete(column.table).where(column == table_id)).rowcount
    if gone:
        delete_worker_files(engine, table_id)
    return gone > 0


def delete_worker_files(engine: Engine, table_id: str, device_id: str | None = None) -> None:
    """Delete what the worker keeps for a table's phone that was the camera, or for all of them.

    Of files that are still open nothing is left as soon as they are closed. Of those that cannot be
    deleted the log tells: the token is revoked, or the table gone, all the same.
    """
    database = engine.url.render_as_string(hide_password=False)
    of_device = "*" if device_id is None else f"{escape(device_id)}.*"
    try:
        folder = private_folder(database, WORKER, os.environ)
        for file in folder.glob(f"{escape(table_id)}-{of_device}"):
            file.unlink(missing_ok=True)
    except (OSError, RuntimeError) as error:  # RuntimeError: this user has no home
        logger.warning("worker's files not deleted", table=table_id, exc_info=error)
