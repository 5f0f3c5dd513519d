"""The one way to write: commits that wait at the same moment share a transaction.

A job is answered only after its commit, so what is acknowledged is on the disk. Each commit costs a
sync of the disk, and one thread at a time can commit: whoever gets to it takes the jobs of all who
wait along, and they find theirs done when their turn comes.
"""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine, Executable, delete, insert

from referee.store.schema import log, snapshots

Row = Mapping[str, Any]
INSERT_LOG = insert(log)
INSERT_SNAPSHOT = insert(snapshots)


@dataclass(slots=True, eq=False)
class Job:
    """What one write puts into the database: log entries of a table, and what goes with them."""

    entries: Sequence[dict[str, Any]]
    snapshot: Row | None = None
    before: Sequence[tuple[Executable, Row]] = ()
    done: bool = False
    error: Exception | None = None


class Writer:
    """Writes jobs in the order they come."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._waiting: list[Job] = []
        self._guard = threading.Lock()
        self._committing = threading.Lock()
        self._connection: Connection | None = None

    def write(self, job: Job) -> None:
        """Write the job; it is durable on return. Raises what went wrong when it was not."""
        with self._guard:
            self._waiting.append(job)
        with self._committing:
            if not job.done and job.error is None:
                with self._guard:
                    batch, self._waiting = self._waiting, []
                self._commit(batch)
        if not job.done:
            raise job.error or RuntimeError("the commit broke off")

    def close(self) -> None:
        """Let go of the connection; the next write takes a new one."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _commit(self, batch: Sequence[Job]) -> None:
        try:
            if self._connection is None:
                self._connection = self._engine.connect()
            with self._connection.begin():
                _insert(self._connection, batch)
        # Whatever it is, nobody may believe to have written.
        except Exception as error:
            self.close()
            if len(batch) == 1:
                batch[0].error = error
                return
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
    connection.execute(INSERT_LOG, [entry for job in batch for entry in job.entries])
    shots = {job.snapshot["table_id"]: job.snapshot for job in batch if job.snapshot}
    if shots:
        connection.execute(delete(snapshots).where(snapshots.c.table_id.in_(list(shots))))
        connection.execute(INSERT_SNAPSHOT, [dict(row) for row in shots.values()])
