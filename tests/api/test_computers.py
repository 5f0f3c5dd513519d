"""A computer that a host has let in once comes along to the host's later tables."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from referee.service.devices import computers
from tests.api.conftest import API, Seat, open_table
from tests.api.test_pairings import DEVICES, looking

KEY, OTHER_KEY = "k" * 43, "o" * 43
SECRET = "c" * 43
BODY = {"devices": DEVICES, "computer": {"token": SECRET, "name": "Pi"}}
NOWHERE = {"known": True, "table_id": None, "ruleset": None, "devices": []}


def place(client: FlaskClient, secret: str = SECRET) -> Any:
    """Where the computer is to be."""
    answer = client.post(f"{API}/computers/place", json={"token": secret})
    assert answer.status_code == 200, answer.text
    return answer.get_json()


def bring(host: Seat, key: str = KEY, **which: str) -> list[str]:
    """Bring a host's computers to a table; return where each is."""
    answer = host.post("/computers", {"key": key, **which})
    assert answer.status_code == 200, answer.text
    return [item["place"] for item in answer.get_json()["items"]]


def let_in(host: Seat, key: str = KEY) -> list[Any]:
    """Let the computer in, to come along later; return its devices."""
    computer = looking(host)
    asking = computer.post("/pairings", BODY).get_json()
    assert asking["devices"] == []
    [waiting] = host.get("/pairings").get_json()["items"]
    assert waiting["computer"] == "Pi"
    assert host.post(f"/pairings/{asking['id']}/kept", {"key": key}).status_code == 201
    given = computer.post("/pairings", BODY).get_json()["devices"]
    assert [one["table_id"] for one in given] == [host.table] * 2
    return list(given)


def devices(host: Seat) -> list[str]:
    """The devices of a table that were not taken out."""
    items = host.get("/devices").get_json()["items"]
    return [item["id"] for item in items if not item["revoked"]]


def test_it_comes_along_to_the_next_table(client: FlaskClient) -> None:
    first = open_table(client, opening=None)
    given = let_in(first)
    # Asked for again, it is the same devices.
    there = place(client)
    assert (there["known"], there["table_id"], there["ruleset"]) == (
        True,
        first.table,
        "classic-108",
    )
    assert [device["token"] for device in there["devices"]] == [one["token"] for one in given]
    assert [{"name": one["name"], "kind": one["kind"]} for one in there["devices"]] == DEVICES
    second = open_table(client, opening=None)
    assert bring(second, which="none") == ["elsewhere"]
    assert bring(second) == ["coming"]
    # Nothing is registered for a computer that is switched off.
    assert devices(second) == []
    there = place(client)
    assert there["table_id"] == second.table
    assert bring(second) == ["here"]
    assert place(client) == there
    assert devices(second) == [one["device"] for one in there["devices"]]
    camera = Seat(client, there["devices"][1]["token"], second.table)
    assert camera.post("/promises", {"within": 45}).status_code == 200
    # Back at the first one, it is the devices that are there already.
    assert bring(first) == ["here"]
    assert [one["token"] for one in place(client)["devices"]] == [one["token"] for one in given]
    assert len(devices(first)) == 2


def test_a_stranger_brings_nothing_and_is_told_nothing(client: FlaskClient) -> None:
    host = open_table(client, opening=None)
    let_in(host)
    stranger = open_table(client, opening=None)
    assert bring(stranger, OTHER_KEY) == []
    assert place(client)["table_id"] == host.table
    assert place(client, "x" * 43) == {**NOWHERE, "known": False}
    [one] = host.post("/computers", {"key": KEY}).get_json()["items"]
    for which in ({"key": OTHER_KEY, "which": one["id"]}, {"key": KEY, "which": "none"}):
        assert stranger.post("/computers/forgotten", which).status_code == 404
    assert bring(stranger, OTHER_KEY, which=one["id"]) == []
    assert place(client)["table_id"] == host.table


