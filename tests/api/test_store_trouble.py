"""The store fails for a while: clients are told, nothing is half done, and it recovers."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import event

from referee.service.log.event_log import EventLog
from referee.store.health import StoreHealth
from referee.store.postgres.connection import CONNECT_ARGS
from referee.store.postgres.timeouts import TimeoutConnection
from tests.api.conftest import API, MakeApp, Seat, open_table
from tests.api.test_bad_input import problem
from tests.api.test_events import STREAM, read
from tests.postgres import MISSING, PostgresServer, binaries, private_server
from tests.waiting import until

MANY = 200


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Probe a failed store every 50 ms."""
    monkeypatch.setattr(StoreHealth.__init__, "__defaults__", (0.05,))


@dataclass
class Breakable:
    """An app whose store can be broken and mended."""

    app: Flask
    break_it: Callable[[], None]
    mend_it: Callable[[], None]

    @property
    def event_log(self) -> EventLog:
        return self.app.extensions["referee"]

    def ready(self) -> int:
        return self.app.test_client().get("/ready").status_code

    def until_ready(self) -> None:
        until(lambda: self.ready() == 200)


def full_disk(path: Path, make_app: MakeApp) -> Breakable:
    """Make an app whose SQLite file cannot grow while broken, as on a full disk."""
    app = make_app(database=str(path))
    event_log: EventLog = app.extensions["referee"]
    engine = event_log._engine
    most = [2**30]

    @event.listens_for(engine, "checkout")
    def limit(connection: object, *_: object) -> None:
        connection.execute(f"PRAGMA max_page_count = {most[0]}")  # type: ignore[attr-defined]

    def change(pages: int) -> None:
        most[0] = pages
        # The writer keeps its connection; the next one has the new limit.
        event_log.writer.close()

    def fill() -> None:
        with engine.connect() as connection:
            change(int(connection.exec_driver_sql("PRAGMA page_count").scalar_one()))

    return Breakable(app, fill, lambda: change(2**30))


@pytest.fixture(scope="module")
def own_server() -> Iterator[PostgresServer]:
    """A PostgreSQL server of this module's own."""
    if binaries() is None:
        pytest.skip(MISSING)
    with private_server() as running:
        yield running


@pytest.fixture
def server(own_server: PostgresServer) -> Iterator[PostgresServer]:
    """A PostgreSQL server to stop and freeze; it runs again for the next test."""
    yield own_server
    if not own_server.runs():
        own_server.start()


def frozen(server: PostgresServer, app: Flask, patch: pytest.MonkeyPatch) -> Breakable:
    """Make an app whose database hangs while broken, with short timeouts meanwhile."""

    def freeze() -> None:
        patch.setattr(TimeoutConnection, "timeout", 0.2)
        patch.setitem(CONNECT_ARGS, "connect_timeout", 2)
        server.freeze()

    def thaw() -> None:
        server.thaw()
        patch.undo()

    return Breakable(app, freeze, thaw)


@pytest.fixture(params=["disk full", "database stopped", "database frozen"])
def breakable(
    request: pytest.FixtureRequest, tmp_path: Path, make_app: MakeApp
) -> Iterator[Breakable]:
    if request.param == "disk full":
        yield full_disk(tmp_path / "full.sqlite3", make_app)
        return
    server: PostgresServer = request.getfixturevalue("server")
    app = make_app(database=server.database())
    if request.param == "database stopped":
        yield Breakable(app, server.stop, server.start)
        return
    with pytest.MonkeyPatch.context() as patch:
        yield frozen(server, app, patch)
        server.thaw()


def write_until_refused(host: Seat) -> str:
    """Make moves until the store refuses one; return that move's key."""
    for number in range(MANY):
        key = f"try-{number}"
        answer = host.post("/moves", {"seat": 2, "move": "uno"}, Idempotency_Key=key)
        if answer.status_code != 201:
            body = problem(answer, 503, "store-unavailable")
            assert "same Idempotency-Key" in str(body["detail"])
            assert int(answer.headers["Retry-After"]) > 0
            return key
    raise AssertionError("the store took everything")


