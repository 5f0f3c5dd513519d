"""Where changes are made: in the database, or by the server that is using it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol

import requests

from referee.config import Settings
from referee.service import operator as operating
from referee.service.access import OPERATOR
from referee.service.event_log import EventLog, WriteRequest
from referee.service.tokens import revoke_token
from referee.store.database import LockedError, lock_database, open_database

API = "/api/v1/operator/tables"
SECONDS = 30


class OfficeError(RuntimeError):
    """What was asked for was not done; the text says why."""


class Office(Protocol):
    """Whoever can change tables. Each method raises Problem or OfficeError."""

    def close(self, table: str, reason: str | None) -> None:
        """Let nothing more be written."""

    def reopen(self, table: str) -> None:
        """Let it go on."""

    def purge(self, table: str) -> bool:
        """Delete it; whether it was there."""

    def let_host_in(self, table: str, name: str | None) -> tuple[str, str]:
        """A host's token, and its id."""

    def revoke(self, table: str, token: str) -> None:
        """Make a token void."""


class OwnHouse:
    """The database itself, which nobody else is using, or which may be shared."""

    def __init__(self, event_log: EventLog) -> None:
        self._event_log = event_log
        self._request = WriteRequest(OPERATOR)

    def close(self, table: str, reason: str | None) -> None:
        """Let nothing more be written."""
        operating.close_table(self._event_log, self._event_log.table(table), self._request, reason)

    def reopen(self, table: str) -> None:
        """Let it go on."""
        operating.open_again(self._event_log, self._event_log.table(table), self._request)

    def purge(self, table: str) -> bool:
        """Delete it; whether it was there."""
        return operating.purge_tables(self._event_log, [table]) > 0

    def let_host_in(self, table: str, name: str | None) -> tuple[str, str]:
        """A host's token, and its id."""
        found = operating.let_host_in(
            self._event_log, self._event_log.table(table), self._request, name
        )
        return found[0], found[1].id

    def revoke(self, table: str, token: str) -> None:
        """Make a token void."""
        revoke_token(self._event_log, self._event_log.table(table), self._request, token)


class Server:
    """The server that uses the database, asked with the operator's key."""

    def __init__(self, url: str, key: str) -> None:
        self._url = url.rstrip("/") + API
        self._session = requests.Session()
        self._session.headers["Authorization"] = f"Bearer {key}"

    def close(self, table: str, reason: str | None) -> None:
        """Let nothing more be written."""
        self._ask("POST", f"/{table}/closing", {"reason": reason})

    def reopen(self, table: str) -> None:
        """Let it go on."""
        self._ask("DELETE", f"/{table}/closing")

    def purge(self, table: str) -> bool:
        """Delete it; whether it was there."""
        return bool(self._ask("DELETE", f"/{table}", missing={}))

    def let_host_in(self, table: str, name: str | None) -> tuple[str, str]:
        """A host's token, and its id."""
        given = self._ask("POST", f"/{table}/hosts", {"name": name})
        return given["token"], given["token_id"]

    def revoke(self, table: str, token: str) -> None:
        """Make a token void."""
        self._ask("DELETE", f"/{table}/tokens/{token}")

    def _ask(self, method: str, path: str, body: Any = None, missing: Any = None) -> Any:
        answer = self._session.request(method, self._url + path, json=body, timeout=SECONDS)
        if answer.status_code == requests.codes.not_found and missing is not None:
            return missing
        try:
            said = answer.json()
        except ValueError:
            raise OfficeError(f"{self._url} is no referee.") from None
        if not answer.ok:
            raise OfficeError(f"The server refuses: {said.get('detail', answer.status_code)}")
        return said


@contextmanager
def open_event_log(settings: Settings) -> Iterator[EventLog]:
    """Open the event log of a database for reading. Raises DatabaseError."""
    event_log = EventLog(open_database(settings.database))
    try:
        yield event_log
    finally:
        event_log.close()


@contextmanager
def open_office(settings: Settings, server: str) -> Iterator[Office]:
    """Whoever can change the tables of a database now. Raises DatabaseError, OfficeError."""
    engine = open_database(settings.database)
    try:
        lock = lock_database(engine)
    except LockedError as error:
        engine.dispose()
        if not settings.guard.operator_key:
            raise OfficeError(
                f"{error} Or give both it and this command REFEREE_OPERATOR_KEY, to ask the server."
            ) from None
        yield Server(server, settings.guard.operator_key)
        return
    event_log = EventLog(engine)
    # Servers that share the database hear of it.
    event_log.open()
    try:
        yield OwnHouse(event_log)
    finally:
        event_log.close()
        if lock is not None:
            lock.close()
