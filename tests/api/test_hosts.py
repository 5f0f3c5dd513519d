"""More than one host, and a new one when the host's phone is lost."""

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from referee.service import presence
from referee.service.log.event_log import EventLog
from referee.service.people.host_changes import settle_all
from tests.api.conftest import API, KEY, Seat, open_table
from tests.api.test_bad_input import problem


class Clock:
    """The time by which phones are heard of."""

    def __init__(self) -> None:
        self.now = 0.0

    def pass_by(self) -> None:
        """Let it be so late that whoever is not heard of from now on is silent."""
        self.now += presence.SILENT_AFTER + 1


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(presence, "monotonic", lambda: clock.now)
    return clock


@pytest.fixture
def log(app: Flask, monkeypatch: pytest.MonkeyPatch) -> EventLog:
    """The event log of a server at which hosts have no time to refuse."""
    found: EventLog = app.extensions["referee"]
    monkeypatch.setattr(found.takeovers, "seconds", 0.0)
    return found


def put(speaker: Seat, path: str) -> TestResponse:
    return speaker.call("PUT", f"{API}/tables/{speaker.table}{path}")


def hosting(speaker: Seat) -> list[int]:
    return [seat["seat"] for seat in speaker.get().get_json()["seats"] if seat["host"]]


def last(speaker: Seat) -> dict[str, Any]:
    return speaker.get("/events?limit=200").get_json()["items"][-1]


def test_a_seat_s_phone_becomes_a_host_and_keeps_its_seat(host: Seat) -> None:
    bo, cy = host.seats[2], host.seats[3]
    problem(bo.get("/tokens"), 403, "forbidden")
    made = put(host, "/seats/2/host").get_json()
    assert (made["kind"], made["seat"], made["how"]) == ("host-made", 2, "host")
    assert made["announcements"] == ["Bo is a host now."]
    assert hosting(cy) == [2]
    # By default it acts for its own seat, and for anyone else when it says so.
    assert bo.post("/moves", {"move": "draw"}).get_json()["move"]["seat"] == 2
    assert bo.post("/moves", {"seat": 2, "move": "pass"}).status_code == 201
    drawn = bo.post("/moves", {"seat": 3, "move": "draw"})
    assert drawn.get_json()["by"] == {"role": "seat", "seat": 2, "host": True}
    problem(cy.post("/moves", {"seat": 2, "move": "draw"}), 403, "forbidden")
    assert bo.post("/corrections", {"kind": "undo"}).status_code == 201
    assert put(bo, "/seats/3/host").status_code == 200
    problem(put(host, "/seats/2/host"), 409, "conflict")
    audit = host.get("/audit?kind=access").get_json()["items"]
    assert [(item["kind"], item["seat"]) for item in audit[-2:]] == [
        ("host-made", 2),
        ("host-made", 3),
    ]
    assert audit[-2]["about"]["token"] == bo.token_id()
    assert bo.get("/tokens/self").get_json()["host"]


def test_a_host_s_rights_end_but_never_the_last_one_s(host: Seat) -> None:
    put(host, "/seats/2/host")
    bo = host.seats[2]
    ended = host.delete("/seats/2/host").get_json()
    assert ended["announcements"] == ["Bo is no host any more."]
    problem(bo.get("/tokens"), 403, "forbidden")
    assert bo.post("/moves", {"move": "draw"}).status_code == 201
    problem(host.delete("/seats/2/host"), 409, "conflict")
    put(host, "/seats/2/host")
    assert bo.delete("/seats/2/host").status_code == 200
    put(host, "/seats/2/host")
    assert host.delete("/tokens/self").status_code == 200
    assert host.seats[1].get().get_json()["hosts"] == 1
    problem(bo.delete("/seats/2/host"), 409, "conflict")
    problem(bo.delete("/tokens/self"), 409, "conflict")
    assert bo.get("/tokens").status_code == 200


def test_a_phone_that_loses_its_token_hosts_no_more(host: Seat) -> None:
    put(host, "/seats/2/host")
    host.delete(f"/tokens/{host.seats[2].token_id()}")
    assert hosting(host) == []
    bo = host.join(2)
    problem(bo.get("/tokens"), 403, "forbidden")
    problem(put(host, "/seats/9/host"), 422, "invalid-request")


