"""Two processes on one database: each caches tables, both write one log."""

import threading
from functools import partial

import pytest
from flask import Flask
from flask.testing import FlaskClient

from referee.rules.records.serial import state_to_json
from referee.service import presence
from referee.service.log import pairing_requests
from referee.service.log.event_log import EventLog
from referee.service.people.operator import purge_tables
from tests.api.conftest import API, Frames, Seat, at_once, open_table
from tests.api.reloaded import out_of_time
from tests.api.test_bad_input import problem
from tests.api.test_events import STREAM, read, take
from tests.api.test_pairings import looking
from tests.waiting import until


def at(app: Flask, seat: Seat) -> Seat:
    """Return the same client, connected to another process."""
    others = {number: at(app, other) for number, other in seat.seats.items()}
    return Seat(app.test_client(), seat.token, seat.table, others)


@pytest.fixture
def hosts(apps: tuple[Flask, Flask]) -> tuple[Seat, Seat]:
    """The host of one table, connected to each process."""
    first = open_table(apps[0].test_client())
    second = at(apps[1], first)
    assert second.state() == first.state()
    return first, second


def event_log(app: Flask) -> EventLog:
    return app.extensions["referee"]


def test_players_go_from_one_process_to_the_other(
    apps: tuple[Flask, Flask], hosts: tuple[Seat, Seat]
) -> None:
    for n in range(12):
        host, other = hosts[n % 2], hosts[(n + 1) % 2]
        turn = host.state()["turn"]
        drawn = host.move(turn, "draw")
        assert drawn["ruling"]["verdict"] == "legal"
        assert other.move(turn, "pass")["ruling"]["verdict"] == "legal"
        assert other.get().headers["ETag"] == host.get().headers["ETag"]
    tables = [event_log(app).table(hosts[0].table) for app in apps]
    assert state_to_json(tables[0].state) == state_to_json(tables[1].state)
    assert tables[0].meta == tables[1].meta


