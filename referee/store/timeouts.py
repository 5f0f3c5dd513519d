"""A connection to PostgreSQL that does not wait for ever.

The kernel of a server whose PostgreSQL hangs goes on to acknowledge what it is sent, so no setting
of TCP tells it from one that is busy; and a server that hangs does not keep its own time-outs.
"""

import time
from collections.abc import Generator
from typing import Any

import psycopg
from psycopg.waiting import Ready

PATIENCE = 15.0
"""Seconds. A server that is well ends a statement before that (``postgres.SESSION``)."""


class PatientConnection(psycopg.Connection[Any]):
    """Gives up a statement or commit that has no answer after ``patience`` seconds, and itself.

    Attributes:
        patience: In seconds; None: without end.
    """

    patience: float | None = PATIENCE

    def wait(self, gen: Generator[Any, Any, Any], *args: Any, **named: Any) -> Any:
        """Wait for an answer. Raises OperationalError; the connection is then closed."""
        return super().wait(self._within(gen), *args, **named)

    def _within(self, gen: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
        """The driver looks in ten times a second even if nothing has come."""
        begun = time.monotonic()
        try:
            wants = next(gen)
            while True:
                ready = yield wants
                late = self.patience is not None and time.monotonic() - begun > self.patience
                if late and ready == Ready.NONE:
                    self.pgconn.finish()
                    raise psycopg.OperationalError(
                        f"PostgreSQL gave no answer for {self.patience:g} s"
                    )
                wants = gen.send(ready)
        except StopIteration as done:
            return done.value
