"""The one writer: commits that wait at the same moment share a transaction.

A job is answered only after its commit, so what is acknowledged is on the disk. Each commit costs a
sync of the disk; grouping lets tables that write at the same time share it.
"""

import queue
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Engine, Executable, delete, insert
from sqlalchemy.exc import SQLAlchemyError

from referee.store.schema import log, snapshots

MOST_TOGETHER = 256
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Job:
    """What one write puts into the database: log entries of a table, and what goes with them."""

    entries: Sequence[Row]
    snapshot: Row | None = None
    before: Sequence[tuple[Executable, Row]] = ()
    done: "Future[None]" = field(default_factory=Future)


class Writer:
    """A thread that writes jobs in the order they come."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="log-writer", daemon=True)

    def start(self) -> None:
        """Begin to write."""
        self._thread.start()

    def stop(self) -> None:
        """Write what is waiting, then end."""
        self._jobs.put(None)
        self._thread.join()

    def write(self, job: Job) -> None:
        """Write the job and wait until it is durable. Raises SQLAlchemyError when it was not."""
        self._jobs.put(job)
        job.done.result()

    def _run(self) -> None:
        while True:
            job = self._jobs.get()
            if job is None:
                return
            batch = [job]
            stopping = False
            while len(batch) < MOST_TOGETHER:
                try:
                    more = self._jobs.get_nowait()
                except queue.Empty:
                    break
                if more is None:
                    stopping = True
                    break
                batch.append(more)
            self._commit(batch)
            if stopping:
                return

    def _commit(self, batch: Sequence[Job]) -> None:
        try:
            with self._engine.begin() as connection:
                _insert(connection, batch)
        except SQLAlchemyError as error:
            if len(batch) == 1:
                batch[0].done.set_exception(error)
                return
            # One bad job must not take the others with it.
            for job in batch:
                self._commit([job])
            return
        for job in batch:
            job.done.set_result(None)


def _insert(connection: Connection, batch: Sequence[Job]) -> None:
    for job in batch:
        for statement, row in job.before:
            connection.execute(statement, row)
    connection.execute(insert(log), [dict(entry) for job in batch for entry in job.entries])
    shots = {job.snapshot["table_id"]: job.snapshot for job in batch if job.snapshot}
    if shots:
        connection.execute(delete(snapshots).where(snapshots.c.table_id.in_(list(shots))))
        connection.execute(insert(snapshots), [dict(row) for row in shots.values()])
