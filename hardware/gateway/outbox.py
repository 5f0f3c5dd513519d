"""The outbox: observations on the disk until the server has accepted them."""

import fcntl
import json
import os
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from hardware.observation import Memory, Observation

FORMAT = 1
# Observations that the server does not accept are kept for inspection, up to this many.
MOST_SET_ASIDE = 1000
SCHEMA = f"""
BEGIN IMMEDIATE;
CREATE TABLE outbox (id TEXT NOT NULL);
CREATE TABLE observation (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  table_id TEXT NOT NULL, device TEXT NOT NULL, body BLOB NOT NULL,
  put_at REAL NOT NULL
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
PRAGMA user_version = {FORMAT};
COMMIT;
"""
QUEUES = """
SELECT t.table_id, t.device, t.put - t.delivered - t.set_aside, t.delivered, t.set_aside,
  (SELECT put_at FROM observation o WHERE o.table_id = t.table_id AND o.device = t.device
   ORDER BY number LIMIT 1)
FROM tally t ORDER BY 1, 2
"""


class OutboxError(OSError):
    """The outbox cannot be used; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A waiting observation: the exact bytes to post, and their idempotency key.

    ``put_at``: seconds since 1970.
    """

    number: int
    device: str
    key: str
    body: bytes
    put_at: float


@dataclass(frozen=True, slots=True)
class Queue:
    """Counts of a device's observations: waiting, delivered, set aside.

    ``oldest``: when the oldest waiting one was put, in seconds since 1970.
    """

    table: str
    device: str
    waiting: int = 0
    delivered: int = 0
    set_aside: int = 0
    oldest: float | None = None


class Outbox:
    """The observations of one table, in one file, used by one process at a time.

    Observations of other tables in the same file wait until the gateway serves those tables again.
    """

    def __init__(self, path: Path, table: str, now: Callable[[], float] = time.time) -> None:
        self._path = path
        self._table = table
        self._now = now
        self._guard = threading.Lock()
        self._lock: IO[str] | None = None
        self._id = ""
        self._in: sqlite3.Connection | None = None
        self._out: sqlite3.Connection | None = None

    def open(self) -> None:
        """Open the file, creating it if necessary. Raises OutboxError."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._lock = _lock(self._path)
        except OutboxError:
            raise
        except OSError as error:
            raise OutboxError(
                f"the outbox {self._path} cannot be made: {error.strerror}; outbox.path in the "
                "configuration says where it is"
            ) from None
        try:
            # Incoming observations are on the disk before the device is told. Deliveries need not
            # be: a forgotten one is posted again with the same key, and counts once.
            self._in, self._out = (_connect(self._path, sync) for sync in ("FULL", "NORMAL"))
            self._id = _prepare(self._in, self._path)
        except (sqlite3.Error, OutboxError) as error:
            self.close()
            raise _unusable(self._path, error) from None

    def close(self) -> None:
        """Close the file; waiting observations stay in it."""
        with self._guard:
            for connection in (self._in, self._out):
                if connection is not None:
                    connection.close()
            self._in = self._out = None
            if self._lock is not None:
                self._lock.close()
            self._lock = None

    def put(self, device: str, observations: Sequence[Observation], memory: Memory) -> None:
        """Store observations together with the device's memory, durably, all or nothing.

        Raises OSError.
        """
        bodies = [_json({"at": seen.at, **seen.body}).encode() for seen in observations]
        with self._write("_in") as db:
            db.executemany(
                "INSERT INTO observation (table_id, device, body, put_at) VALUES (?, ?, ?, ?)",
                [(self._table, device, body, self._now()) for body in bodies],
            )
            self._count(db, device, "put", len(bodies))
            db.execute(
                "INSERT INTO memory VALUES (?, ?, ?, '') "
                "ON CONFLICT DO UPDATE SET value = excluded.value",
                (self._table, device, _json(memory)),
            )

    def memory(self, device: str, told_as: str = "") -> Memory:
        """Return a device's latest memory; empty at first. Raises OSError.

        Memory describes what the server was told, so each table has its own. ``told_as`` identifies
        the device to the server; if it differs from last time, the memory starts empty.
        """
        with self._write("_in") as db:
            db.execute(
                "DELETE FROM memory WHERE table_id = ? AND device = ? AND told_as != ?",
                (self._table, device, told_as),
            )
            db.execute(
                "INSERT OR IGNORE INTO memory VALUES (?, ?, '{}', ?)",
                (self._table, device, told_as),
            )
            return _memory(db, self._table, device)

    def next(self, device: str) -> Waiting | None:
        """Return the oldest waiting observation of a device. Raises OSError."""
        with self._read() as db:
            found = db.execute(
                "SELECT number, body, put_at FROM observation "
                "WHERE table_id = ? AND device = ? ORDER BY number LIMIT 1",
                (self._table, device),
            ).fetchone()
        if found is None:
            return None
        number, body, put_at = found
        return Waiting(number, device, f"{self._id}-{number}", body, put_at)

    def done(self, taken: Waiting) -> None:
        """Remove an observation that the server accepted. Raises OSError."""
        with self._write("_out") as db:
            db.execute("DELETE FROM observation WHERE number = ?", (taken.number,))
            self._count(db, taken.device, "delivered", 1)

    def set_aside(self, refused: Waiting, reason: str) -> None:
        """Set aside an observation that the server will never accept. Raises OSError."""
        with self._write("_out") as db:
            db.execute(
                "INSERT INTO set_aside SELECT *, ? FROM observation WHERE number = ?",
                (reason, refused.number),
            )
            db.execute("DELETE FROM observation WHERE number = ?", (refused.number,))
            db.execute(
                "DELETE FROM set_aside WHERE number <= "
                "(SELECT number FROM set_aside ORDER BY number DESC LIMIT 1 OFFSET ?)",
                (MOST_SET_ASIDE,),
            )
            self._count(db, refused.device, "set_aside", 1)

    def queues(self) -> list[Queue]:
        """Return all queues in the file, of other tables too. Raises OSError."""
        with self._read() as db:
            return [Queue(*row) for row in db.execute(QUEUES)]

    def _count(self, db: sqlite3.Connection, device: str, what: str, number: int) -> None:
        db.execute(
            f"INSERT INTO tally (table_id, device, {what}) VALUES (?, ?, ?) "  # noqa: S608
            f"ON CONFLICT DO UPDATE SET {what} = {what} + excluded.{what}",
            (self._table, device, number),
        )

    @contextmanager
    def _write(self, which: str) -> Iterator[sqlite3.Connection]:
        with self._reach(which) as db:
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise

    @contextmanager
    def _read(self) -> Iterator[sqlite3.Connection]:
        with self._reach("_out") as db:
            yield db

    @contextmanager
    def _reach(self, which: str) -> Iterator[sqlite3.Connection]:
        with self._guard:
            db = getattr(self, which)
            if db is None:
                raise OSError(f"the outbox {self._path} is closed")
            try:
                yield db
            except sqlite3.Error as error:
                raise OSError(f"the outbox {self._path} does not work: {error}") from error


def read_queues(path: Path) -> list[Queue]:
    """Check an outbox that another process may be using; return its queues.

    Raises OutboxError if it is damaged or cannot be read.
    """
    with _beside(path) as db:
        said = db.execute("PRAGMA quick_check(1)").fetchone()[0]
        if said != "ok":
            raise _unusable(path, said)
        _check_format(db, path)
        return [Queue(*row) for row in db.execute(QUEUES)]


def read_memory(path: Path, table: str, device: str) -> Memory:
    """Read a device's memory from an outbox in use by another process. Raises OutboxError."""
    with _beside(path) as db:
        _check_format(db, path)
        return _memory(db, table, device)


