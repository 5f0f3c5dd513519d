"""Whether the store can be used, and finding out when it can be again.

Whoever fails says so here. From then on nobody else waits for a store that does not answer: they
are refused at once, and one thread tries every second whether it is back.
"""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import IntEnum

from sqlalchemy import Engine, delete, insert, select

from referee.store.errors import StoreGone, StoreUnavailable, is_trouble
from referee.store.schema import settings

PROBE = "probe"
# More than fits beside what is there already: a full disk is to be noticed.
PROBE_BYTES = 16_384
PROBE_EVERY = 1.0


class Condition(IntEnum):
    """How the store is: nothing can be had, only reading works, or all is well."""

    GONE = 0
    READ_ONLY = 1
    WELL = 2


class StoreWatch:
    """The store's condition. ``changed`` is called, from any thread, whenever it is another one."""

    def __init__(self, engine: Engine, every: float = PROBE_EVERY) -> None:
        self._engine = engine
        self._every = every
        self._guard = threading.Lock()
        self._closed = threading.Event()
        self._probing = False
        self._file: int | None = None
        self.condition = Condition.WELL
        self.changed: Callable[[], None] = lambda: None

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Around whatever reads. Raises StoreUnavailable."""
        with self._needing(Condition.READ_ONLY):
            yield

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Around whatever writes. Raises StoreUnavailable."""
        with self._needing(Condition.WELL):
            yield

    def unreachable(self) -> None:
        """There is no connection to be had."""
        self._failed(Condition.READ_ONLY)

    def _failed(self, needed: Condition) -> None:
        """Something that needs the store in this condition has failed."""
        with self._guard:
            worse = self.condition >= needed
            if worse:
                self.condition = Condition(needed - 1)
            if not self._probing and not self._closed.is_set():
                self._probing = True
                threading.Thread(target=self._probe, name="store-watch", daemon=True).start()
        if worse:
            self.changed()

    def close(self) -> None:
        """Stop looking."""
        self._closed.set()

    def check_file(self) -> None:
        """SQLite would write on into a file that was deleted or replaced. Raises StoreGone."""
        if self._engine.dialect.name != "sqlite":
            return
        path = str(self._engine.url.database)
        try:
            found = os.stat(path).st_ino
        except OSError as error:
            raise StoreGone(f"{path}: {error.strerror}") from error
        if self._file is None:
            self._file = found
        elif self._file != found:
            raise StoreGone(f"{path} is another file than when the server started")

    @contextmanager
    def _needing(self, needed: Condition) -> Iterator[None]:
        if self.condition < needed:
            raise StoreUnavailable
        try:
            yield
        except Exception as error:
            if not is_trouble(error):
                raise
            self._failed(needed)
            raise StoreUnavailable from error

    def _probe(self) -> None:
        while not self._closed.wait(self._every):
            found = self._look()
            with self._guard:
                better = found > self.condition
                self.condition = max(found, self.condition)
                self._probing = self.condition < Condition.WELL
                done = not self._probing
            if better:
                self.changed()
            if done:
                return

    def _look(self) -> Condition:
        found = Condition.GONE
        try:
            self.check_file()
            with self._engine.connect() as connection:
                connection.execute(select(settings.c.name).limit(1))
            found = Condition.READ_ONLY
            with self._engine.begin() as connection:
                row = {"name": PROBE, "value": "x" * PROBE_BYTES}
                connection.execute(insert(settings), row)
                connection.execute(delete(settings).where(settings.c.name == PROBE))
        # Whatever it is, the store is not well yet.
        except Exception:
            return found
        return Condition.WELL
