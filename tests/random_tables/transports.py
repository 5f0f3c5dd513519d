"""Two ways to a server: over HTTP (tests.strike.stage.Client), or in this process."""

import json
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

from flask import Flask

from referee.api import create_app
from referee.config import NO_LIMITS, Guard, Settings
from tests.api.conftest import close
from tests.strike.stage import API, Answer


class Transport(Protocol):
    """Sends requests below the API's path with one token."""

    @property
    def token(self) -> str | None: ...

    def as_(self, token: str | None, /) -> "Transport":
        """Return the same with another token."""

    def send(
        self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Send a request."""


@dataclass(frozen=True)
class InProcess:
    """Sends requests to a server in this process."""

    app: Flask
    token: str | None = None

    def as_(self, token: str | None, /) -> "InProcess":
        return InProcess(self.app, token)

    def send(
        self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        sent = {**(headers or {})}
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        data = None if body is None else json.dumps(body)
        answer = self.app.test_client().open(
            API + path, method=method, data=data, content_type="application/json", headers=sent
        )
        named = {name.lower(): value for name, value in answer.headers.items()}
        return Answer(answer.status_code, named, answer.data)


@contextmanager
def in_process() -> Iterator[InProcess]:
    """Make a server in this process, without limits, whose database goes with it."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(Settings(f"{folder}/tables.sqlite3", guard=Guard(limits=NO_LIMITS)))
        # Nothing happens at a table by itself: no request to become a host is settled meanwhile.
        app.extensions["referee"].takeovers.started = lambda: None
        try:
            yield InProcess(app)
        finally:
            close(app)