@contextmanager
def _beside(path: Path) -> Iterator[sqlite3.Connection]:
    try:
        with closing(_connect(path, "NORMAL", "ro")) as db:
            yield db
    except sqlite3.Error as error:
        raise _unusable(path, error) from None


def _memory(db: sqlite3.Connection, table: str, device: str) -> Memory:
    found = db.execute(
        "SELECT value FROM memory WHERE table_id = ? AND device = ?", (table, device)
    ).fetchone()
    memory: dict[str, Any] = json.loads(found[0]) if found else {}
    return memory


def _connect(path: Path, synchronous: str, mode: str = "rwc") -> sqlite3.Connection:
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


def _prepare(db: sqlite3.Connection, path: Path) -> str:
    """Create missing tables; return the outbox's id, which its keys begin with."""
    if db.execute("PRAGMA user_version").fetchone()[0] == 0:
        db.executescript(SCHEMA)
    _check_format(db, path)
    db.execute(
        "INSERT INTO outbox SELECT ? WHERE NOT EXISTS (SELECT 1 FROM outbox)",
        (secrets.token_hex(8),),
    )
    return str(db.execute("SELECT id FROM outbox").fetchone()[0])


def _check_format(db: sqlite3.Connection, path: Path) -> None:
    found = db.execute("PRAGMA user_version").fetchone()[0]
    if found != FORMAT:
        raise OutboxError(
            f"the outbox {path} is of format {found}, and this release knows format {FORMAT}; "
            "use the release that made it, or another file"
        )


def _unusable(path: Path, error: object) -> OutboxError:
    if isinstance(error, OutboxError):
        return error
    return OutboxError(
        f"the outbox {path} cannot be used: {error}; move it away to begin a new one "
        "(what waits in it is lost then)"
    )


def _lock(path: Path) -> IO[str]:
    handle = open(f"{path}.lock", "a+", encoding="ascii")  # noqa: SIM115 - held while open
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        handle.seek(0)
        holder = handle.read(20).strip() or "unknown"
        handle.close()
        raise OutboxError(
            f"another gateway (process {holder}) uses the outbox {path}; stop it, "
            "or give this one another outbox.path"
        ) from None
    handle.truncate(0)
    handle.write(f"{os.getpid()}\n")
    handle.flush()
    return handle


def _json(value: Any) -> str:
    return json.dumps(dict(value), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
