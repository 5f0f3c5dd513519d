"""A computer asks to join with its devices, and a host agrees on the phone."""

import time
from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from referee.service.log import pairing_requests
from tests.api.conftest import API, Seat, open_table

DEVICES = [{"name": "Board", "kind": "board"}, {"name": "Camera", "kind": "camera"}]
BODY = {"devices": DEVICES}


@pytest.fixture(autouse=True)
def _no_time_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    now = pairing_requests.monotonic()
    monkeypatch.setattr(pairing_requests, "monotonic", lambda: now)


def looking(host: Seat) -> Seat:
    """A computer that has typed the join code."""
    return host.join()


def asked(computer: Seat) -> Any:
    answer = computer.post("/pairings", BODY)
    assert answer.status_code == 200, answer.text
    return answer.get_json()


def test_a_host_who_sees_the_number_agrees(client: FlaskClient) -> None:
    host = open_table(client)
    computer = looking(host)
    first = asked(computer)
    assert first["devices"] == []
    assert len(first["digits"]) == 4
    [waiting] = host.get("/pairings").get_json()["items"]
    who = {"id": first["id"], "digits": first["digits"], "seat": None, "phone": False}
    assert waiting == {**who, "computer": None, "devices": DEVICES, "quiet": False}
    assert asked(computer) == first
    assert host.post(f"/pairings/{first['id']}").status_code == 201
    devices = asked(computer)["devices"]
    names = {item["id"]: item["name"] for item in host.get("/devices").get_json()["items"]}
    assert [names[one["device"]] for one in devices] == ["Board", "Camera"]
    for one in devices:
        device = Seat(client, one["token"], host.table)
        assert device.post("/promises", {"within": 45}).status_code == 200
    # Agreed twice, and asked for again, it is the same devices.
    host.post(f"/pairings/{first['id']}")
    assert asked(computer)["devices"] == devices
    assert len(host.get("/devices").get_json()["items"]) == 2


def test_a_host_who_refuses_takes_the_token_back(client: FlaskClient) -> None:
    host = open_table(client)
    computer = looking(host)
    asking = asked(computer)["id"]
    assert host.delete(f"/tokens/{asking}").status_code == 200
    assert computer.post("/pairings", BODY).status_code == 401


