"""What an app's developer gets wrong first: each answer says what to put right."""

import json
from typing import Any

import pytest
from flask.testing import FlaskClient

from referee.rules.ruleset import find_ruleset
from referee.rules.suggestions import LONGEST_WORD, closest, closest_card
from referee.texts import languages
from tests.api.conftest import API, Seat, open_table
from tests.tables import tables

CASES = tables(__file__)

NEW = {"ruleset": "classic-108", "seats": ["Ann", "Bo"]}
PLAY = {"seat": 2, "move": "play", "card": "red-3"}
SEEN = {"kind": "pile", "at": "2026-11-21T10:00:00Z", "number": 1, "event": "placed"}
TEXT = json.dumps(NEW)


@pytest.mark.parametrize(
    ("data", "content_type", "status", "says"),
    [
        (TEXT, None, 415, "there is no header Content-Type"),
        (TEXT, "text/plain", 415, "application/json, not as 'text/plain'"),
        ("ruleset=classic-108", "application/x-www-form-urlencoded", 415, "application/json, not"),
        ("", "application/json", 400, "it is empty"),
        ("{'ruleset': 'classic-108'}", "application/json", 400, "double quotes (line 1, column 2)"),
        ('{"ruleset": "moomin",}', "application/json", 400, "trailing comma"),
        ('{\n"mode": True}', "application/json", 400, "small letters (line 2, column 9)"),
        (TEXT.replace("Ann", "Åsa").encode("latin-1"), "application/json", 400, "not UTF-8"),
        (TEXT.encode("utf-16"), "application/json", 400, "not UTF-8"),
        (json.dumps(TEXT), "application/json", 422, "must be an object (sent: '{"),
        (f"[{TEXT}]", "application/json", 422, "must be an object (sent: [{"),
        ('{"mode": "\\u0000"}', "application/json", 400, "a NUL character"),
    ],
)
def test_a_body_that_is_not_json(
    client: FlaskClient, data: Any, content_type: str | None, status: int, says: str
) -> None:
    answer = client.post(f"{API}/tables", data=data, content_type=content_type)
    assert answer.status_code == status
    assert says in answer.get_json()["detail"]


@pytest.mark.parametrize(
    ("path", "change", "field", "says"),
    [*CASES["fields"], ("/moves", {"move": None}, "move", "must be one of play, draw")],
)
def test_a_field_that_is_wrong(
    client: FlaskClient, path: str, change: dict[str, Any], field: str, says: str
) -> None:
    begun = path in ("/moves", "/corrections")
    host = open_table(client, "classic-112", opening=("red-7",) if begun else None)
    if path == "/corrections":
        host.move(2, "draw")
    bodies: dict[str, Any] = {
        "/tables": NEW,
        "/moves": PLAY,
        "/rounds": {"opening": ["red-7"], "dealer": 1},
        "/deal-draws": {"draws": []},
        "/tokens": {},
        "/devices": {"name": "Eye"},
        "/join": {"code": host.get().get_json()["code"]},
        "/check": {"position": "", "move": PLAY},
        "/records/replay": {"format": "referee-record/1", **NEW, "rounds": []},
    }
    if path == "/rounds" and "card" in change:
        bodies[path] = {"dealer": 1}
    method = "PUT" if path == "/seating" else "POST"
    below = "" if path in ("/tables", "/join", "/check", "/records/replay") else host.table
    prefix = f"{API}/tables/{below}" if below else API
    answer = host.call(method, prefix + path, {**bodies.get(path, {}), **change})
    assert answer.status_code == 422, answer.text
    errors = {error["field"]: error["reason"] for error in answer.get_json()["errors"]}
    assert field in errors, errors
    assert says in errors[field]


@pytest.mark.parametrize(
    ("card", "meant"),
    [
        ("red 3", "red-3"),
        ("Red_3", "red-3"),
        ("3-red", "red-3"),
        ("R3", "red-3"),
        ("b 7", "blue-7"),
        ("wild+4", "wild-draw-four"),
        ("draw four wild", "wild-draw-four"),
        ("green +2", "green-draw-two"),
        ("yelow-skip", "yellow-skip"),
        ("dragon", None),
    ],
)
def test_a_card_of_another_spelling(host: Seat, card: str, meant: str | None) -> None:
    ruling = host.move(2, "play", card=card)["ruling"]
    assert ruling["rule"] == "deck.unknown"
    assert (f"Did you mean {meant}?" in ruling["text"]) == (meant is not None)


