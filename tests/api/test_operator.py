"""The operator's endpoints, and retention."""

from datetime import UTC, datetime, timedelta

import pytest
from flask import Flask
from sqlalchemy import func, select, update

from referee.config import NO_LIMITS, Guard
from referee.service.periodic_task import PeriodicTask
from referee.service.records.retention import DueTable, RetentionPolicy, due, sweep
from referee.store.schema import log, metadata, tokens
from tests.api.conftest import API, KEY, MakeApp, Seat, open_table
from tests.api.test_bad_input import problem

NOW = datetime.now(UTC)


@pytest.fixture
def app(make_app: MakeApp) -> Flask:
    return make_app()


@pytest.fixture
def operator(app: Flask) -> Seat:
    return Seat(app.test_client(), KEY)


def on(operator: Seat, method: str, path: str, body: object = None) -> object:
    return operator.call(method, f"{API}/operator/tables{path}", body)


def test_tables_are_listed_in_pages_and_nothing_secret_of_them(operator: Seat) -> None:
    made = [open_table(operator.client) for _ in range(3)]
    first = on(operator, "GET", "?limit=2").get_json()
    second = on(operator, "GET", f"?after={first['next']}").get_json()
    items = first["items"] + second["items"]
    assert [item["id"] for item in items] == sorted(host.table for host in made)
    assert second["next"] is None
    code = made[0].get().get_json()["code"]
    assert code not in str(items)
    listed = next(item for item in items if item["id"] == made[0].table)
    assert (listed["ruleset"], listed["seats"], listed["closed"]) == ("classic-108", 3, None)
    assert listed["entries"] == made[0].get().get_json()["version"]


def test_a_closed_table_is_read_and_not_written(operator: Seat, host: Seat) -> None:
    code = host.get().get_json()["code"]
    closed = on(operator, "POST", f"/{host.table}/closing", {"reason": "over"})
    assert closed.status_code == 201
    assert host.get().get_json()["closed"] == closed.get_json()["at"]
    assert host.get("/record").status_code == 200
    for refused in (
        host.post("/moves", {"seat": 2, "move": "draw"}),
        host.post("/tokens", {"role": "host"}),
        host.post("/corrections", {"kind": "undo"}),
        host.client.post(f"{API}/join", json={"code": code}),
    ):
        problem(refused, 409, "closed")
    problem(on(operator, "POST", f"/{host.table}/closing", {}), 409, "conflict")
    (item,) = [i for i in host.get("/audit").get_json()["items"] if i["kind"] == "closed"]
    assert (item["by"]["role"], item["reason"]) == ("operator", "over")
    assert on(operator, "DELETE", f"/{host.table}/closing").status_code == 200
    assert host.post("/moves", {"seat": 2, "move": "draw"}).status_code == 201
    problem(on(operator, "DELETE", f"/{host.table}/closing"), 409, "conflict")


def test_a_table_stays_closed_when_it_is_loaded_again(
    app: Flask, operator: Seat, host: Seat
) -> None:
    on(operator, "POST", f"/{host.table}/closing", {})
    app.extensions["referee"].drop(host.table, [])
    problem(host.post("/moves", {"seat": 2, "move": "draw"}), 409, "closed")


def test_a_purged_table_is_gone_with_all_that_belongs_to_it(
    app: Flask, operator: Seat, host: Seat
) -> None:
    other = open_table(operator.client)
    stream = iter(host.get("/events?after=0", Accept="text/event-stream").response)
    next(stream)
    assert on(operator, "DELETE", f"/{host.table}").get_json() == {"purged": host.table}
    assert b"".join(stream).endswith(b"event: revoked\ndata: {}\n\n")
    problem(host.get(), 401, "not-authenticated")
    problem(on(operator, "DELETE", f"/{host.table}"), 404, "not-found")
    with app.extensions["referee"].engine.connect() as connection:
        for table in metadata.tables.values():
            for column in table.columns:
                if column.name in ("table_id", "id"):
                    query = select(func.count()).select_from(table).where(column == host.table)
                    assert connection.execute(query).scalar_one() == 0, table.name
    assert other.get().status_code == 200


