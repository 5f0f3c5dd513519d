"""The outbox: observations on the disk until the server has accepted them.

Each has a number in a series, and series and number are its idempotency key. Where an old copy of
the file was put back, numbers come again that the server knows; they go on in another series then.
"""

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock

from hardware.gateway.posting.outbox_file import (
    OutboxError,
    Queue,
    Waiting,
    as_json,
    begin_series,
    body_of,
    connect,
    count,
    drop,
    lock,
    memory_of,
    move_aside,
    note_present,
    prepare,
    present_of,
    queues_of,
    series_of,
    unusable,
)
from hardware.observation import Memory, Observation
from hardware.times import utc


class Outbox:
    """The observations of one table, in one file, used by one process at a time.

    Observations of other tables in the same file wait until the gateway serves those tables again.
    """

    def __init__(self, path: Path, table: str, clock: Callable[[], float] = time.time) -> None:
        self._path = path
        self._table = table
        self._clock = clock
        self._guard = threading.Lock()
        self._lock: FileLock | None = None
        self._in: sqlite3.Connection | None = None
        self._out: sqlite3.Connection | None = None

    def open(self) -> None:
        """Open the file, creating it if necessary. Raises OutboxError."""
        self._lock = lock(self._path)
        try:
            # Incoming observations are on the disk before the device is told. Deliveries need not
            # be: a forgotten one is posted again with the same key, and counts once.
            self._in, self._out = (connect(self._path, sync) for sync in ("FULL", "NORMAL"))
            prepare(self._in, self._path)
        except (sqlite3.Error, OutboxError) as error:
            self.close()
            raise unusable(self._path, error) from None

    def close(self) -> None:
        """Close the file; waiting observations stay in it."""
        with self._guard:
            for connection in (self._in, self._out):
                if connection is not None:
                    connection.close()
            self._in = self._out = None
            if self._lock is not None:
                self._lock.release()
            self._lock = None

    def put(self, device: str, observations: Sequence[Observation], memory: Memory) -> None:
        """Store observations together with the device's memory, durably, all or nothing.

        Raises OSError.
        """
        with self._write("_in") as db:
            self._insert(db, device, observations)
            bodies = [seen.body for seen in observations]
            note_present(db, self._table, device, bodies, memory)
            db.execute(
                "INSERT INTO memory VALUES (?, ?, ?, '') "
                "ON CONFLICT DO UPDATE SET value = excluded.value WHERE value != excluded.value",
                (self._table, device, as_json(memory)),
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
            return memory_of(db, self._table, device)

    def next(self, device: str) -> Waiting | None:
        """Return the oldest waiting observation of a device. Raises OSError."""
        oldest = self.oldest(device, 1)
        return oldest[0] if oldest else None

    def oldest(self, device: str, most: int) -> list[Waiting]:
        """Return up to ``most`` waiting observations of a device, in order. Raises OSError."""
        with self._read() as db:
            rows = db.execute(
                "SELECT number, device, series, body FROM observation "
                "WHERE table_id = ? AND device = ? ORDER BY number LIMIT ?",
                (self._table, device, most),
            ).fetchall()
        return [Waiting(*row) for row in rows]

    def done(self, *taken: Waiting) -> None:
        """Remove observations that the server accepted. Raises OSError."""
        with self._write("_out") as db:
            for item in taken:
                db.execute("DELETE FROM observation WHERE number = ?", (item.number,))
                count(db, self._table, item.device, "delivered", 1)

    def set_aside(self, refused: Waiting, reason: str) -> None:
        """Set aside an observation that the server will never accept. Raises OSError.

        From then on the device's present state is owed to the server.
        """
        with self._write("_out") as db:
            move_aside(db, self._table, refused, reason)

    def forget(self, *useless: Waiting) -> None:
        """Forget observations that are of no use to the table now. Raises OSError.

        From then on the device's present state is owed to the server.
        """
        with self._write("_out") as db:
            for item in useless:
                drop(db, self._table, item)

    def count_anew(self, known: Waiting) -> None:
        """Go on in another series, from an observation on whose number the server knows.

        It was another one's, before an old copy of the file was put back. Raises OSError.
        """
        with self._write("_in") as db:
            begin_series(db, self._table, known)

    def owes(self, device: str) -> bool:
        """Return whether a device's present state is owed to the server. Raises OSError."""
        with self._read() as db:
            return bool(present_of(db, self._table, device)[1])

    def tell_again(self, device: str) -> None:
        """Put a device's present state, as far as it is known here. Raises OSError.

        Together with what the device itself tells again, nothing is owed then.
        """
        with self._write("_in") as db:
            body, _ = present_of(db, self._table, device)
            if body:
                self._insert(db, device, [Observation(utc(self._clock()), body)])
            db.execute(
                "UPDATE present SET owed = 0 WHERE table_id = ? AND device = ?",
                (self._table, device),
            )

    def queues(self) -> list[Queue]:
        """Return all queues in the file, of other tables too. Raises OSError."""
        with self._read() as db:
            return queues_of(db)

    def _insert(
        self, db: sqlite3.Connection, device: str, observations: Sequence[Observation]
    ) -> None:
        if not observations:
            return
        series, now = series_of(db), self._clock()
        db.executemany(
            "INSERT INTO observation (table_id, device, body, put_at, series) "
            "VALUES (?, ?, ?, ?, ?)",
            [(self._table, device, body_of(seen, series), now, series) for seen in observations],
        )
        count(db, self._table, device, "put", len(observations))

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