@pytest.mark.parametrize(
    ("method", "path", "status", "says"),
    CASES["addresses"],
)
def test_an_address_that_is_wrong(
    client: FlaskClient, method: str, path: str, status: int, says: str
) -> None:
    answer = client.open(path, method=method)
    assert answer.status_code == status, answer.text
    assert says in answer.get_json()["detail"]
    assert (status == 405) == ("Allow" in answer.headers)


def test_a_token_that_is_sent_otherwise(host: Seat) -> None:
    path, code = f"{API}/tables/{host.table}", host.get().get_json()["code"]
    for header, says in (
        ({}, "Send the table's token as 'Authorization: Bearer …'."),
        ({"Authorization": str(host.token)}, "Send the table's token as"),
        ({"Authorization": f"Token {host.token}"}, "Send the table's token as"),
        ({"Authorization": f"Bearer {code}"}, "This is a join code: POST /join"),
        ({"Authorization": "Bearer abc"}, "unknown or was revoked"),
    ):
        answer = host.client.get(path, headers=header)
        assert answer.status_code == 401
        assert says in answer.get_json()["detail"]
    in_query = host.client.get(path, query_string={"token": host.token})
    assert "'Authorization: Bearer …'" in in_query.get_json()["detail"]
    assert (
        host.client.get(path, headers={"Authorization": f"bearer {host.token}"}).status_code == 200
    )


def test_headers_of_a_write(host: Seat) -> None:
    move = {"seat": 2, "move": "draw"}
    for value in ("3", "v3", "'3'"):
        answer = host.post("/moves", move, If_Match=value)
        assert answer.status_code == 422
        assert 'such as "12" (sent: ' in answer.get_json()["errors"][0]["reason"]
    assert "without spaces" in host.post("/moves", move, Idempotency_Key="a b").get_json()["detail"]
    assert host.post("/moves", move, Idempotency_Key="k1").status_code == 201
    again = host.post("/moves", {"seat": 2, "move": "pass"}, Idempotency_Key="k1").get_json()
    assert "use a new one for each" in again["detail"]


def test_a_code_that_is_too_short(client: FlaskClient) -> None:
    answer = client.post(f"{API}/join", json={"code": "ABCDEF"})
    assert answer.status_code == 404
    assert "it has 8 characters, not 6" in answer.get_json()["detail"]


def test_an_observation_that_is_wrong(host: Seat) -> None:
    eye = host.device("camera")
    for change, field, says in (
        ({"at": "2026-11-21 10:00"}, "at", "such as 2026-11-21T18:00:00Z"),
        ({"cards": {"Red 3": 0.9}}, "cards.Red 3", "did you mean red-3?"),
        ({"cards": {"red-3": "0.9?"}}, "cards.red-3.value", "must be a number (sent: "),
        ({"event": "place"}, "event", "did you mean placed?"),
        ({"numbr": 1}, "numbr", "did you mean number?"),
    ):
        body = eye.post("/observations", {**SEEN, **change}).get_json()
        errors = {error["field"]: error["reason"] for error in body["errors"]}
        assert says in errors[field], errors


@pytest.mark.parametrize("lang", languages())
def test_suggestions_in_every_language(client: FlaskClient, lang: str) -> None:
    def detail(method: str, path: str, body: Any = None) -> str:
        answer = client.open(f"{API}{path}?lang={lang}", method=method, json=body)
        assert answer.status_code >= 400
        return str(answer.get_json()["detail"])

    assert "power-grab" in detail("POST", "/tables", {**NEW, "ruleset": "uno"})
    assert "classic-108" in detail("POST", "/tables", {**NEW, "ruleset": "clasic-108"})
    assert "/api/v1/tables" in detail("POST", "/table", NEW)
    assert "POST" in detail("GET", "/tables")


def test_suggestions_cost_little_whatever_was_sent() -> None:
    deck = find_ruleset("classic-108").deck.cards
    assert closest("x" * (LONGEST_WORD + 1), deck) is None
    assert closest_card("+4" * 1_000_000, deck) is None
    assert closest(7, deck) is None
    assert closest("red 3", iter(["blue-3", "red-3"])) == "red-3"
