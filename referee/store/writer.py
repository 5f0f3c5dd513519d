"""The one way to write: commits that wait at the same moment share a transaction.

A job is answered only after its commit, so what is acknowledged is on the disk. Each commit costs a
sync of the disk, and one thread at a time can commit: whoever gets to it takes the jobs of all who
wait along, and they find theirs done when their turn comes.
"""

import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, Engine, Executable, delete, insert
from sqlalchemy.exc import SQLAlchemyError

from referee.store.errors import is_trouble, lost_a_race
from referee.store.health import StoreWatch
from referee.store.schema import log, snapshots

Row = Mapping[str, Any]
INSERT_LOG = insert(log)
INSERT_SNAPSHOT = insert(snapshots)


@dataclass(slots=True, eq=False)
class Job:
    """What one write puts into the database: log entries of a table, and what goes with them."""

    entries: Sequence[dict[str, Any]] = ()
    snapshot: Row | None = None
    before: Sequence[tuple[Executable, Row]] = ()
    done: bool = False
    error: Exception | None = None


class Writer:
    """Writes jobs in the order they come."""

    def __init__(self, engine: Engine, watch: StoreWatch | None = None) -> None:
        self._engine = engine
        self._watch = watch or StoreWatch(engine)
        self._waiting: list[Job] = []
        self._guard = threading.Lock()
        self._committing = threading.Lock()
        self._connection: Connection | None = None

    def write(self, job: Job) -> None:
        """Write the job; it is durable on return.

        Raises StoreUnavailable, or whatever is wrong with the job. After StoreUnavailable it may
        have been written all the same, wholly or not at all.
        """
        with self._watch.writing():
            with self._guard:
                self._waiting.append(job)
            with self._committing:
                if not job.done and job.error is None:
                    with self._guard:
                        batch, self._waiting = self._waiting, []
                    self._commit(batch)
            if not job.done:
                raise job.error or RuntimeError("the commit broke off")

    def waiting(self) -> int:
        """How many jobs wait for a commit."""
        return len(self._waiting)

    def close(self) -> None:
        """Let go of the connection; the next write takes a new one."""
        connection, self._connection = self._connection, None
        if connection is not None:
            # What is broken may break again on being put away.
            with suppress(SQLAlchemyError):
                connection.close()

    def _commit(self, batch: Sequence[Job]) -> None:
        fresh = self._connection is None
        sent = False
        try:
            self._watch.check_file()
            if self._connection is None:
                self._connection = self._engine.connect()
            with self._connection.begin() as transaction:
                _insert(self._connection, batch)
                sent = True
                transaction.commit()
        # Whatever it is, nobody may believe to have written.
        except Exception as error:
            self.close()
            trouble = is_trouble(error) and not lost_a_race(error)
            if trouble and not sent and not fresh:
                # The connection may have broken while it lay idle, and nothing was committed.
                self._commit(batch)
            elif len(batch) == 1 or sent or trouble:
                # Once COMMIT was sent it may have been done: to try again could write twice.
                for job in batch:
                    job.error = error
            else:
                # One bad job must not take the others with it.
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
        # Always in the same order: two processes must not wait for each other's tables.
        entries.sort(key=itemgetter("table_id", "seq"))
        connection.execute(INSERT_LOG, entries)
    shots = {job.snapshot["table_id"]: job.snapshot for job in batch if job.snapshot}
    if shots:
        ordered = [shots[table_id] for table_id in sorted(shots)]
        connection.execute(delete(snapshots).where(snapshots.c.table_id.in_(list(shots))))
        connection.execute(INSERT_SNAPSHOT, [dict(row) for row in ordered])