def test_trouble_is_told_and_passes_by_itself(breakable: Breakable) -> None:
    host = open_table(breakable.app.test_client())
    stream = host.get("/events", Accept=STREAM, Last_Event_ID="5")
    events = (item for item in read(stream) if item[1] != ": still here")
    assert next(events)[1].startswith("retry")
    breakable.break_it()
    key = write_until_refused(host)
    assert breakable.ready() == 503
    assert breakable.app.test_client().get("/health").status_code == 200
    new = {"ruleset": "moomin", "seats": ["Ann", "Bo"]}
    refused = breakable.app.test_client().post(f"{API}/tables", json=new)
    problem(refused, 503, "store-unavailable")
    seen = next(item for item in events if item[1] != "moved")
    assert seen[1] == "unavailable"
    assert seen[2]["type"] == "/problems/store-unavailable"
    breakable.mend_it()
    breakable.until_ready()
    assert next(item for item in events if item[1] != "moved")[1] == "available"
    before = breakable.event_log.table(host.table).version
    move = {"seat": 2, "move": "uno"}
    first = host.post("/moves", move, Idempotency_Key=key)
    assert first.status_code == 201
    assert first.get_json() == host.post("/moves", move, Idempotency_Key=key).get_json()
    assert breakable.event_log.table(host.table).version == before + 1
    assert next(events)[0] == first.get_json()["id"]
    stream.close()
    written = host.get("/events?limit=200").get_json()["items"]
    assert [item["id"] for item in written] == list(range(1, before + 2))


def connecting_threads(patch: pytest.MonkeyPatch) -> list[int]:
    """Return the threads that make a connection from now on."""
    found: list[int] = []
    connect = TimeoutConnection.connect

    def noted(*args: Any, **named: Any) -> Any:
        found.append(threading.get_ident())
        return connect(*args, **named)

    patch.setattr(TimeoutConnection, "connect", noted)
    return found


def test_a_stalled_write_is_refused_after_one_timeout(
    server: PostgresServer, make_app: MakeApp
) -> None:
    host = open_table(make_app(database=server.database()).test_client())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TimeoutConnection, "timeout", 1.5)
        server.freeze()
        try:
            connecting = connecting_threads(patch)
            problem(host.post("/moves", {"seat": 2, "move": "uno"}), 503, "store-unavailable")
            # Not once more with a new connection, which has five seconds to be made.
            assert threading.get_ident() not in connecting
        finally:
            server.thaw()


def test_what_can_be_read_is_served_while_the_disk_is_full(
    tmp_path: Path, make_app: MakeApp
) -> None:
    broken = full_disk(tmp_path / "full.sqlite3", make_app)
    host = open_table(broken.app.test_client())
    broken.break_it()
    write_until_refused(host)
    assert host.get().status_code == 200
    assert host.get("/events").status_code == 200
    broken.mend_it()
    broken.until_ready()


def test_a_stream_catches_up_on_what_was_written_while_it_could_not_read(
    server: PostgresServer, make_app: MakeApp
) -> None:
    database = server.database()
    apps = make_app(database=database), make_app(database=database)
    host = open_table(apps[0].test_client())
    other = Seat(apps[1].test_client(), host.token, host.table)
    stream = other.get("/events", Accept=STREAM, Last_Event_ID="5")
    events = (item for item in read(stream) if item[1] != ": still here")
    next(events)
    server.stop("immediate")
    assert next(events)[1] == "unavailable"
    server.start()
    until(lambda: host.post("/moves", {"seat": 2, "move": "uno"}).status_code == 201, 0.05)
    kinds = [next(events)[1] for _ in range(2)]
    assert sorted(kinds) == ["available", "moved"]
    stream.close()
