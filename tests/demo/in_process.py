"""Demos with a server in the same process: no socket, no thread that reads a stream."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import requests
from flask import Flask
from requests.adapters import BaseAdapter
from rich.console import Console

from referee.api import create_app
from referee.config import NO_LIMITS, Guard, Settings
from referee.demo.http.client import DemoError
from referee.demo.http.phone_table import PhoneTable
from referee.demo.http.spectator import Spectator
from referee.demo.players.captions import PlainShow, Show
from referee.demo.rounds import game
from referee.demo.rounds.game import DemoGame, Outcome, Plan
from referee.rules.presets import PRESETS
from tests.api.conftest import close


class AppAdapter(BaseAdapter):
    """Answers the requests of a session with an app."""

    def __init__(self, app: Flask) -> None:
        super().__init__()
        self._client = app.test_client()

    def send(self, request: requests.PreparedRequest, *_: Any, **__: Any) -> requests.Response:
        answer = self._client.open(
            request.path_url,
            method=request.method,
            headers=list(request.headers.items()),
            data=request.body,
        )
        given = requests.Response()
        given.status_code, given.raw = answer.status_code, io.BytesIO(answer.data)
        given.headers.update(answer.headers)
        given.url, given.request = request.url or "", request
        return given

    def close(self) -> None:
        """There is nothing to close."""


class PageReader(Spectator):
    """A spectator who reads the events in pages."""

    def start(self) -> None:
        """Nothing is read before it is waited for."""

    def wait_for(self, version: int) -> None:
        while version not in self.received_at:
            after = self.seen[-1]["id"] if self.seen else 0
            page = self._page(after).json()["items"]
            if not page:
                raise DemoError(f"Event {version} is not there.")
            self.seen += page
            self.received_at |= {entry["id"]: 0.0 for entry in page}

    def check_ended(self) -> None:
        if self._page(0).status_code != requests.codes.unauthorized:
            raise DemoError("A revoked token reads on.")

    def _page(self, after: int) -> requests.Response:
        wish = {"Accept": "application/json"}
        return self._session.get(f"{self.url}?after={after}&limit=200", headers=wish)


@contextmanager
def app_for_demos(folder: Path) -> Iterator[None]:
    """Let demos talk with an app, whatever server they name."""
    settings = Settings(str(folder / "demo.sqlite3"), guard=Guard(limits=NO_LIMITS))
    app = create_app(settings)
    adapter = AppAdapter(app)
    with (
        patch.object(requests.Session, "get_adapter", lambda *_, **__: adapter),
        patch.object(game, "Spectator", PageReader),
    ):
        yield
    close(app)


def played(plan: Plan, show: Show | None = None) -> Outcome:
    """Play a demo. Raises DemoError."""
    options = {"target": plan.target, **PRESETS[plan.house]}
    table = PhoneTable("http://demo.example", plan.ruleset, plan.names, options)
    return DemoGame(plan, show or PlainShow(Console(file=io.StringIO()), 0.0), table).play()
