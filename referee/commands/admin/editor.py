"""Change tables in the database, or through the server that is using it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import requests

from referee.config import Settings
from referee.service.access import OPERATOR
from referee.service.log.event_log import EventLog
from referee.service.log.preconditions import WriteRequest
from referee.service.people import operator
from referee.service.people.host_changes import make_host
from referee.service.people.tokens import revoke_token
from referee.store.database import LockedError, lock_database, open_database
from referee.store.local_key import LocalKey, read_local_key

API = "/api/v1/operator/tables"
SERVER = "http://127.0.0.1:8000"
SECONDS = 30


class EditError(RuntimeError):
    """A change was not made; the message is one sentence."""


class DatabaseEditor:
    """Changes tables in the database itself. Every method may raise Problem."""

    phones: str | None = None

    def __init__(self, event_log: EventLog) -> None:
        self._event_log = event_log
        self._request = WriteRequest(OPERATOR)

    def close(self, table: str, reason: str | None) -> None:
        """Close a table."""
        operator.close_table(self._event_log, self._event_log.table(table), self._request, reason)

    def reopen(self, table: str) -> None:
        """Reopen a table."""
        operator.open_again(self._event_log, self._event_log.table(table), self._request)

    def purge(self, table: str) -> bool:
        """Delete a table; return whether it existed."""
        return operator.purge_tables(self._event_log, [table]) > 0

    def let_host_in(self, table: str, name: str | None) -> tuple[str, str]:
        """Issue a host's token; return it and its id."""
        issued = operator.let_host_in(
            self._event_log, self._event_log.table(table), self._request, name
        )
        return issued[0], issued[1].id

    def make_host(self, table: str, seat: int) -> None:
        """Make the phone of a seat a host."""
        make_host(self._event_log, self._event_log.table(table), self._request, seat)

    def revoke(self, table: str, token: str) -> None:
        """Revoke a token."""
        revoke_token(self._event_log, self._event_log.table(table), self._request, token)


class ServerEditor:
    """Changes tables through the server that uses the database, with the operator's key.

    ``phones`` is where phones reach it. Every method may raise EditError.
    """

    def __init__(self, url: str, key: str, phones: str | None = None) -> None:
        self._url = url.rstrip("/") + API
        self.phones = phones or url.rstrip("/")
        self._session = requests.Session()
        # Neither a proxy nor a .netrc stands between a command and its own machine's server.
        self._session.trust_env = False
        self._session.headers["Authorization"] = f"Bearer {key}"

    def close(self, table: str, reason: str | None) -> None:
        """Close a table."""
        self._ask("POST", f"/{table}/closing", {"reason": reason})

    def reopen(self, table: str) -> None:
        """Reopen a table."""
        self._ask("DELETE", f"/{table}/closing")

    def purge(self, table: str) -> bool:
        """Delete a table; return whether it existed."""
        return bool(self._ask("DELETE", f"/{table}", missing={}))

    def let_host_in(self, table: str, name: str | None) -> tuple[str, str]:
        """Issue a host's token; return it and its id."""
        given = self._ask("POST", f"/{table}/hosts", {"name": name})
        return given["token"], given["token_id"]

    def make_host(self, table: str, seat: int) -> None:
        """Make the phone of a seat a host."""
        self._ask("PUT", f"/{table}/seats/{seat}/host")

    def revoke(self, table: str, token: str) -> None:
        """Revoke a token."""
        self._ask("DELETE", f"/{table}/tokens/{token}")

    def _ask(self, method: str, path: str, body: Any = None, missing: Any = None) -> Any:
        answer = self._session.request(method, self._url + path, json=body, timeout=SECONDS)
        if answer.status_code == requests.codes.not_found and missing is not None:
            return missing
        try:
            body = answer.json()
        except ValueError:
            raise EditError(f"{self._url} is not a referee server.") from None
        if not answer.ok:
            raise EditError(f"The server refused: {body.get('detail', answer.status_code)}")
        return body


@contextmanager
def open_event_log(settings: Settings) -> Iterator[EventLog]:
    """Open the event log of a database for reading. Raises DatabaseError."""
    event_log = EventLog(open_database(settings.database, create=False))
    try:
        yield event_log
    finally:
        event_log.close()


def _server_editor(
    settings: Settings, server: str | None, local: LocalKey | None, error: LockedError
) -> ServerEditor:
    key = settings.guard.operator_key
    if local is not None and not (server and key):
        return ServerEditor(server or local.url or SERVER, local.key, local.phones)
    if not key:
        raise EditError(
            f"{error} Or run this as the user that runs the server, or set REFEREE_OPERATOR_KEY "
            "for both."
        ) from None
    return ServerEditor(server or SERVER, key)


@contextmanager
def open_editor(
    settings: Settings, server: str | None = None
) -> Iterator[DatabaseEditor | ServerEditor]:
    """Return an editor for the tables of a database. Raises DatabaseError, EditError.

    ``server`` is the address of the server that uses it; None for the one that it left.
    """
    engine = open_database(settings.database, create=False)
    try:
        lock = lock_database(engine)
    except LockedError as error:
        engine.dispose()
        yield _server_editor(
            settings, server, read_local_key(Path(str(engine.url.database))), error
        )
        return
    event_log = EventLog(engine)
    # Notify other servers that share the database.
    event_log.open()
    try:
        yield DatabaseEditor(event_log)
    finally:
        event_log.close()
        if lock is not None:
            lock.close()
