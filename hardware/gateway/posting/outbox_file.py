"""The outbox's file: its tables, its format, who has it open, and what stands in it."""

import errno
import json
import os
import secrets
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from hardware.observation import Memory, Observation

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
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if version == 0:
        db.executescript(SCHEMA)
    check_format(db, path)
    if db.execute("SELECT 1 FROM outbox").fetchone() is None:
        db.execute("INSERT INTO outbox VALUES (?)", (new_series(),))


def new_series() -> str:
    """Return a name that no other series of numbers has."""
    return secrets.token_hex(8)


def check_format(db: sqlite3.Connection, path: Path) -> None:
    """Raise OutboxError if another release made the file."""
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if version != FORMAT:
        raise OutboxError(
            f"the outbox {path} is of format {version}, and this release knows format {FORMAT}; "
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


# Observations that the server does not accept are kept for inspection, up to this many.
MOST_SET_ASIDE = 1000
QUEUES = """
SELECT t.table_id, t.device, t.put - t.delivered - t.set_aside, t.delivered, t.set_aside,
  (SELECT put_at FROM observation o WHERE o.table_id = t.table_id AND o.device = t.device
   ORDER BY number LIMIT 1)
FROM tally t ORDER BY 1, 2
"""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A waiting observation: the exact bytes to post, and the series that its number counts in."""

    number: int
    device: str
    series: str
    body: bytes

    @property
    def key(self) -> str:
        """The idempotency key."""
        return f"{self.series}-{self.number}"


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


def as_json(value: Mapping[str, Any]) -> str:
    """Return JSON in the form in which it is kept and posted."""
    return json.dumps(dict(value), ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def body_of(seen: Observation, series: str) -> bytes:
    """Return the exact bytes to post; of the pile they say in which series numbers count."""
    body = {"at": seen.at, **seen.body}
    if seen.body.get("kind") == "pile":
        body["outbox"] = series
    return as_json(body).encode()


def queues_of(db: sqlite3.Connection) -> list[Queue]:
    """Return all queues in the file."""
    return [Queue(*row) for row in db.execute(QUEUES)]


def count(db: sqlite3.Connection, table: str, device: str, what: str, number: int) -> None:
    """Count observations as ``put``, ``delivered`` or ``set_aside``."""
    db.execute(
        f"INSERT INTO tally (table_id, device, {what}) VALUES (?, ?, ?) "  # noqa: S608
        f"ON CONFLICT DO UPDATE SET {what} = {what} + excluded.{what}",
        (table, device, number),
    )


def move_aside(db: sqlite3.Connection, table: str, refused: Waiting, reason: str) -> None:
    """Set a waiting observation aside, and the oldest of too many away; owe the present state."""
    db.execute(
        "INSERT INTO set_aside SELECT number, table_id, device, body, put_at, ? "
        "FROM observation WHERE number = ?",
        (reason, refused.number),
    )
    db.execute("DELETE FROM observation WHERE number = ?", (refused.number,))
    db.execute(
        "DELETE FROM set_aside WHERE number <= "
        "(SELECT number FROM set_aside ORDER BY number DESC LIMIT 1 OFFSET ?)",
        (MOST_SET_ASIDE,),
    )
    count(db, table, refused.device, "set_aside", 1)
    _owe(db, table, refused.device)


def drop(db: sqlite3.Connection, table: str, useless: Waiting) -> None:
    """Forget a waiting observation as if it had not been put; owe the present state."""
    db.execute("DELETE FROM observation WHERE number = ?", (useless.number,))
    count(db, table, useless.device, "put", -1)
    _owe(db, table, useless.device)


def _owe(db: sqlite3.Connection, table: str, device: str) -> None:
    db.execute(
        "INSERT INTO present (table_id, device, owed) VALUES (?, ?, 1) "
        "ON CONFLICT DO UPDATE SET owed = 1",
        (table, device),
    )


def series_of(db: sqlite3.Connection) -> str:
    """Return the series in which whatever is put next is counted."""
    return str(db.execute("SELECT id FROM outbox").fetchone()[0])


def begin_series(db: sqlite3.Connection, table: str, known: Waiting) -> None:
    """Count from an observation on in another series: what waits after it, and what comes.

    Where a body names the series, as those of the pile do, it names the new one.
    """
    series = new_series()
    db.execute("UPDATE outbox SET id = ?", (series,))
    db.execute(
        "UPDATE observation SET series = ?, "
        "body = CAST(replace(CAST(body AS TEXT), ?, ?) AS BLOB) "
        "WHERE table_id = ? AND device = ? AND number >= ? AND series = ?",
        (
            series,
            f'"outbox":"{known.series}"',
            f'"outbox":"{series}"',
            table,
            known.device,
            known.number,
            known.series,
        ),
    )


def memory_of(db: sqlite3.Connection, table: str, device: str) -> Memory:
    """Return a device's memory; empty at first."""
    row = db.execute(
        "SELECT value FROM memory WHERE table_id = ? AND device = ?", (table, device)
    ).fetchone()
    memory: dict[str, Any] = json.loads(row[0]) if row else {}
    return memory


def present_of(db: sqlite3.Connection, table: str, device: str) -> tuple[Mapping[str, Any], bool]:
    """Return a device's state, and whether it is owed to the server."""
    row = db.execute(
        "SELECT body, owed FROM present WHERE table_id = ? AND device = ?", (table, device)
    ).fetchone()
    return (json.loads(row[0]), bool(row[1])) if row else ({}, False)


def note_present(
    db: sqlite3.Connection,
    table: str,
    device: str,
    bodies: Sequence[Mapping[str, Any]],
    memory: Memory,
) -> None:
    """Note a device's state after further observations, if it is another one."""
    before, _ = present_of(db, table, device)
    after = merged(before, bodies, memory)
    if after != before:
        db.execute(
            "INSERT INTO present (table_id, device, body) VALUES (?, ?, ?) "
            "ON CONFLICT DO UPDATE SET body = excluded.body",
            (table, device, as_json(after)),
        )


Body = Mapping[str, Any]


def merged(state: Body, bodies: Iterable[Body], memory: Body) -> Body:
    """Return the state after further observations; empty until there is any to tell.

    A board reports changes alone. Where the server did not take one of them, the rest would be read
    as if that had not happened, so the state as a whole is told again. A camera tells it itself
    (``hardware.observation.Reteller``): what lies on the pile is more than its observations say.
    ``memory``: the device's, which names the powers of its set: it may be another one by now.
    """
    for body in bodies:
        if body.get("kind") == "powers":
            state = _with_powers(state, body)
    names = (memory.get("positions") or {}).get("names")
    powers = state.get("powers", {})
    if names is None or powers.keys() <= set(names):
        return state
    conflicts = state.get("conflicts", {})
    return {
        **state,
        "powers": {power: at for power, at in powers.items() if power in names},
        "conflicts": {power: places for power, places in conflicts.items() if power in names},
    }


def _with_powers(state: Body, body: Body) -> Body:
    powers = body.get("powers", {})
    kept = {p: places for p, places in state.get("conflicts", {}).items() if p not in powers}
    conflicts = {**kept, **body.get("conflicts", {})}
    after: dict[str, Any] = {"kind": "powers", "powers": {**state.get("powers", {}), **powers}}
    if conflicts:
        after["conflicts"] = conflicts
    # An empty list says that no sensor is broken any more.
    faults = body.get("faults", state.get("faults"))
    if faults is not None:
        after["faults"] = faults
    return after


def read_queues(path: Path) -> list[Queue]:
    """Check an outbox; return its queues.

    Raises OutboxError if it is damaged or cannot be read.
    """
    with _open(path) as db:
        verdict = db.execute("PRAGMA quick_check(1)").fetchone()[0]
        if verdict != "ok":
            raise unusable(path, verdict)
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
