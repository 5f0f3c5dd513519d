"""People join by themselves, with the code and a name of their own."""

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.api.conftest import API, Seat, open_table
from tests.api.reloaded import reloaded
from tests.api.seating import finish_round, join
from tests.api.test_bad_input import problem

KEY = "a-key-that-nobody-guesses"


def open_to_all(client: FlaskClient, *names: str) -> Seat:
    """Make a table at which people seat themselves; return its host."""
    body = {"ruleset": "classic-108", "seats": list(names), "open": True}
    made = client.post(f"{API}/tables", json=body)
    assert made.status_code == 201, made.text
    table = made.get_json()["table"]
    assert (table["open"], table["asking"]) == (True, [])
    return Seat(client, made.get_json()["token"], table["id"])


def come(host: Seat, name: str, **headers: str) -> Any:
    """Join with a name."""
    body = {"code": host.get().get_json()["code"], "name": name}
    return Seat(host.client).call("POST", f"{API}/join", body, **headers)


def seats_in(host: Seat) -> list[tuple[str, bool]]:
    return [(seat["name"], seat["taken"]) for seat in host.get().get_json()["seats"]]


@pytest.mark.parametrize("names", [(), ("Ann",)])
def test_an_open_table_fills_by_itself(
    app: Flask, client: FlaskClient, names: tuple[str, ...]
) -> None:
    host = open_to_all(client, *names)
    for name in ("Ann", "Bo", "Cy"):
        joined = come(host, name)
        assert joined.status_code == 201, joined.text
        host.seats[joined.get_json()["seat"]] = Seat(client, joined.get_json()["token"], host.table)
    assert seats_in(host) == [("Ann", True), ("Bo", True), ("Cy", True)]
    assert host.post("/rounds", {"opening": ["red-7"], "dealer": 1}).status_code == 201
    host.move(2, "play", card="red-9")
    finish_round(host)
    # A fourth comes between rounds.
    assert come(host, "Di").get_json()["seat"] == 4
    assert host.get().get_json()["order"] == [1, 2, 3, 4]
    reloaded(app, host)
    record = host.get("/record").get_json()
    again = client.post(f"{API}/records", json=record)
    assert again.status_code == 201, again.text
    assert again.get_json()["table"]["state"]["scores"][:3] == host.state()["scores"][:3]


def test_a_round_needs_two(client: FlaskClient) -> None:
    host = open_to_all(client, "Ann")
    problem(host.post("/rounds", {"opening": ["red-7"], "dealer": 1}), 422, "invalid-request")
    body = {"ruleset": "classic-108", "seats": ["Ann"]}
    problem(client.post(f"{API}/tables", json=body), 422, "invalid-request")


def test_a_seat_that_waits_for_a_name_is_its(client: FlaskClient) -> None:
    host = open_to_all(client, "Ann", "Bo")
    assert come(host, "Bo").get_json()["seat"] == 2
    problem(come(host, "В\u043e"), 422, "invalid-request")
    body = {"code": host.get().get_json()["code"], "name": "Di", "seat": 1}
    problem(client.post(f"{API}/join", json=body), 422, "invalid-request")


@pytest.mark.parametrize("opening", [None, ("red-7",)])
def test_whose_phone_is_lost_asks_for_the_seat_with_another_one(
    app: Flask, client: FlaskClient, opening: tuple[str, ...] | None
) -> None:
    host = open_table(client, opening=opening)
    lost = next(item for item in host.get("/tokens").get_json()["items"] if item["seat"] == 2)
    asked = come(host, "Bo").get_json()
    assert (asked["role"], asked["seat"]) == ("spectator", None)
    problem(come(host, "Bo"), 409, "conflict")
    if opening is None:
        # Somebody else who is let in meanwhile answers nothing.
        join(host, name="Di")
    reloaded(app, host)
    assert host.get().get_json()["asking"] == ["Bo"]
    assert host.delete(f"/tokens/{lost['id']}").status_code == 200
    assert come(host, "Bo").get_json()["seat"] == 2


def test_a_repeated_joining_is_one(client: FlaskClient) -> None:
    host = open_to_all(client, "Ann")
    first = come(host, "Bo", Idempotency_Key=KEY).get_json()
    assert come(host, "Bo", Idempotency_Key=KEY).get_json() == first
    assert seats_in(host) == [("Ann", False), ("Bo", True)]
    problem(come(host, "Cy", Idempotency_Key=KEY), 422, "key-reused")