def test_a_camera_added_at_one_sends_its_frames_to_the_other(
    apps: tuple[Flask, Flask], hosts: tuple[Seat, Seat], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other one has the table in memory, as it was before."""
    frames = Frames()
    monkeypatch.setitem(apps[1].extensions, "referee-frame-reader", frames)
    made = hosts[0].post("/devices", {"name": "Phone", "kind": "camera"}).get_json()
    phone = Seat(apps[1].test_client(), made["token"], hosts[0].table)
    assert phone.frame().status_code == 200
    assert len(frames.sent) == 1


def test_two_processes_with_the_same_version(hosts: tuple[Seat, Seat]) -> None:
    version = hosts[0].get().headers["ETag"]
    move = {"seat": 2, "move": "play", "card": "red-1"}
    assert hosts[0].post("/moves", move, If_Match=version).status_code == 201
    body = problem(hosts[1].post("/moves", move, If_Match=version), 412, "stale-version")
    assert f'"{body["version"]}"' == hosts[0].get().headers["ETag"]


def test_everybody_at_once_on_both(apps: tuple[Flask, Flask], hosts: tuple[Seat, Seat]) -> None:
    answers: list[int] = []

    def call(host: Seat) -> None:
        for _ in range(5):
            answer = host.create("/moves", {"seat": 2, "move": "uno"})
            answers.append(answer["id"])

    speakers = [at(app, hosts[0]) for app in apps for _ in range(3)]
    at_once(*(partial(call, speaker) for speaker in speakers))
    assert sorted(answers) == list(range(6, 6 + 6 * 5))
    for host in hosts:
        items = host.get("/events?limit=200").get_json()["items"]
        assert [item["id"] for item in items] == list(range(1, 6 + 6 * 5))


def test_the_same_key_at_both_processes_is_one_move(hosts: tuple[Seat, Seat]) -> None:
    move = {"move": "play", "card": "red-1"}
    first = hosts[0].seats[2].post("/moves", move, Idempotency_Key="k1")
    again = hosts[1].seats[2].post("/moves", move, Idempotency_Key="k1")
    assert again.status_code == 201
    assert again.get_json() == first.get_json()
    other = {"move": "play", "card": "red-2"}
    problem(hosts[1].seats[2].post("/moves", other, Idempotency_Key="k1"), 422, "key-reused")


def test_the_same_new_table_at_both_processes_is_one_table(apps: tuple[Flask, Flask]) -> None:
    gate = threading.Barrier(2)
    made: list[dict[str, object]] = []

    def make(client: FlaskClient) -> None:
        gate.wait()
        key = {"Idempotency-Key": "a-key-that-is-long-enough"}
        body = {"ruleset": "moomin", "seats": ["Ann", "Bo"]}
        made.append(client.post(f"{API}/tables", json=body, headers=key).get_json())

    at_once(*(partial(make, app.test_client()) for app in apps))
    assert made[0] == made[1]


def test_a_stream_hears_of_the_other_process(hosts: tuple[Seat, Seat]) -> None:
    answer = hosts[0].get("/events", Accept=STREAM, Last_Event_ID="5")
    reader = (item for item in read(answer) if item[0])
    hosts[1].move(2, "play", card="red-1")
    assert next(reader)[:2] == (6, "moved")
    hosts[1].move(3, "play", card="red-2")
    hosts[0].move(1, "play", card="red-3")
    assert [next(reader)[0] for _ in range(2)] == [7, 8]
    answer.close()


def test_a_stream_goes_on_at_the_other_process(hosts: tuple[Seat, Seat]) -> None:
    first = hosts[0].get("/events", Accept=STREAM, Last_Event_ID="4")
    last = take(first, 1)[0][0]
    first.close()
    hosts[0].move(2, "play", card="red-1")
    second = hosts[1].get("/events", Accept=STREAM, Last_Event_ID=str(last))
    assert [number for number, _, _ in take(second, 1)] == [6]
    second.close()


def test_a_token_revoked_at_one_process_is_refused_at_the_other(hosts: tuple[Seat, Seat]) -> None:
    bo = hosts[1].seats[2]
    assert bo.get().status_code == 200
    stream = bo.get("/events", Accept=STREAM, Last_Event_ID="5")
    hosts[0].delete(f"/tokens/{hosts[0].seats[2].token_id()}")
    problem(bo.post("/moves", {"move": "play", "card": "red-1"}), 401, "not-authenticated")
    problem(bo.get(), 401, "not-authenticated")
    assert [kind for _, kind, _ in read(stream)][-1] == "revoked"
    assert hosts[1].state()["top"] == "red-7"


def test_a_revoked_token_is_refused_by_a_process_that_let_go_of_the_table(
    apps: tuple[Flask, Flask], hosts: tuple[Seat, Seat], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.service.log.event_log.SNAPSHOT_EVERY", 8)
    bo = hosts[1].seats[2]
    assert bo.get().status_code == 200
    event_log(apps[1]).cache.clear()
    hosts[0].delete(f"/tokens/{hosts[0].seats[2].token_id()}")
    for _ in range(4):
        assert hosts[0].post("/moves", {"seat": 3, "move": "uno"}).status_code == 201
    assert event_log(apps[0]).reader.snapshot(hosts[0].table) is not None
    problem(bo.get(), 401, "not-authenticated")


def test_a_host_made_at_one_process_hosts_at_the_other(hosts: tuple[Seat, Seat]) -> None:
    bo = hosts[1].seats[2]
    assert bo.get().status_code == 200
    fix = {"kind": "hand-count", "seat": 3, "count": 5}
    path = f"{API}/tables/{hosts[0].table}/seats/2/host"
    assert hosts[0].call("PUT", path).status_code == 200
    assert bo.post("/moves", {"seat": 3, "move": "uno"}).status_code == 201
    hosts[0].call("DELETE", path)
    problem(bo.post("/corrections", fix), 403, "forbidden")
    hosts[0].call("PUT", path)
    assert bo.post("/corrections", fix).status_code == 201


def test_a_secret_renewed_at_one_process_is_void_at_the_other(hosts: tuple[Seat, Seat]) -> None:
    bo = hosts[1].seats[2]
    assert bo.get().status_code == 200
    stream = bo.get("/events", Accept=STREAM, Last_Event_ID="5")
    ticket = bo.post("/stream-tickets").get_json()["ticket"]
    renewed = hosts[0].seats[2].post("/tokens/self/rotation")
    assert renewed.status_code == 201, renewed.text
    problem(bo.post("/moves", {"move": "play", "card": "red-1"}), 401, "not-authenticated")
    problem(bo.get(), 401, "not-authenticated")
    path = f"{API}/tables/{bo.table}/events?ticket={ticket}"
    problem(bo.client.get(path, headers={"Accept": STREAM}), 401, "not-authenticated")
    assert [kind for _, kind, _ in read(stream)][-1] == "revoked"
    bo.token = renewed.get_json()["token"]
    assert bo.move(2, "play", card="red-1")["ruling"]["verdict"] == "legal"


def test_a_purged_table_is_gone_from_both(
    apps: tuple[Flask, Flask], hosts: tuple[Seat, Seat]
) -> None:
    stream = hosts[1].get("/events", Accept=STREAM, Last_Event_ID="5")
    assert purge_tables(event_log(apps[0]), [hosts[0].table]) == 1
    assert [kind for _, kind, _ in read(stream)][-1] == "revoked"
    assert hosts[1].get().status_code in (401, 404)


def test_a_seat_freed_at_one_process_is_taken_at_the_other(
    apps: tuple[Flask, Flask], hosts: tuple[Seat, Seat]
) -> None:
    hosts[0].delete(f"/tokens/{hosts[0].seats[2].token_id()}")
    join = {"code": hosts[0].get().get_json()["code"], "seat": 2}
    client = apps[1].test_client()
    assert client.post(f"{API}/join", json=join).status_code == 201
    problem(apps[0].test_client().post(f"{API}/join", json=join), 409, "seat-taken")


def test_a_ticket_is_redeemed_once_at_any_process(
    apps: tuple[Flask, Flask], hosts: tuple[Seat, Seat]
) -> None:
    ticket = hosts[0].post("/stream-tickets").get_json()["ticket"]
    path = f"{API}/tables/{hosts[0].table}/events?ticket={ticket}"
    answer = apps[1].test_client().get(path, headers={"Accept": STREAM})
    assert take(answer, 1)[0][1] == "created"
    answer.close()
    refused = apps[0].test_client().get(path, headers={"Accept": STREAM})
    said = problem(refused, 401, "not-authenticated")
    assert said["detail"] == "The ticket was used or has expired: take a new one."


def test_a_device_is_seen_by_both(apps: tuple[Flask, Flask]) -> None:
    host = open_table(apps[0].test_client(), "power-grab")
    made = host.post("/devices", {"name": "Board", "kind": "board"}).get_json()
    board = Seat(apps[0].test_client(), made["token"], host.table)
    board.get()
    seen = event_log(apps[0]).last_seen(made["device"])
    assert seen is not None
    until(lambda: event_log(apps[1]).last_seen(made["device"]) is not None)
    heard = event_log(apps[1]).last_seen(made["device"])
    assert heard is not None
    assert heard <= seen


def test_a_phone_is_heard_of_by_both(
    apps: tuple[Flask, Flask], hosts: tuple[Seat, Seat], monkeypatch: pytest.MonkeyPatch
) -> None:
    host, other = hosts
    other.get()
    token = host.token_id()
    later = presence.monotonic() + presence.SILENT_AFTER + 1
    monkeypatch.setattr(presence, "monotonic", lambda: later)
    there = event_log(apps[1]).table(host.table).presence
    assert there.is_silent(token)
    host.get()
    until(lambda: not there.is_silent(token))


def test_news_that_was_lost_is_found(
    apps: tuple[Flask, Flask], hosts: tuple[Seat, Seat], monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = hosts[0].get("/events", Accept=STREAM, Last_Event_ID="5")
    reader = (item for item in read(stream) if item[0])
    monkeypatch.setattr(event_log(apps[1])._notifications, "send", lambda name, value: None)
    hosts[1].move(2, "play", card="red-1")
    assert next(reader)[0] == 6
    stream.close()


def test_a_promise_made_at_one_process_is_known_to_the_other(
    apps: tuple[Flask, Flask], hosts: tuple[Seat, Seat]
) -> None:
    made = hosts[0].post("/devices", {"name": "Camera", "kind": "camera"}).get_json()
    camera = Seat(hosts[0].client, made["token"], hosts[0].table)

    def told() -> list[str]:
        items = hosts[1].get("/events?limit=200").get_json()["items"]
        return [item["kind"] for item in items if item["kind"].startswith("device-")][1:]

    assert camera.post("/promises", {"within": 45}).status_code == 200
    until(lambda: made["device"] in event_log(apps[1]).leases.all())
    out_of_time(event_log(apps[1]))
    out_of_time(event_log(apps[0]))
    assert told() == ["device-silent"]
    assert at(apps[1], camera).post("/promises", {"within": 45}).status_code == 200
    assert camera.post("/promises", {"within": 45}).status_code == 200
    assert told() == ["device-silent", "device-heard"]


def test_who_asks_to_be_let_in_is_known_at_both(
    apps: tuple[Flask, Flask], hosts: tuple[Seat, Seat], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = pairing_requests.monotonic()
    monkeypatch.setattr(pairing_requests, "monotonic", lambda: now)
    known = {"token": "c" * 43, "name": "Living room"}
    wish = {"devices": [{"name": "Board, große", "kind": "board"}], "computer": known}
    first, second = hosts
    computer = looking(first)
    asking = computer.post("/pairings", wish).get_json()

    def waiting() -> list[str]:
        return [item["id"] for item in second.get("/pairings").get_json()["items"]]

    # What is told before the other process listens is told again, as a computer does.
    until(lambda: computer.post("/pairings", wish) and waiting() == [asking["id"]])
    refusal = f"/pairings/{asking['id']}"
    assert second.delete(refusal).status_code == 204
    until(lambda: second.delete(refusal) and computer.post("/pairings", wish).status_code == 403)
    computer = looking(first)
    asking = computer.post("/pairings", wish).get_json()
    until(lambda: computer.post("/pairings", wish) and waiting() == [asking["id"]])
    assert second.post(f"/pairings/{asking['id']}/kept", {"key": "k" * 43}).status_code == 201
    [given] = computer.post("/pairings", wish).get_json()["devices"]
    for app in apps:
        place = app.test_client().post(f"{API}/computers/place", json={"token": "c" * 43})
        assert place.get_json()["devices"][0]["token"] == given["token"]
