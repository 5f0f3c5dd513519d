"""Between the processes that share a database: what one has written, the others hear of.

PostgreSQL's NOTIFY carries it. It is sent after the commit, in a connection of its own, since
within the transaction all writers of a database would wait for one another. So news can get lost
with a process, and a listener's connection can break: whoever listens also looks by itself, at
first, after each break, and now and then.
"""

import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

NAME = "referee"
LONGEST_PAYLOAD = 7_500
LOOK_EVERY = 5.0
RETRY_EVERY = 1.0
CLOSE_WITHIN = 0.5

News = Mapping[str, str]


class Channel:
    """News from other processes, and news for them: names, each with its newest value.

    ``hear`` gets what others tell; ``look`` is called when something may have been missed, and
    ``broken`` whenever nobody can be heard. All three are called from the listening thread.
    """

    def __init__(
        self,
        engine: Engine,
        hear: Callable[[News], None],
        look: Callable[[], None],
        broken: Callable[[], None],
    ) -> None:
        self._engine = engine
        self._hear, self._look, self._broken = hear, look, broken
        self._me = secrets.token_hex(6)
        self._news: dict[str, str] = {}
        self._pending = threading.Condition()
        self._closed = threading.Event()
        self._threads = [
            threading.Thread(target=self._listen, name="channel-listen", daemon=True),
            threading.Thread(target=self._speak, name="channel-speak", daemon=True),
        ]

    def open(self) -> None:
        """Begin to listen."""
        for thread in self._threads:
            thread.start()

    def tell(self, name: str, value: str) -> None:
        """Tell the other processes, soon. Neither may hold a space, nor the name a colon."""
        with self._pending:
            self._news[name] = value
            self._pending.notify()

    def close(self) -> None:
        """Stop listening; what is still to be told is told."""
        self._closed.set()
        with self._pending:
            self._pending.notify()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(4 * CLOSE_WITHIN)

    def _listen(self) -> None:
        while not self._closed.is_set():
            try:
                with self._connected() as connection:
                    connection.execute(f"LISTEN {NAME}")
                    self._listen_on(connection)
            except (SQLAlchemyError, self._failure):
                self._broken()
                self._closed.wait(RETRY_EVERY)
                self._look()

    def _listen_on(self, connection: Any) -> None:
        looked = 0.0
        while not self._closed.is_set():
            if time.monotonic() > looked + LOOK_EVERY:
                self._look()
                looked = time.monotonic()
            news: dict[str, str] = {}
            for notice in connection.notifies(timeout=CLOSE_WITHIN, stop_after=1):
                sender, *said = notice.payload.split(" ")
                if sender != self._me:
                    news.update(item.split(":", 1) for item in said)
            if news:
                self._hear(news)

    def _speak(self) -> None:
        while self._wait_for_news():
            try:
                with self._connected() as connection:
                    connection.execute("SET synchronous_commit = off")
                    while self._wait_for_news():
                        for payload in self._payloads():
                            connection.execute("SELECT pg_notify(%s, %s)", (NAME, payload))
            except (SQLAlchemyError, self._failure):
                # Whoever was not told now looks by itself.
                with self._pending:
                    self._news.clear()
                self._closed.wait(RETRY_EVERY)

    def _wait_for_news(self) -> bool:
        with self._pending:
            while not self._news and not self._closed.is_set():
                self._pending.wait()
            return bool(self._news)

    def _payloads(self) -> Iterator[str]:
        with self._pending:
            news, self._news = self._news, {}
        payload = self._me
        for item in news.items():
            if len(payload) > LONGEST_PAYLOAD:
                yield payload
                payload = self._me
            payload += " " + ":".join(item)
        yield payload

    @property
    def _failure(self) -> type[Exception]:
        """What the driver raises."""
        failure: type[Exception] = self._engine.dialect.loaded_dbapi.Error
        return failure

    @contextmanager
    def _connected(self) -> Iterator[Any]:
        """A connection of the driver's, apart from the pool."""
        pooled = self._engine.raw_connection()
        connection: Any = pooled.driver_connection
        pooled.detach()
        try:
            connection.autocommit = True
            yield connection
        finally:
            connection.close()