def test_a_host_who_refuses_leaves_the_token(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = open_table(client)
    computer = looking(host)
    asking = asked(computer)["id"]
    assert host.delete(f"/pairings/{asking}").status_code == 204
    assert host.get("/pairings").get_json()["items"] == []
    refused = computer.post("/pairings", BODY)
    assert (refused.status_code, refused.get_json()["type"]) == (403, "/problems/forbidden")
    assert refused.get_json()["detail"] == "The host does not let this in."
    assert computer.get().status_code == 200
    assert host.delete(f"/pairings/{asking}").status_code == 404
    later = pairing_requests.monotonic() + pairing_requests.REFUSED_FOR + 1
    monkeypatch.setattr(pairing_requests, "monotonic", lambda: later)
    assert asked(computer)["devices"] == []


def test_a_players_phone_asks_to_be_the_camera_again_and_again(client: FlaskClient) -> None:
    host = open_table(client)
    phone = host.seats[2]
    body = {"devices": [{"name": "Phone", "kind": "camera"}], "phone": True}
    first: str | None = None
    for _ in range(2):
        asking = phone.post("/pairings", body).get_json()
        assert asking["devices"] == []
        [waiting] = host.get("/pairings").get_json()["items"]
        assert (waiting["seat"], waiting["phone"]) == (2, True)
        host.post(f"/pairings/{asking['id']}")
        [device] = phone.post("/pairings", body).get_json()["devices"]
        assert device["device"] != first
        first = device["device"]
        camera = Seat(client, device["token"], host.table)
        assert camera.post("/promises", {"within": 45}).status_code == 200
        # The host takes it away, and is asked once more.
        host.delete(f"/devices/{first}")
    # Its own seat goes on.
    assert phone.get().status_code == 200


def test_a_stream_says_that_somebody_asks(client: FlaskClient) -> None:
    host = open_table(client)
    computer = looking(host)
    log = client.application.extensions["referee"]
    table = log.table(host.table)
    lines = stream_of(client, host, "&pairings=true")
    assert "event: pairings" in next(lines)
    asked(computer)
    before = table.asks
    asked(computer)
    assert table.asks == before
    assert "event: pairings" in next(lines)
    host.delete(f"/pairings/{asked(computer)['id']}")
    assert "event: pairings" in next(lines)
    unasked = stream_of(client, host, "")
    host.post("/devices", DEVICES[0])
    assert "event: device-registered" in next(unasked)


def stream_of(client: FlaskClient, reader: Seat, query: str) -> Iterator[str]:
    """What a stream says from now on, in pieces that belong together."""
    after = reader.get().get_json()["version"]
    answer = client.get(
        f"{API}/tables/{reader.table}/events?after={after}{query}",
        headers={"Authorization": f"Bearer {reader.token}", "Accept": "text/event-stream"},
        buffered=False,
    )
    lines = (bytes(piece).decode() for piece in answer.iter_encoded())
    assert next(lines).startswith("retry:")
    return lines


def test_a_revoked_device_is_not_handed_out_again(client: FlaskClient) -> None:
    host = open_table(client)
    computer = looking(host)
    host.post(f"/pairings/{asked(computer)['id']}")
    device = asked(computer)["devices"][0]["device"]
    assert host.delete(f"/devices/{device}").status_code == 200
    assert asked(computer)["devices"] == []


def test_who_no_longer_asks_is_forgotten(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = open_table(client)
    asking = asked(looking(host))["id"]
    later = pairing_requests.monotonic() + pairing_requests.PATIENCE + 1
    monkeypatch.setattr(pairing_requests, "monotonic", lambda: later)
    assert host.get("/pairings").get_json()["items"] == []
    missing = host.post(f"/pairings/{asking}")
    assert (missing.status_code, missing.get_json()["type"]) == (404, "/problems/not-found")


def test_one_tables_computers_do_not_ask_at_another(client: FlaskClient) -> None:
    host, other = open_table(client), open_table(client)
    asking = asked(looking(host))["id"]
    assert other.get("/pairings").get_json()["items"] == []
    assert other.post(f"/pairings/{asking}").status_code == 404


def at(computer: Seat, address: str, body: Any = BODY) -> TestResponse:
    """Ask from an address."""
    path = f"{API}/tables/{computer.table}/pairings"
    headers = {"Authorization": f"Bearer {computer.token}"}
    sender = {"REMOTE_ADDR": address}
    return computer.client.post(path, json=body, headers=headers, environ_base=sender)


def waiting(host: Seat) -> list[Any]:
    return host.get("/pairings").get_json()["items"]


def test_a_stranger_does_not_keep_the_computer_beside_the_table_out(client: FlaskClient) -> None:
    host = open_table(client)
    strangers = [looking(host) for _ in range(pairing_requests.MOST_FROM_ONE + 1)]
    *first, last = [at(stranger, "203.0.113.7") for stranger in strangers]
    assert ({one.status_code for one in first}, last.status_code) == ({200}, 409)
    assert last.get_json()["detail"] == "Too many at this address ask to be let in."
    # Those that ask already go on asking.
    assert at(strangers[0], "203.0.113.7").status_code == 200
    real = at(looking(host), "192.168.1.30")
    assert real.status_code == 200
    assert real.get_json()["digits"] in [one["digits"] for one in waiting(host)]


def test_who_fills_a_table_makes_way_for_another_address(client: FlaskClient) -> None:
    host = open_table(client)
    strangers = [(looking(host), f"203.0.113.{n % 3}") for n in range(12)]
    assert {at(*stranger).status_code for stranger in strangers} == {200}
    real = looking(host)
    mine = at(real, "192.168.1.30").get_json()
    assert len(waiting(host)) == pairing_requests.MOST_ASKING
    assert mine["id"] in [one["id"] for one in waiting(host)]
    # One of the others has gone, and does not push anybody out in turn.
    assert sorted(at(*one).status_code for one in strangers) == [200] * 11 + [409]
    assert at(real, "192.168.1.30").get_json() == mine
    # A player's phone has room at any time.
    phone = {"devices": [{"name": "Phone", "kind": "camera"}], "phone": True}
    assert at(host.seats[2], "203.0.113.0", phone).status_code == 200


def test_after_a_refusal_an_address_is_quiet(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = open_table(client)
    at(looking(host), "203.0.113.7")
    [first] = waiting(host)
    assert not first["quiet"]
    host.delete(f"/pairings/{first['id']}")
    assert at(looking(host), "203.0.113.7").status_code == 200
    assert at(looking(host), "203.0.113.7").status_code == 409
    at(looking(host), "192.168.1.30")
    assert sorted(one["quiet"] for one in waiting(host)) == [False, True]
    later = pairing_requests.monotonic() + pairing_requests.QUIET_FOR + 1
    monkeypatch.setattr(pairing_requests, "monotonic", lambda: later)
    at(looking(host), "203.0.113.7")
    assert [one["quiet"] for one in waiting(host)] == [False]


def test_a_host_refuses_all_and_changes_the_code(client: FlaskClient) -> None:
    host = open_table(client)
    strangers = [looking(host) for _ in range(6)]
    for stranger in strangers[:3]:
        at(stranger, "203.0.113.7")
    assert host.delete("/pairings").status_code == 204
    assert waiting(host) == []
    assert at(strangers[0], "203.0.113.7").status_code == 403
    time.sleep(0.002)
    host.post("/join-code")
    # Tokens that the old code gave ask no more, however many were put aside.
    refused = at(strangers[5], "203.0.113.7")
    assert refused.status_code == 403
    told = "The join code has changed: join again with the new one."
    assert refused.get_json()["detail"] == told
    assert at(looking(host), "203.0.113.7").status_code == 200
    phone = {"devices": [{"name": "Phone", "kind": "camera"}], "phone": True}
    assert at(host.seats[2], "203.0.113.7", phone).status_code == 200


def test_a_refused_players_phone_asks_anew(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = open_table(client)
    phone = {"devices": [{"name": "Phone", "kind": "camera"}], "phone": True}
    asking = host.seats[2].post("/pairings", phone).get_json()["id"]
    host.delete(f"/pairings/{asking}")
    refused = host.seats[2].post("/pairings", phone)
    body = refused.get_json()
    assert (refused.status_code, body["retry_after"]) == (403, 30)
    told = "The host does not want this phone as the camera. Ask again in 30 s."
    assert body["detail"] == told
    # Others are not quiet for it.
    assert host.seats[3].post("/pairings", phone).status_code == 200
    later = pairing_requests.monotonic() + pairing_requests.REFUSED_FOR + 1
    monkeypatch.setattr(pairing_requests, "monotonic", lambda: later)
    assert host.seats[2].post("/pairings", phone).status_code == 200
    assert [(one["seat"], one["quiet"]) for one in waiting(host)] == [(2, True)]


@pytest.mark.parametrize(
    "devices", [[{"name": "Board", "kind": "board"}], [{"name": "Eye", "kind": "camera"}] * 2]
)
def test_a_phone_brings_one_camera(client: FlaskClient, devices: Any) -> None:
    answer = looking(open_table(client)).post("/pairings", {"devices": devices, "phone": True})
    assert answer.status_code == 422
    assert answer.get_json()["errors"][0]["field"] == "devices"


@pytest.mark.parametrize("name", ["vm\u202emac", "v\x07m", "  ", "a\u2028b"])
def test_a_name_that_people_cannot_read(client: FlaskClient, name: str) -> None:
    host = open_table(client)
    computer = {"token": "c" * 43, "name": name}
    for body in (BODY | {"computer": computer}, {"devices": [{"name": name, "kind": "board"}]}):
        assert looking(host).post("/pairings", body).status_code == 422
    assert host.post("/devices", {"name": name, "kind": "board"}).status_code == 422


@pytest.mark.parametrize(
    "devices", [[], DEVICES * 3, [{"name": "Eye", "kind": "ear"}], [{"kind": "board"}], "board"]
)
def test_what_is_no_list_of_devices(client: FlaskClient, devices: Any) -> None:
    answer = looking(open_table(client)).post("/pairings", {"devices": devices})
    assert answer.status_code == 422