def test_a_round_keeps_it_unless_its_host_says_otherwise(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = open_table(client, opening=("red-7",))
    given = let_in(first)
    Seat(client, given[0]["token"], first.table).post("/promises", {"within": 45})
    second = open_table(client, opening=None)
    assert bring(second) == ["busy"]
    assert place(client)["table_id"] == first.table
    [one] = second.post("/computers", {"key": KEY, "which": "none"}).get_json()["items"]
    assert bring(second, which=one["id"]) == ["coming"]
    assert place(client)["table_id"] == second.table
    # Unless it has long been silent.
    assert bring(first, which=one["id"]) == ["here"]
    monkeypatch.setattr(computers, "HEARD", -1.0)
    assert bring(second) == ["here"]


def test_another_host_cannot_take_it_from_a_round(client: FlaskClient) -> None:
    anns, bos = open_table(client, opening=None), open_table(client, opening=("red-7",))
    let_in(anns)
    given = let_in(bos, OTHER_KEY)
    Seat(client, given[0]["token"], bos.table).post("/promises", {"within": 45})
    [one] = anns.post("/computers", {"key": KEY, "which": "none"}).get_json()["items"]
    assert one["place"] == "busy"
    assert bring(anns, which=one["id"]) == ["busy"]
    assert place(client)["table_id"] == bos.table


def test_what_a_host_has_taken_out_stays_out_until_it_is_brought_again(
    client: FlaskClient,
) -> None:
    host = open_table(client, opening=None)
    given = let_in(host)
    for one in given:
        host.delete(f"/devices/{one['device']}")
    assert place(client) == NOWHERE
    assert devices(host) == []
    assert bring(host, which="none") == ["elsewhere"]
    assert bring(host) == ["coming"]
    again = place(client)["devices"]
    assert len(devices(host)) == 2
    assert {one["token"] for one in again}.isdisjoint(one["token"] for one in given)


def test_it_is_here_as_long_as_one_of_its_devices_is(client: FlaskClient) -> None:
    host = open_table(client, opening=None)
    board, camera = let_in(host)
    host.delete(f"/devices/{camera['device']}")
    assert bring(host, which="none") == ["here"]
    # The other device hears of it, by which the gateway of both does.
    heard = Seat(client, board["token"], host.table).get("/events?limit=200").get_json()["items"]
    assert heard[-1]["kind"] == "token-revoked"
    # What was taken out stays out.
    there = place(client)
    assert [device["token"] for device in there["devices"]] == [board["token"]]
    assert bring(host) == ["here"]
    assert devices(host) == [board["device"]]
    # Let in again, it has the camera, too, and no second board.
    computer = looking(host)
    asking = computer.post("/pairings", BODY).get_json()["id"]
    assert host.post(f"/pairings/{asking}/kept", {"key": KEY}).status_code == 201
    again = computer.post("/pairings", BODY).get_json()["devices"]
    assert again[0]["token"] == board["token"]
    assert [one["token"] for one in place(client)["devices"]] == [one["token"] for one in again]
    assert devices(host) == [one["device"] for one in again]
    for one in again:
        host.delete(f"/devices/{one['device']}")
    assert bring(host, which="none") == ["elsewhere"]
    assert place(client) == NOWHERE


def test_who_is_a_host_no_more_has_brought_nothing(client: FlaskClient) -> None:
    first, second = open_table(client, opening=None), open_table(client, opening=None)
    let_in(first)
    other = second.post("/tokens", {"role": "host"}).get_json()
    assert bring(Seat(client, other["token"], second.table)) == ["coming"]
    second.delete(f"/tokens/{other['token_id']}")
    assert place(client) == NOWHERE
    assert devices(second) == []


def test_it_is_forgotten(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    secret, key = "f" * 43, "g" * 43
    monkeypatch.setitem(BODY, "computer", {"token": secret, "name": "Pi"})
    host = open_table(client, opening=None)
    let_in(host, key)
    [one] = host.post("/computers", {"key": key, "which": "none"}).get_json()["items"]
    body = {"key": key, "which": one["id"]}
    assert host.post("/computers/forgotten", body).status_code == 204
    assert bring(host, key) == []
    assert place(client, secret)["known"] is False
    # What it has at this table, the host takes out as any device.
    assert len(devices(host)) == 2


def test_one_that_does_not_say_who_it_is_comes_for_this_table_alone(client: FlaskClient) -> None:
    host = open_table(client, opening=None)
    asking = looking(host).post("/pairings", {"devices": DEVICES}).get_json()["id"]
    assert host.get("/pairings").get_json()["items"][0]["computer"] is None
    assert host.post(f"/pairings/{asking}/kept", {"key": KEY}).status_code == 409
    assert host.post(f"/pairings/{asking}").status_code == 201


def test_a_host_keeps_so_many(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(computers, "MOST", 2)
    for number in range(3):
        host = open_table(client, opening=None)
        monkeypatch.setitem(BODY, "computer", {"token": f"{number}" * 43, "name": "Pi"})
        let_in(host)
    assert len(bring(host, which="none")) == 2
    assert [place(client, f"{number}" * 43)["known"] for number in range(3)] == [False, True, True]


def test_computers_of_one_name_keep_their_numbers(client: FlaskClient) -> None:
    host, key, secrets = open_table(client, opening=None), "n" * 43, ("x" * 43, "y" * 43, "z" * 43)

    def known() -> dict[str, str]:
        items = host.post("/computers", {"key": key, "which": "none"}).get_json()["items"]
        return {item["name"]: item["id"] for item in items}

    def comes(secret: str) -> None:
        body = {**BODY, "computer": {"token": secret, "name": "Pi"}}
        asking = looking(host).post("/pairings", body).get_json()["id"]
        assert host.post(f"/pairings/{asking}/kept", {"key": key}).status_code == 201

    comes(secrets[0])
    comes(secrets[1])
    first, second = known().items()
    assert (first[0], second[0]) == ("Pi", "Pi 2")
    assert host.post("/computers/forgotten", {"key": key, "which": first[1]}).status_code == 204
    # Let in again, it is what it was; another one takes the name that is free.
    for device in place(client, secrets[1])["devices"]:
        assert host.delete(f"/devices/{device['device']}").status_code == 200
    comes(secrets[1])
    assert known() == dict([second])
    comes(secrets[2])
    newest, still = known().items()
    assert (newest[0], still) == ("Pi", second)


def test_a_short_secret_is_refused(client: FlaskClient) -> None:
    assert client.post(f"{API}/computers/place", json={"token": "short"}).status_code == 422
