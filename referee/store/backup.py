"""Back up, check and restore an SQLite store, also while a server writes to it.

A copy holds secrets: hashes of tokens, the secret that tokens are derived from, hands that were
shown. Only its owner can read it. PostgreSQL has its own tools.
"""

import contextlib
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import URL

from referee.store import private_files
from referee.store.database import (
    DatabaseError,
    check_writer,
    damaged,
    database_url,
    is_damage,
    lock_file,
)
from referee.store.migration import ForeignError

PAGES_PER_STEP = 4096
GAPS = "SELECT table_id FROM log GROUP BY table_id HAVING COUNT(*) <> MAX(seq) OR MIN(seq) <> 1"
LOGLESS = "SELECT id FROM tables WHERE id NOT IN (SELECT table_id FROM log)"


@dataclass(frozen=True, slots=True)
class StoreContents:
    """How much an intact store holds; ``size`` is in bytes."""

    tables: int
    entries: int
    size: int


def sqlite_file(database: str) -> Path:
    """Return the file of a database. Raises DatabaseError unless it is an SQLite file."""
    url: URL = database_url(database)
    if url.get_backend_name() != "sqlite" or not url.database:
        raise DatabaseError(
            "Only SQLite can be backed up here; use pg_dump and pg_restore for PostgreSQL."
        )
    return Path(url.database)


def check(path: Path, name: Path | None = None) -> StoreContents:
    """Check the whole file. Raises DatabaseError naming the first fault.

    ``name`` is the store's for people, if this is a copy of it.
    """
    name = name or path
    _must_be_file(path)
    try:
        check_writer(path)
        with contextlib.closing(_open(path)) as connection:
            return _check(connection, path, name)
    except ForeignError:
        raise DatabaseError(
            f"{name} is not a readable store: it lacks tables, or another program has written it."
        ) from None
    except sqlite3.Error as error:
        if is_damage(error):
            raise damaged(name, str(error)) from None
        raise DatabaseError(f"{name} cannot be read: {error}.") from None


def _must_be_file(path: Path) -> None:
    if not path.is_file():
        raise DatabaseError(f"{path} {'is a folder' if path.is_dir() else 'does not exist'}.")


def back_up(database: str, target: Path) -> StoreContents:
    """Copy the store as of one moment and check the copy. Raises DatabaseError."""
    source = sqlite_file(database)
    if target.exists():
        raise DatabaseError(f"{target} already exists: choose another name.")
    _must_be_file(source)
    with _beside(target) as copy:
        _copy(source, copy)
        checked = check(copy, source)
        os.replace(copy, target)
    return checked


def restore(source: Path, database: str) -> tuple[StoreContents, Path | None]:
    """Replace the store by a copy. Returns the copy's contents and where the old store now lies.

    Raises DatabaseError, having changed nothing, if the copy is damaged or a server uses the store.
    """
    store = sqlite_file(database)
    checked = check(source)
    store.parent.mkdir(mode=private_files.FOLDER, parents=True, exist_ok=True)
    with lock_file(store), _beside(store) as copy:
        _copy(source, copy)
        replaced = _put_aside(store)
        os.replace(copy, store)
    return checked, replaced


def _put_aside(store: Path) -> Path | None:
    """Move a store and SQLite's side files to a free name."""
    if not store.exists():
        return None
    number = 1
    while (aside := Path(f"{store}.replaced-{number}")).exists():
        number += 1
    for suffix in ("-wal", "-shm", ""):
        with contextlib.suppress(FileNotFoundError):
            os.replace(f"{store}{suffix}", f"{aside}{suffix}")
    list(private_files.tighten(aside))
    return aside


@contextlib.contextmanager
def _beside(target: Path) -> Iterator[Path]:
    """Yield a private temporary file in the folder of ``target``; removed unless moved away."""
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name}-", dir=target.parent)
    except OSError as error:
        raise DatabaseError(f"Cannot write to {target.parent}: {error.strerror}.") from None
    os.close(handle)
    copy = Path(name)
    try:
        copy.chmod(private_files.OWNER_ONLY)
        yield copy
    finally:
        for suffix in ("", "-wal", "-shm", "-journal"):
            Path(f"{copy}{suffix}").unlink(missing_ok=True)


def _copy(source: Path, target: Path) -> None:
    try:
        with (
            contextlib.closing(_open(source)) as old,
            contextlib.closing(sqlite3.connect(target)) as new,
        ):
            old.backup(new, pages=PAGES_PER_STEP, sleep=0.01)
            # Leaves one file, without a WAL beside it that a move could forget.
            new.execute("PRAGMA journal_mode=DELETE")
        with target.open("rb") as file:
            os.fsync(file.fileno())
    except (sqlite3.Error, OSError) as error:
        if is_damage(error):
            raise damaged(source, str(error)) from None
        raise DatabaseError(f"Cannot copy {source} to {target.parent}: {error}.") from None


def _open(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=10)


def _check(connection: sqlite3.Connection, path: Path, name: Path) -> StoreContents:
    for pragma, expected in (("integrity_check", [("ok",)]), ("foreign_key_check", [])):
        rows = connection.execute(f"PRAGMA {pragma}").fetchall()
        if rows != expected:
            raise damaged(name, f"{pragma} says {rows[0]}")
    for query, fault in ((GAPS, "entries are missing in the log of"), (LOGLESS, "no log for")):
        broken = connection.execute(query).fetchone()
        if broken:
            raise damaged(name, f"{fault} table {broken[0]}")
    tables, entries = (
        connection.execute(f"SELECT COUNT(*) FROM {kind}").fetchone()[0]  # noqa: S608 - ours
        for kind in ("tables", "log")
    )
    return StoreContents(tables, entries, path.stat().st_size)
