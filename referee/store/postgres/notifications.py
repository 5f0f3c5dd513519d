"""Notifications between the server processes that share a PostgreSQL database, by NOTIFY.

They are sent after the commit, over a separate connection: within the transaction, all writers of
the database would wait for each other. A notification can therefore be lost, with its process or a
listener's connection, so listeners also poll: at the start, after each disconnect and every few
seconds.
"""

import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

CHANNEL = "referee"
LONGEST_PAYLOAD = 7_500
# Seconds.
POLL_INTERVAL = 5.0
RETRY_DELAY = 1.0
NOTIFY_TIMEOUT = 0.5

News = Mapping[str, str]


class Notifications:
    """Named values sent to and received from the other processes; only the newest of each counts.

    Args:
        engine: The shared database.
        on_news: Receives what other processes send.
        poll: Called when something may have been missed.
        on_disconnect: Called whenever the listening connection is lost.

    All callbacks run in the listening thread.
    """

    def __init__(
        self,
        engine: Engine,
        on_news: Callable[[News], None],
        poll: Callable[[], None],
        on_disconnect: Callable[[], None],
    ) -> None:
        self._engine = engine
        self._on_news, self._poll, self._on_disconnect = on_news, poll, on_disconnect
        self._sender = secrets.token_hex(6)
        self._news: dict[str, str] = {}
        self._pending = threading.Condition()
        self._closed = threading.Event()
        self._threads = [
            threading.Thread(target=self._listen, name="notifications-listen", daemon=True),
            threading.Thread(target=self._send, name="notifications-send", daemon=True),
        ]

    def open(self) -> None:
        """Start listening and sending."""
        for thread in self._threads:
            thread.start()

    def send(self, name: str, value: str) -> None:
        """Send soon, from another thread. No spaces in either; no colon in the name."""
        with self._pending:
            self._news[name] = value
            self._pending.notify()

    def close(self) -> None:
        """Send what is pending, then stop."""
        self._closed.set()
        with self._pending:
            self._pending.notify()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(4 * NOTIFY_TIMEOUT)

    def _listen(self) -> None:
        while not self._closed.is_set():
            try:
                with self._connected() as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    self._listen_on(connection)
            except (SQLAlchemyError, self._failure):
                self._on_disconnect()
                self._closed.wait(RETRY_DELAY)
                self._poll()

    def _listen_on(self, connection: Any) -> None:
        polled = 0.0
        while not self._closed.is_set():
            if time.monotonic() > polled + POLL_INTERVAL:
                self._poll()
                polled = time.monotonic()
            news: dict[str, str] = {}
            for notice in connection.notifies(timeout=NOTIFY_TIMEOUT, stop_after=1):
                sender, *items = notice.payload.split(" ")
                if sender != self._sender:
                    news.update(item.split(":", 1) for item in items)
            if news:
                self._on_news(news)

    def _send(self) -> None:
        while self._wait_for_news():
            try:
                with self._connected() as connection:
                    connection.execute("SET synchronous_commit = off")
                    while self._wait_for_news():
                        for payload in self._payloads():
                            connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, payload))
            except (SQLAlchemyError, self._failure):
                # The others find out when they poll.
                with self._pending:
                    self._news.clear()
                self._closed.wait(RETRY_DELAY)

    def _wait_for_news(self) -> bool:
        with self._pending:
            while not self._news and not self._closed.is_set():
                self._pending.wait()
            return bool(self._news)

    def _payloads(self) -> Iterator[str]:
        with self._pending:
            news, self._news = self._news, {}
        payload = self._sender
        for item in news.items():
            if len(payload) > LONGEST_PAYLOAD:
                yield payload
                payload = self._sender
            payload += " " + ":".join(item)
        yield payload

    @property
    def _failure(self) -> type[Exception]:
        """The driver's base exception."""
        failure: type[Exception] = self._engine.dialect.loaded_dbapi.Error
        return failure

    @contextmanager
    def _connected(self) -> Iterator[Any]:
        """Yield a connection of the driver, outside the pool."""
        pooled = self._engine.raw_connection()
        connection: Any = pooled.driver_connection
        pooled.detach()
        try:
            connection.autocommit = True
            yield connection
        finally:
            connection.close()