def test_who_comes_during_a_round_asks_and_is_in_with_the_next(client: FlaskClient) -> None:
    host = open_to_all(client, "Ann", "Bo")
    host.post("/rounds", {"opening": ["red-7"], "dealer": 1})
    asked = come(host, "Di").get_json()
    assert (asked["role"], asked["seat"]) == ("spectator", None)
    assert host.get().get_json()["asking"] == ["Di"]
    # It is only a spectator's token.
    asker = Seat(client, asked["token"], host.table)
    problem(asker.post("/moves", {"seat": 1, "move": "draw"}), 403, "forbidden")
    problem(come(host, "Di"), 409, "conflict")
    finish_round(host)
    assert come(host, "Di").get_json()["seat"] == 3
    assert host.get().get_json()["asking"] == []


def test_a_table_that_is_not_open_is_asked(app: Flask, client: FlaskClient) -> None:
    host = open_table(client, opening=None)
    for name in ("Di", "Ed"):
        assert come(host, name).get_json()["role"] == "spectator"
    assert host.get().get_json()["asking"] == ["Di", "Ed"]
    reloaded(app, host)
    # The host lets Di in, whose phone then takes the seat, and refuses Ed.
    join(host, name="Di")
    assert host.get().get_json()["asking"] == ["Ed"]
    assert come(host, "Di").get_json()["seat"] == 4
    items = host.get("/tokens").get_json()["items"]
    refused = next(item["id"] for item in items if item["name"] == "Ed")
    assert host.delete(f"/tokens/{refused}").status_code == 200
    assert host.get().get_json()["asking"] == []


def test_as_many_ask_as_can_sit(client: FlaskClient) -> None:
    host = open_to_all(client, "Ann", "Bo")
    host.post("/rounds", {"opening": ["red-7"], "dealer": 1})
    for number in range(10):
        assert come(host, f"Guest {number}").status_code == 201
    problem(come(host, "One more"), 409, "conflict")
    finish_round(host)
    for number in range(8):
        assert come(host, f"Guest {number}").get_json()["role"] == "seat"
    problem(come(host, "Guest 8"), 409, "conflict")


@pytest.mark.parametrize("is_open", [False, True])
def test_nobody_asks_for_a_seat_of_a_table_with_teams(client: FlaskClient, is_open: bool) -> None:
    teams = {"teams": [[1, 3], [2, 4]]}
    body = {"ruleset": "classic-108", "seats": ["Ann", "Bo", "Cy", "Di"], "options": teams}
    made = client.post(f"{API}/tables", json={**body, "open": is_open}).get_json()
    host = Seat(client, made["token"], made["table"]["id"])
    told = "An diesem Tisch wird in Teams gespielt: Es kann kein Platz dazukommen."
    added = host.post("/seats", {"name": "Ed"}, Accept_Language="de")
    problem(added, 409, "conflict")
    assert added.get_json()["detail"] == told
    for _ in ("between rounds", "in a round"):
        refused = come(host, "Ed", Accept_Language="de")
        problem(refused, 409, "conflict")
        assert refused.get_json()["detail"] == told
        host.post("/rounds", {"opening": ["red-7"], "dealer": 1})
    assert host.state()["turn"] == 2
    assert host.get().get_json()["asking"] == []
    # A seat of a team that is free is taken by its name.
    assert come(host, "Bo").get_json()["seat"] == 2


def test_a_tournament_seats_its_own(client: FlaskClient) -> None:
    body = {"name": "Evening", "ruleset": "classic-108", "players": ["Ann", "Bo", "Cy", "Di"]}
    made = client.post(f"{API}/tournaments", json=body).get_json()
    organiser = Seat(client, made["token"])
    path = f"{API}/tournaments/{made['tournament']['id']}"
    organiser.call("POST", f"{path}/rounds", {})
    started = organiser.call("POST", f"{path}/rounds/1/start", {}).get_json()
    code = started["tables"][0]["code"]
    problem(client.post(f"{API}/join", json={"code": code, "name": "Ed"}), 409, "conflict")
