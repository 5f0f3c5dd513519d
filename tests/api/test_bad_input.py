"""Invalid requests get a clear problem and change nothing; test_helpful_errors.py has the words."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.api.conftest import API, Seat, open_table

JSON = {"Content-Type": "application/json"}


def problem(answer: Any, status: int, kind: str) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    assert answer.mimetype == "application/problem+json"
    body = answer.get_json()
    assert body["type"] == f"/problems/{kind}"
    assert body["status"] == status
    assert body["detail"]
    return body


def fields(body: dict[str, Any]) -> list[str]:
    return [error["field"] for error in body["errors"]]


def raw(host: Seat, path: str, data: bytes, **headers: str) -> Any:
    sent = {**JSON, "Authorization": f"Bearer {host.token}", **headers}
    return host.client.post(f"{API}/tables/{host.table}{path}", data=data, headers=sent)


@pytest.mark.parametrize(
    "data",
    [
        b'{"move":',
        b"",
        b"\xff\xfe",
        b'{"move": NaN}',
        b"[" * 10_000,
        b'{"move": "play", "card": "\\ud800"}',
        b'{"move": "play", "card": "a\\u0000"}',
        b"1" * 5000,
    ],
    ids=["cut", "empty", "not UTF-8", "NaN", "deep", "surrogate", "NUL", "huge number"],
)
@pytest.mark.parametrize("path", ["/moves", "/rounds"])
def test_broken_json(host: Seat, path: str, data: bytes) -> None:
    before = host.get().get_json()
    problem(raw(host, path, data), 400, "malformed-json")
    assert host.get().get_json() == before


def test_a_body_of_ten_megabytes(host: Seat) -> None:
    body = problem(raw(host, "/moves", b'"' + b"a" * 10_000_000 + b'"'), 413, "too-large")
    assert body["title"] == "The body is too large"


@pytest.mark.parametrize(
    ("move", "field"),
    [
        ([], "move"),
        ({}, "move"),
        ({"move": "fly", "seat": 1}, "move"),
        ({"move": "play", "seat": 2}, "card"),
        ({"move": "play", "seat": 2, "card": "wild", "color": "pink"}, "color"),
        ({"move": "play", "seat": 2, "card": "red-1", "why": 1}, "why"),
        ({"move": "draw", "seat": 4}, "seat"),
        ({"move": "draw"}, "seat"),
        ({"move": "reveal", "seat": 1, "hand": ["red-1"] * 500}, "hand"),
        ({"move": "reveal", "seat": 1, "hand": "red-1"}, "hand"),
        ({"move": "reveal", "seat": 1, "hand": [None]}, "hand[0]"),
        ({"move": "catch", "seat": 1, "accused": 9}, "accused"),
        ({"move": "discard", "seat": 1}, "cards"),
        ({"move": "draw", "seat": 2, "ruled": "legal"}, "move"),
        ({"move": "hand-count", "seat": 2, "count": 3}, "move"),
    ],
)
def test_a_move_that_cannot_be_read(host: Seat, move: Any, field: str) -> None:
    before = host.get().get_json()
    body = problem(host.post("/moves", move), 422, "invalid-request")
    assert fields(body) == [field]
    assert host.get().get_json() == before


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"seats": ["Ann"]}, "seats"),
        ({"seats": [f"P{n}" for n in range(11)]}, "seats"),
        ({"seats": ["Ann", "Bo", "Ann"]}, "seats[2]"),
        ({"seats": ["Ann", ""]}, "seats.1"),
        ({"ruleset": 5}, "ruleset"),
        ({"options": {"target": 0}}, "options.target"),
        ({"options": {"tower_claim": "must-move"}}, "options.tower_claim"),
    ],
)
def test_a_table_that_cannot_be_made(
    client: FlaskClient, change: dict[str, Any], field: str
) -> None:
    body = {"ruleset": "classic-108", "seats": ["Ann", "Bo"], **change}
    answer = problem(client.post(f"{API}/tables", json=body), 422, "invalid-request")
    assert fields(answer) == [field]


@pytest.mark.parametrize(
    ("body", "field", "rule"),
    [
        ({"opening": ["wild-draw-four"], "dealer": 1}, "opening[0]", "opening.wild-draw-four"),
        ({"opening": ["red-7", "red-8"], "dealer": 1}, "opening[0]", "setup.opening"),
        ({"opening": ["pink-7"], "dealer": 1}, "opening[0]", "deck.unknown"),
        ({"opening": ["red-7"]}, "dealer", "setup.dealer"),
        ({"opening": ["red-7"], "dealer": 9}, "dealer", None),
        ({"opening": [], "dealer": 1}, "opening", None),
    ],
)
def test_a_round_that_cannot_begin(
    client: FlaskClient, body: dict[str, Any], field: str, rule: str | None
) -> None:
    host = open_table(client, opening=None)
    answer = problem(host.post("/rounds", body), 422, "invalid-request")
    assert fields(answer) == [field]
    assert answer.get("rule") == rule
    assert host.get().get_json()["round"] == 0


def test_moves_wait_for_the_first_round(client: FlaskClient) -> None:
    host = open_table(client, opening=None)
    problem(host.post("/moves", {"seat": 2, "move": "draw"}), 409, "conflict")
    assert host.get("/record").get_json()["rounds"] == []


def test_a_second_round_waits_for_the_first(host: Seat) -> None:
    problem(host.post("/rounds", {"opening": ["red-1"]}), 409, "conflict")


def test_tokens(host: Seat, client: FlaskClient) -> None:
    other = open_table(client)
    path = f"{API}/tables/{host.table}"
    problem(client.get(path), 401, "not-authenticated")
    problem(client.get(path, headers={"Authorization": "Bearer x"}), 401, "not-authenticated")
    problem(client.get(path, headers={"Authorization": "Basic eDp5"}), 401, "not-authenticated")
    problem(other.call("GET", f"{API}/tables/none"), 403, "forbidden")
    assert client.get(path).headers["WWW-Authenticate"].startswith("Bearer")


def test_an_event_of_the_future(host: Seat) -> None:
    for headers in (
        {"Last_Event_ID": "999"},
        {"Last_Event_ID": "999", "Accept": "text/event-stream"},
    ):
        body = problem(host.get("/events", **headers), 422, "invalid-request")
        assert fields(body) == ["Last-Event-ID"]
    problem(host.get("/events", Last_Event_ID="x"), 422, "invalid-request")
    problem(host.get("/events?after=999"), 422, "invalid-request")
    assert fields(problem(host.get("/events?limit=0"), 422, "invalid-request")) == ["limit"]
