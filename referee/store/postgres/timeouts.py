"""A connection to PostgreSQL that does not wait for ever.

When PostgreSQL hangs, its kernel still acknowledges packets, so TCP settings cannot tell it from a
busy server; and a hanging server does not keep its own timeouts.
"""

import time
from collections.abc import Generator
from typing import Any

import psycopg
from psycopg.waiting import Ready

TIMEOUT = 15.0
"""Seconds. A healthy server ends a statement before that (``postgres.SESSION``)."""


class TimeoutConnection(psycopg.Connection[Any]):
    """A connection that closes itself when a statement or commit goes unanswered for too long.

    ``timeout`` is in seconds; None waits for ever.
    """

    timeout: float | None = TIMEOUT

    def wait(self, gen: Generator[Any, Any, Any], *args: Any, **named: Any) -> Any:
        """Wait for an answer. On a timeout, closes the connection and raises OperationalError."""
        return super().wait(self._within(gen), *args, **named)

    def _within(self, gen: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
        # The driver resumes the generator ten times a second even if nothing has come.
        begun = time.monotonic()
        try:
            wants = next(gen)
            while True:
                ready = yield wants
                late = self.timeout is not None and time.monotonic() - begun > self.timeout
                if late and ready == Ready.NONE:
                    self.pgconn.finish()
                    raise psycopg.OperationalError(
                        f"PostgreSQL gave no answer for {self.timeout:g} s"
                    )
                wants = gen.send(ready)
        except StopIteration as done:
            return done.value