def test_hosts_are_known_after_the_table_was_loaded_again(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.service.log.event_log.SNAPSHOT_EVERY", 4)
    host = open_table(app.test_client())
    put(host, "/seats/2/host")
    host.seats[3].post("/host-request")
    for _ in range(4):
        host.move(2, "uno")
    event_log: EventLog = app.extensions["referee"]
    before = event_log.table(host.table).meta
    event_log.cache.clear()
    assert event_log.table(host.table).meta == before
    assert hosting(host) == [2]
    host.delete("/host-request")


def test_all_seated_phones_but_one_make_a_host(client: FlaskClient, log: EventLog) -> None:
    host = open_table(client, names=("Ann", "Bo", "Cy", "Di"))
    bo, cy = host.seats[2], host.seats[3]
    asked = bo.post("/host-request").get_json()
    assert asked["announcements"] == [
        "Bo asks to become a host. Agree if the host's phone is gone."
    ]
    request = cy.get().get_json()["host_request"]
    assert (request["seat"], request["agreed"], request["missing"]) == (2, [2], 2)
    problem(bo.post("/host-request/agreements"), 409, "conflict")
    problem(cy.post("/host-request"), 409, "conflict")
    assert cy.post("/host-request/agreements").status_code == 201
    assert cy.get().get_json()["host_request"]["missing"] == 1
    assert hosting(cy) == []
    host.seats[4].post("/host-request/agreements")
    assert (hosting(cy), cy.get().get_json()["host_request"]) == ([2], None)
    assert (last(cy)["kind"], last(cy)["how"]) == ("host-made", "table")
    assert bo.post("/corrections", {"kind": "undo"}).status_code == 201
    # The old phone turns up.
    new = bo.token_id()
    problem(host.delete("/seats/2/host"), 403, "forbidden")
    problem(host.delete(f"/tokens/{new}"), 403, "forbidden")
    problem(host.post(f"/tokens/{new}/rotation"), 403, "forbidden")
    again = host.post("/tokens", {"role": "seat", "seat": 2}).get_json()["token"]
    problem(Seat(client, again, host.table).delete("/seats/2/host"), 403, "forbidden")
    assert bo.delete(f"/tokens/{host.token_id()}").status_code == 200
    problem(host.get(), 401, "not-authenticated")


def test_a_present_host_refuses(client: FlaskClient, log: EventLog) -> None:
    host = open_table(client)
    bo, cy = host.seats[2], host.seats[3]
    bo.post("/host-request")
    problem(cy.delete("/host-request"), 403, "forbidden")
    ended = host.delete("/host-request").get_json()
    assert ended["why"] == "refused"
    assert ended["announcements"] == ["The host has refused: Bo does not become a host."]
    problem(cy.post("/host-request/agreements"), 404, "not-found")
    bo.post("/host-request")
    assert bo.delete("/host-request").get_json()["why"] == "withdrawn"
    # A host's seat that agrees decides it.
    put(host, "/seats/3/host")
    bo.post("/host-request")
    assert cy.post("/host-request/agreements").get_json()["how"] == "host"
    assert hosting(host) == [2, 3]


def test_a_host_has_time_to_refuse(
    client: FlaskClient, log: EventLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log.takeovers, "seconds", 3600.0)
    host = open_table(client, names=("Ann", "Bo"))
    bo = host.seats[2]
    asked = bo.post("/host-request").get_json()
    assert bo.get().get_json()["host_request"]["missing"] == 0
    settle_all(log)
    assert hosting(bo) == []
    assert asked["until"] > asked["at"]
    assert host.delete("/host-request").status_code == 200
    # Once the time has passed, nobody has to do anything more.
    monkeypatch.setattr(log.takeovers, "seconds", 0.2)
    monkeypatch.setattr(log.takeovers, "started", lambda: None)
    bo.post("/host-request")
    stream = bo.get(f"/events?after={last(bo)['id']}", Accept="text/event-stream")
    while hosting(bo) != [2]:
        settle_all(log)
    lines = iter(stream.response)
    assert any(b"event: host-made" in next(lines) for _ in range(5))
    stream.close()


def test_a_request_outlives_a_restart(
    client: FlaskClient, log: EventLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log.takeovers, "seconds", 1.0)
    monkeypatch.setattr(log.takeovers, "started", lambda: None)
    host = open_table(client, names=("Ann", "Bo"))
    host.seats[2].post("/host-request")
    log.takeovers.forget(host.table)
    log.cache.clear()
    # The first to read the table afterwards brings it back.
    assert host.seats[2].get().get_json()["host_request"]["missing"] == 0
    assert log.takeovers.waiting() == [host.table]
    while hosting(host.seats[2]) != [2]:
        settle_all(log)


def test_votes_count_by_phone(client: FlaskClient, log: EventLog) -> None:
    host = open_table(client, names=("Ann", "Bo", "Cy", "Di"))
    bo, cy, di = (host.seats[n] for n in (2, 3, 4))
    bo.post("/host-request")
    cy.post("/host-request/agreements")
    # Cy's seat goes to another phone: the first one's voice is gone with it.
    other = host.post("/tokens", {"role": "seat", "seat": 3}).get_json()["token"]
    assert bo.get().get_json()["host_request"]["agreed"] == [2]
    problem(cy.post("/host-request/agreements"), 403, "forbidden")
    di.delete("/tokens/self")
    assert bo.get().get_json()["host_request"]["missing"] == 1
    Seat(client, other, host.table).post("/host-request/agreements")
    assert hosting(host) == [2]


def test_a_request_ends_with_the_phone_that_asks(client: FlaskClient, log: EventLog) -> None:
    host = open_table(client)
    host.seats[2].post("/host-request")
    host.seats[2].delete("/tokens/self")
    assert host.get().get_json()["host_request"] is None
    spectator = host.post("/tokens", {"role": "spectator"}).get_json()["token"]
    problem(Seat(client, spectator, host.table).post("/host-request"), 403, "forbidden")


def test_a_request_ends_with_the_seat_of_who_asks(client: FlaskClient, log: EventLog) -> None:
    host = open_table(client, names=("Ann", "Bo", "Cy", "Di"))
    bo, cy, di = (host.seats[n] for n in (2, 3, 4))
    bo.post("/host-request")
    assert bo.delete("/seats/2").status_code == 200
    assert host.get().get_json()["host_request"] is None
    problem(cy.post("/host-request/agreements"), 404, "not-found")
    # Nobody has to wait for a host who is not there to refuse.
    assert cy.post("/host-request").status_code == 201
    di.post("/host-request/agreements")
    assert hosting(host) == [3]
    settle_all(log)
    assert log.takeovers.waiting() == []


def test_a_request_lapses(
    client: FlaskClient, log: EventLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.service.people.host_changes.LONGEST_REQUEST", 0.0)
    host = open_table(client, names=("Ann", "Bo", "Cy", "Di"))
    monkeypatch.setattr(log.takeovers, "started", lambda: None)
    host.seats[2].post("/host-request")
    assert host.get().get_json()["host_request"] is None
    problem(host.seats[3].post("/host-request/agreements"), 404, "not-found")
    settle_all(log)
    assert last(host)["announcements"] == ["Too few have agreed: Bo does not become a host."]
    assert log.takeovers.waiting() == []
    # Another one may ask then.
    assert host.seats[3].post("/host-request").status_code == 201


def test_the_operator_makes_a_host_that_the_old_one_cannot_unmake(host: Seat) -> None:
    operator = Seat(host.client, KEY)
    put(host, "/seats/2/host")
    path = f"{API}/operator/tables/{host.table}/seats/2/host"
    assert operator.call("PUT", path).get_json()["how"] == "operator"
    problem(host.delete("/seats/2/host"), 403, "forbidden")
    problem(operator.call("PUT", path), 409, "conflict")
    gone = f"{API}/operator/tables/{host.table}/tokens/{host.seats[2].token_id()}"
    assert operator.call("DELETE", gone).status_code == 200
    assert hosting(host) == []


def is_silent(speaker: Seat) -> bool:
    return speaker.get().get_json()["host_silent"]


def test_a_host_who_is_lost_in_the_own_turn_is_missed(client: FlaskClient, clock: Clock) -> None:
    host = open_table(client, dealer=3)
    ann, bo = host.seats[1], host.seats[2]
    clock.pass_by()
    assert is_silent(bo)
    # A phone that is heard of can go on, the seat's or a host's.
    ann.get()
    assert not is_silent(bo)
    clock.pass_by()
    host.get()
    assert not is_silent(bo)
    # A phone that asks is something new, and so is what it leads to.
    clock.pass_by()
    assert is_silent(bo)
    bo.post("/host-request")
    assert not is_silent(bo)


def test_a_seat_is_heard_as_long_as_its_phone_is(client: FlaskClient, clock: Clock) -> None:
    host = open_table(client)
    host.delete(f"/tokens/{host.seats[3].token_id()}")

    def heard() -> list[bool]:
        return [seat["heard"] for seat in host.get().get_json()["seats"]]

    assert heard() == [True, True, False]
    clock.pass_by()
    assert heard() == [False, False, False]
    host.seats[2].get()
    assert heard() == [False, True, False]


def test_nobody_misses_a_host_while_the_game_can_go_on(client: FlaskClient, clock: Clock) -> None:
    host = open_table(client, dealer=1)
    bo = host.seats[2]
    clock.pass_by()
    # It is Bo's turn.
    assert not is_silent(bo)
    host.seats[3].get()
    clock.pass_by()
    assert is_silent(host.seats[3])
    host.post("/corrections", {"kind": "break-off"})
    clock.pass_by()
    assert not is_silent(bo)


def test_a_seat_without_a_phone_waits_for_the_host(client: FlaskClient, clock: Clock) -> None:
    host = open_table(client)
    host.delete(f"/tokens/{host.seats[2].token_id()}")
    clock.pass_by()
    assert is_silent(host.seats[3])
    clock.pass_by()
    host.get()
    assert not is_silent(host.seats[3])


def test_a_table_that_is_loaded_again_has_heard_of_everybody(
    client: FlaskClient, app: Flask, clock: Clock
) -> None:
    host = open_table(client, dealer=3)
    clock.pass_by()
    app.extensions["referee"].cache.clear()
    assert not is_silent(host.seats[2])
    clock.pass_by()
    assert is_silent(host.seats[2])
