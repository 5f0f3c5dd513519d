"""Track whether the store is usable and notice when it recovers.

After the first failure, callers are refused at once instead of waiting for a store that does not
answer, and one thread probes it every second.
"""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import IntEnum

from sqlalchemy import Engine, delete, insert, select

from referee.store.errors import StoreGone, StoreUnavailable, is_unavailable
from referee.store.schema import settings

PROBE = "probe"
# Larger than any free space within the file, so that a full disk is noticed.
PROBE_BYTES = 16_384
PROBE_INTERVAL = 1.0
# A connection that broke while idle fails within so many seconds; what takes longer is stalled, and
# trying again would only double the wait.
SOON = 1.0


class Condition(IntEnum):
    """The store's present abilities, as an ordered scale."""

    GONE = 0
    READ_ONLY = 1
    HEALTHY = 2


class StoreHealth:
    """The condition of the store; calls ``on_change``, from any thread, whenever it changes."""

    def __init__(self, engine: Engine, interval: float = PROBE_INTERVAL) -> None:
        self._engine = engine
        self._interval = interval
        self._guard = threading.Lock()
        self._closed = threading.Event()
        self._probing = False
        self._file: int | None = None
        self.condition = Condition.HEALTHY
        self.on_change: Callable[[], None] = lambda: None

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Guard a read. Raises StoreUnavailable."""
        with self._require(Condition.READ_ONLY):
            yield

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Guard a write. Raises StoreUnavailable."""
        with self._require(Condition.HEALTHY):
            yield

    def report_failure(self) -> None:
        """Record that a write failed, before others that wait for it try."""
        self._failed(Condition.HEALTHY)

    def check_writable(self) -> None:
        """Raise StoreUnavailable if writes fail at present."""
        if self.condition < Condition.HEALTHY:
            raise StoreUnavailable

    def report_disconnect(self) -> None:
        """Record that no connection can be made."""
        self._failed(Condition.READ_ONLY)

    def _failed(self, needed: Condition) -> None:
        with self._guard:
            worse = self.condition >= needed
            if worse:
                self.condition = Condition(needed - 1)
            if not self._probing and not self._closed.is_set():
                self._probing = True
                threading.Thread(target=self._probe, name="store-health", daemon=True).start()
        if worse:
            self.on_change()

    def close(self) -> None:
        """Stop probing."""
        self._closed.set()

    def check_file(self) -> None:
        """Raise StoreGone if the SQLite file was deleted or replaced; SQLite does not notice."""
        if self._engine.dialect.name != "sqlite":
            return
        path = str(self._engine.url.database)
        try:
            inode = os.stat(path).st_ino
        except OSError as error:
            raise StoreGone(f"{path}: {error.strerror}") from error
        if self._file is None:
            self._file = inode
        elif self._file != inode:
            raise StoreGone(f"{path} has been replaced by another file")

    @contextmanager
    def _require(self, needed: Condition) -> Iterator[None]:
        if self.condition < needed:
            raise StoreUnavailable
        try:
            yield
        except Exception as error:
            if not is_unavailable(error):
                raise
            self._failed(needed)
            raise StoreUnavailable from error

    def _probe(self) -> None:
        while not self._closed.wait(self._interval):
            measured = self._measure()
            with self._guard:
                better = measured > self.condition
                self.condition = max(measured, self.condition)
                self._probing = self.condition < Condition.HEALTHY
                done = not self._probing
            if better:
                self.on_change()
            if done:
                return

    def _measure(self) -> Condition:
        condition = Condition.GONE
        try:
            self.check_file()
            with self._engine.connect() as connection:
                connection.execute(select(settings.c.name).limit(1))
            condition = Condition.READ_ONLY
            with self._engine.begin() as connection:
                row = {"name": PROBE, "value": "x" * PROBE_BYTES}
                connection.execute(insert(settings), row)
                connection.execute(delete(settings).where(settings.c.name == PROBE))
        # Any failure at all means that the store has not recovered.
        except Exception:
            return condition
        return Condition.HEALTHY
