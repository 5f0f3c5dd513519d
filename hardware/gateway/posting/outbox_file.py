"""The outbox's file: its tables, its format, and who has it open."""

import errno
import os
import secrets
import sqlite3
from pathlib import Path

from filelock import FileLock, Timeout

FORMAT = 3
SCHEMA = f"""
BEGIN IMMEDIATE;
CREATE TABLE outbox (id TEXT NOT NULL);  -- the series of what is put next
CREATE TABLE observation (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  table_id TEXT NOT NULL, device TEXT NOT NULL, body BLOB NOT NULL,
  put_at REAL NOT NULL, series TEXT NOT NULL
);
CREATE INDEX observation_in_order ON observation (table_id, device, number);
CREATE TABLE set_aside (
  number INTEGER PRIMARY KEY,
  table_id TEXT NOT NULL, device TEXT NOT NULL, body BLOB NOT NULL,
  put_at REAL NOT NULL, reason TEXT NOT NULL
);
CREATE TABLE memory (
  table_id TEXT NOT NULL, device TEXT NOT NULL, value TEXT NOT NULL, told_as TEXT NOT NULL,
  PRIMARY KEY (table_id, device)
);
CREATE TABLE tally (
  table_id TEXT NOT NULL, device TEXT NOT NULL,
  put INTEGER NOT NULL DEFAULT 0, delivered INTEGER NOT NULL DEFAULT 0,
  set_aside INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (table_id, device)
);
-- What the server has to know of a device: its state after all that it saw, and whether that is
-- owed to the server, which did not take an observation.
CREATE TABLE present (
  table_id TEXT NOT NULL, device TEXT NOT NULL, body TEXT NOT NULL DEFAULT '{{}}',
  owed INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (table_id, device)
);
PRAGMA user_version = {FORMAT};
COMMIT;
"""
# Seconds that a start waits for whoever only looks whether the file is in use.
LOOK_SECONDS = 0.3


class OutboxError(OSError):
    """The outbox cannot be used; the text says why and what to do."""


def connect(path: Path, synchronous: str, mode: str = "rwc") -> sqlite3.Connection:
    """Open the file. Raises sqlite3.Error."""
    db = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
    )
    try:
        db.execute(f"PRAGMA synchronous = {synchronous}")
        if mode == "rwc":
            db.execute("PRAGMA journal_mode = WAL")
    except sqlite3.Error:
        db.close()
        raise
    return db


def prepare(db: sqlite3.Connection, path: Path) -> None:
    """Create what is missing. Raises sqlite3.Error or OutboxError."""
    found = db.execute("PRAGMA user_version").fetchone()[0]
    if found == 0:
        db.executescript(SCHEMA)
    check_format(db, path)
    if db.execute("SELECT 1 FROM outbox").fetchone() is None:
        db.execute("INSERT INTO outbox VALUES (?)", (new_series(),))


def new_series() -> str:
    """Return a name that no other series of numbers has."""
    return secrets.token_hex(8)


def check_format(db: sqlite3.Connection, path: Path) -> None:
    """Raise OutboxError if another release made the file."""
    found = db.execute("PRAGMA user_version").fetchone()[0]
    if found != FORMAT:
        raise OutboxError(
            f"the outbox {path} is of format {found}, and this release knows format {FORMAT}; "
            "use the release that made it, or another file"
        )


def unusable(path: Path, error: object) -> OutboxError:
    """Return an error that says what to do about a file that cannot be used."""
    if isinstance(error, OutboxError):
        return error
    return OutboxError(
        f"the outbox {path} cannot be used: {error}; move it away to begin a new one "
        "(what waits in it is lost then)"
    )


def lock(path: Path) -> FileLock:
    """Make the folder and take the file for this process alone. Raises OutboxError."""
    # One thread opens the outbox, and another may close it.
    taken = FileLock(f"{path}.lock", timeout=LOOK_SECONDS, thread_local=False)
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        taken.acquire()
    except Timeout:
        raise OutboxError(
            f"another gateway uses the outbox {path} ('referee-table doctor' names its process); "
            "stop it, or give this one another outbox.path"
        ) from None
    except OSError as error:
        raise OutboxError(_closed_to_us(path, error)) from None
    return taken


def in_use(path: Path) -> bool:
    """Return whether a gateway has the outbox open."""
    beside = Path(f"{path}.lock")
    if not beside.exists():
        return False
    taken = FileLock(beside, timeout=0)
    try:
        taken.acquire()
    except Timeout:
        return True
    except OSError:
        return False
    taken.release()
    return False


def _closed_to_us(path: Path, error: OSError) -> str:
    if error.errno in (errno.EACCES, errno.EPERM) and os.access(path, os.F_OK):
        return (
            f"the outbox {path} belongs to another user; run as that one, or name a file of your "
            "own: outbox.path in the configuration, or --outbox"
        )
    return (
        f"the outbox {path} cannot be made: {error.strerror}; outbox.path in the "
        "configuration says where it is"
    )
