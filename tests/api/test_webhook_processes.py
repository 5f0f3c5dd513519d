"""Webhooks where two processes share a database: one delivers, and the other takes over."""

from collections.abc import Iterator

import pytest
from flask import Flask

from referee.api import create_app
from referee.config import NO_LIMITS, Guard, Settings
from referee.service.webhooks import dispatcher
from tests.api.conftest import close, open_table
from tests.api.receiver import LOOPBACK, patient, receiving
from tests.api.test_processes import at
from tests.api.test_webhooks import add, shown
from tests.postgres import PostgresServer
from tests.waiting import until


@pytest.fixture
def apps(
    postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Flask, Flask]]:
    monkeypatch.setattr(dispatcher, "LEAD_EVERY", 0.1)
    settings = Settings(
        database=postgres.database(), guard=Guard(NO_LIMITS), webhooks=LOOPBACK, keep_alive=0.5
    )
    both = create_app(settings), create_app(settings)
    for app in both:
        patient(app)
    yield both
    for app in both:
        close(app)


def test_each_event_comes_once_wherever_it_was_written(apps: tuple[Flask, Flask]) -> None:
    hosts = [open_table(apps[0].test_client())]
    hosts.append(at(apps[1], hosts[0]))
    with receiving() as receiver:
        hook = add(hosts[1], receiver.url, kinds=["moved"])
        moves = [hosts[n % 2].move(2, "uno")["id"] for n in range(10)]
        until(lambda: receiver.events() == moves)
        until(lambda: shown(hosts[0], hook)["after"] == moves[-1])
        # Whichever process delivered, when it ends the other goes on.
        leading = [app.extensions["referee-webhooks"].leads for app in apps]
        assert sorted(leading) == [False, True]
        apps[leading.index(True)].extensions["referee-webhooks"].close()
        moves += [hosts[n % 2].move(2, "uno")["id"] for n in range(4)]
        until(lambda: receiver.events() == moves)
