"""Group commit: writes that wait at the same moment share one transaction.

``write`` returns only after the commit, so whatever is acknowledged is on disk. A commit costs a
disk sync and only one thread can commit at a time, so it takes along the jobs of all that wait.
"""

import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, Engine, Executable, delete, insert
from sqlalchemy.exc import SQLAlchemyError

from referee.store.errors import StoreUnavailable, is_conflict, is_unavailable
from referee.store.health import SOON, StoreHealth
from referee.store.schema import log, snapshots

Row = Mapping[str, Any]
INSERT_LOG = insert(log)
INSERT_SNAPSHOT = insert(snapshots)


@dataclass(slots=True, eq=False)
class Job:
    """One write: log entries of a table, its new snapshot, and statements to run before them."""

    entries: Sequence[dict[str, Any]] = ()
    snapshot: Row | None = None
    before: Sequence[tuple[Executable, Row]] = ()
    done: bool = False
    error: Exception | None = None


class LogWriter:
    """Writes jobs in their order of arrival."""

    def __init__(self, engine: Engine, health: StoreHealth | None = None) -> None:
        self._engine = engine
        self._health = health or StoreHealth(engine)
        self._waiting: list[Job] = []
        self._guard = threading.Lock()
        self._committing = threading.Lock()
        self._connection: Connection | None = None

    def write(self, job: Job) -> None:
        """Write the job; it is durable on return.

        Raises StoreUnavailable, after which the job may have been written, wholly or not at all; or
        the database's own error for a faulty job.
        """
        with self._health.writing():
            with self._guard:
                self._waiting.append(job)
            with self._committing:
                if not job.done and job.error is None:
                    self._commit(self._take(job))
            if not job.done:
                raise job.error or RuntimeError("the commit was interrupted")

    def _take(self, job: Job) -> Sequence[Job]:
        """Return the jobs that wait, among them this one. Raises StoreUnavailable."""
        with self._guard:
            try:
                self._health.check_writable()
            except StoreUnavailable:
                # It waited for a write that failed, and need not find that out by itself.
                self._waiting.remove(job)
                raise
            batch, self._waiting = self._waiting, []
            return batch

    def waiting(self) -> int:
        """Return the number of jobs waiting for a commit."""
        return len(self._waiting)

    def close(self) -> None:
        """Close the connection; the next write opens another."""
        connection, self._connection = self._connection, None
        if connection is not None:
            # Closing a broken connection may fail, too.
            with suppress(SQLAlchemyError):
                connection.close()

    def _commit(self, batch: Sequence[Job]) -> None:
        fresh = self._connection is None
        began, sent = time.monotonic(), False
        try:
            self._health.check_file()
            if self._connection is None:
                self._connection = self._engine.connect()
            with self._connection.begin() as transaction:
                _insert(self._connection, batch)
                sent = True
                transaction.commit()
        # After any error, no job may count as written.
        except Exception as error:
            self.close()
            unavailable = is_unavailable(error) and not is_conflict(error)
            soon = time.monotonic() - began < SOON
            if unavailable and soon and not sent and not fresh:
                # The connection may have broken while idle; nothing was committed.
                self._commit(batch)
            elif len(batch) == 1 or sent or unavailable:
                # Once COMMIT was sent it may have succeeded: trying again could write twice.
                for job in batch:
                    job.error = error
                if unavailable:
                    self._health.report_failure()
            else:
                # One faulty job must not fail the others.
                for job in batch:
                    self._commit([job])
            return
        for job in batch:
            job.done = True


def _insert(connection: Connection, batch: Sequence[Job]) -> None:
    for job in batch:
        for statement, row in job.before:
            connection.execute(statement, row)
    entries = [entry for job in batch for entry in job.entries]
    if entries:
        # In a fixed order, so that two processes cannot deadlock.
        entries.sort(key=itemgetter("table_id", "seq"))
        connection.execute(INSERT_LOG, entries)
    shots = {job.snapshot["table_id"]: job.snapshot for job in batch if job.snapshot}
    if shots:
        ordered = [shots[table_id] for table_id in sorted(shots)]
        connection.execute(delete(snapshots).where(snapshots.c.table_id.in_(list(shots))))
        connection.execute(INSERT_SNAPSHOT, [dict(row) for row in ordered])