def test_a_host_who_has_lost_the_token_is_let_in(operator: Seat, host: Seat) -> None:
    given = on(operator, "POST", f"/{host.table}/hosts", {"name": "Ann"}).get_json()
    again = Seat(host.client, given["token"], host.table)
    assert on(operator, "DELETE", f"/{host.table}/tokens/{host.token_id()}").status_code == 200
    problem(host.get(), 401, "not-authenticated")
    assert again.post("/moves", {"seat": 2, "move": "draw"}).status_code == 201


def test_no_key_no_operator(make_app: MakeApp) -> None:
    client = make_app(Guard(limits=NO_LIMITS)).test_client()
    for key in ("", "x", KEY):
        answer = Seat(client, key).call("GET", f"{API}/operator/tables")
        problem(answer, 401, "not-authenticated")


def quiet(app: Flask, host: Seat, days: float) -> None:
    """Date the table's entries back by some days."""
    at = (NOW - timedelta(days=days)).isoformat(timespec="milliseconds")
    with app.extensions["referee"].engine.begin() as connection:
        connection.execute(update(log).where(log.c.table_id == host.table).values(at=at))


def finished(app: Flask) -> Seat:
    """Return a table whose game is over."""
    host = open_table(app.test_client(), names=("Ann", "Bo"), target=1)
    for card in ("red-1", "red-2", "red-3", "red-4", "red-5", "red-6"):
        host.move(2, "play", card=card)
        host.move(1, "draw")
        host.move(1, "pass")
    host.move(2, "uno")
    host.move(2, "play", card="red-9")
    hand = ["blue-1", "blue-2", "blue-3", "blue-4", "blue-5", "blue-6", "blue-7"]
    greens = ["green-1", "green-2", "green-3", "green-4", "green-5", "green-6"]
    ended = host.move(1, "reveal", hand=hand + greens)
    assert ended["state"]["winner"] == 2, ended
    return host


def test_quiet_tables_are_due_and_no_others(app: Flask) -> None:
    event_log = app.extensions["referee"]
    won, lost, new = finished(app), open_table(app.test_client()), open_table(app.test_client())
    for host, days in ((won, 10), (lost, 40)):
        quiet(app, host, days)

    def found(keep: RetentionPolicy) -> dict[str, str]:
        return {one.table_id: one.why for one in due(event_log, keep, NOW)}

    assert found(RetentionPolicy()) == {}
    assert found(RetentionPolicy(finished=7)) == {won.table: "finished"}
    assert found(RetentionPolicy(finished=11)) == {}
    assert found(RetentionPolicy(idle=30)) == {lost.table: "idle"}
    assert found(RetentionPolicy(finished=7, idle=30)) == {
        won.table: "finished",
        lost.table: "idle",
    }
    assert found(RetentionPolicy(idle=5)) == {won.table: "idle", lost.table: "idle"}
    assert [one.table_id for one in sweep(event_log, RetentionPolicy(idle=30), NOW)] == [lost.table]
    problem(lost.get(), 401, "not-authenticated")
    assert (won.get().status_code, new.get().status_code) == (200, 200)


def test_a_server_that_is_told_to_sweeps(app: Flask) -> None:
    event_log = app.extensions["referee"]
    host = open_table(app.test_client())
    quiet(app, host, 40)
    assert sweep(event_log, RetentionPolicy(), NOW) == []
    assert host.get().status_code == 200
    sweeper = PeriodicTask(
        "retention", lambda: sweep(event_log, RetentionPolicy(idle=30), NOW), 0.01
    )
    sweeper.start()
    deadline = datetime.now(UTC) + timedelta(seconds=120)
    while host.get().status_code == 200:
        assert datetime.now(UTC) < deadline
    sweeper.stop()
    assert due(event_log, RetentionPolicy(idle=30), NOW) == []


def test_what_is_due_says_since_when(app: Flask) -> None:
    host = open_table(app.test_client())
    quiet(app, host, 2)
    (one,) = due(app.extensions["referee"], RetentionPolicy(idle=1), NOW)
    assert one == DueTable(
        host.table, (NOW - timedelta(days=2)).isoformat(timespec="milliseconds"), "idle"
    )
    with app.extensions["referee"].engine.connect() as connection:
        assert connection.execute(select(func.count()).select_from(tokens)).scalar_one() == 4
