"""Look into an outbox that another process may be using."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from hardware.gateway.outbox_file import check_format, connect, unusable
from hardware.gateway.outbox_rows import Queue, memory_of, queues_of
from hardware.observation import Memory


def read_queues(path: Path) -> list[Queue]:
    """Check an outbox; return its queues.

    Raises OutboxError if it is damaged or cannot be read.
    """
    with _open(path) as db:
        said = db.execute("PRAGMA quick_check(1)").fetchone()[0]
        if said != "ok":
            raise unusable(path, said)
        check_format(db, path)
        return queues_of(db)


def read_memory(path: Path, table: str, device: str) -> Memory:
    """Read a device's memory. Raises OutboxError."""
    with _open(path) as db:
        check_format(db, path)
        return memory_of(db, table, device)


@contextmanager
def _open(path: Path) -> Iterator[sqlite3.Connection]:
    try:
        with closing(connect(path, "NORMAL", "ro")) as db:
            yield db
    except sqlite3.Error as error:
        raise unusable(path, error) from None
