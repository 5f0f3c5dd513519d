"""Copies of an SQLite store: made while a server writes to it, checked, and put back.

A copy holds what the store holds: hashes of tokens, the secret that repeated tokens are derived
from, hands that were shown. It is made readable for its owner alone. PostgreSQL has its own tools.
"""

import contextlib
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import URL

from referee.store.database import DatabaseError, database_url, lock_file

PAGES = 4096
OWNER_ALONE = 0o600
GAPS = "SELECT table_id FROM log GROUP BY table_id HAVING COUNT(*) <> MAX(seq) OR MIN(seq) <> 1"
HEADLESS = "SELECT id FROM tables WHERE id NOT IN (SELECT table_id FROM log)"


@dataclass(frozen=True, slots=True)
class Checked:
    """A store that was found whole: how much is in it."""

    tables: int
    entries: int
    size: int


def sqlite_file(database: str) -> Path:
    """The file of a database. Raises DatabaseError when it is no SQLite file."""
    url: URL = database_url(database)
    if url.get_backend_name() != "sqlite" or not url.database:
        raise DatabaseError(
            "Only SQLite is backed up here; use pg_dump and pg_restore for PostgreSQL."
        )
    return Path(url.database)


def check(path: Path) -> Checked:
    """Look through the whole file. Raises DatabaseError saying what is wrong with it."""
    if not path.is_file():
        raise DatabaseError(f"There is no file {path}.")
    try:
        with contextlib.closing(_open(path)) as connection:
            return _check(connection, path)
    except sqlite3.Error as error:
        raise DatabaseError(f"{path} is no store that can be read: {error}.") from None


def back_up(database: str, target: Path) -> Checked:
    """Copy the store as it is at one moment, and check the copy. Raises DatabaseError."""
    source = sqlite_file(database)
    if target.exists():
        raise DatabaseError(f"{target} is there already: choose another name.")
    if not source.is_file():
        raise DatabaseError(f"There is no file {source}.")
    with _beside(target) as copy:
        _copy(source, copy)
        checked = check(copy)
        os.replace(copy, target)
    return checked


def restore(source: Path, database: str) -> tuple[Checked, Path | None]:
    """Put a copy in the place of the store, which is kept under another name, if there is one.

    Raises DatabaseError when the copy is not whole, or a server uses the store; nothing is changed
    then.
    """
    store = sqlite_file(database)
    checked = check(source)
    store.parent.mkdir(parents=True, exist_ok=True)
    with lock_file(store), _beside(store) as copy:
        _copy(source, copy)
        kept = _put_aside(store)
        os.replace(copy, store)
    return checked, kept


def _put_aside(store: Path) -> Path | None:
    """Keep a store, with what SQLite has beside it, under a name that is not taken."""
    if not store.exists():
        return None
    number = 1
    while (kept := Path(f"{store}.replaced-{number}")).exists():
        number += 1
    for suffix in ("-wal", "-shm", ""):
        with contextlib.suppress(FileNotFoundError):
            os.replace(f"{store}{suffix}", f"{kept}{suffix}")
    return kept


@contextlib.contextmanager
def _beside(target: Path) -> Iterator[Path]:
    """A file in the same folder, for its owner alone, to be moved to ``target``."""
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name}-", dir=target.parent)
    except OSError as error:
        raise DatabaseError(f"{target.parent} takes no file: {error.strerror}.") from None
    os.close(handle)
    copy = Path(name)
    try:
        copy.chmod(OWNER_ALONE)
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
            old.backup(new, pages=PAGES, sleep=0.01)
            # One file, with nothing beside it that could be left behind.
            new.execute("PRAGMA journal_mode=DELETE")
        with target.open("rb") as file:
            os.fsync(file.fileno())
    except (sqlite3.Error, OSError) as error:
        raise DatabaseError(f"{source} could not be copied to {target.parent}: {error}.") from None


def _open(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=10)


def _check(connection: sqlite3.Connection, path: Path) -> Checked:
    for pragma, fine in (("integrity_check", [("ok",)]), ("foreign_key_check", [])):
        found = connection.execute(f"PRAGMA {pragma}").fetchall()
        if found != fine:
            raise DatabaseError(f"{path} is damaged: {pragma} says {found[0]}.")
    for query, what in ((GAPS, "entries are missing in the log of"), (HEADLESS, "no log for")):
        broken = connection.execute(query).fetchone()
        if broken:
            raise DatabaseError(f"{path} is damaged: {what} table {broken[0]}.")
    numbers = [
        connection.execute(f"SELECT COUNT(*) FROM {name}").fetchone()[0]  # noqa: S608 - ours
        for name in ("tables", "log")
    ]
    return Checked(numbers[0], numbers[1], path.stat().st_size)
