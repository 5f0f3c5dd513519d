"""What one process at a time does for all that share a database."""

from typing import Any

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

# Any number, the same in all processes.
LOCK = 7_306_117


class Leadership:
    """Held by one process of those that share a PostgreSQL database; with SQLite there is one.

    It is a lock of a session, so it is free as soon as its holder's connection is gone.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._shared = engine.dialect.name == "postgresql"
        self._connection: Any = None
        self._held = False

    def held(self) -> bool:
        """Return whether this process leads, after trying to if it does not."""
        if not self._shared:
            return True
        try:
            self._held = self._ask()
        except (SQLAlchemyError, self._failure):
            self.release()
        return self._held

    def release(self) -> None:
        """Let another process lead."""
        connection, self._connection, self._held = self._connection, None, False
        if connection is not None:
            connection.close()

    def _ask(self) -> bool:
        if self._connection is None:
            pooled = self._engine.raw_connection()
            self._connection = pooled.driver_connection
            pooled.detach()
            self._connection.autocommit = True
        # Without the connection the lock would be another's by now.
        query = "SELECT true" if self._held else f"SELECT pg_try_advisory_lock({LOCK})"
        return bool(self._connection.execute(query).fetchone()[0])

    @property
    def _failure(self) -> type[Exception]:
        failure: type[Exception] = self._engine.dialect.loaded_dbapi.Error
        return failure
