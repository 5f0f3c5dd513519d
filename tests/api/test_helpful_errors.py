"""What an app's developer gets wrong first: each answer says what to put right."""

import json
from typing import Any

import pytest
from flask.testing import FlaskClient

from referee.rules.ruleset import find_ruleset
from referee.rules.suggestions import LONGEST_WORD, closest, closest_card
from referee.texts import languages
from tests.api.conftest import API, Seat, open_table

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
    [
        ("/tables", {"ruleset": "clasic108"}, "ruleset", "did you mean classic-108?"),
        ("/tables", {"ruleset": "uno"}, "ruleset", "(known: classic-108, classic-112, "),
        ("/tables", {"options": {"scorring": "low"}}, "options.scorring", "mean scoring?"),
        ("/tables", {"options": {"scoring": "lowest"}}, "options.scoring", "did you mean low?"),
        ("/tables", {"options": {"target": "500"}}, "options.target", "(sent: '500')"),
        ("/tables", {"players": ["Di"]}, "players", "options, preset, mode, open, timer)"),
        ("/tables", {"seat": ["Di"]}, "seat", "did you mean seats?"),
        ("/tables", {"seats": 3}, "seats", "must be a list (sent: 3)"),
        ("/tables", {"seats": ["Ann", {"name": "Bo"}]}, "seats.1", "must be a text (sent: {"),
        ("/tables", {"mode": "scores"}, "mode", "referee, score (did you mean score?"),
        ("/moves", {"move": "plya"}, "move", "(did you mean play?)"),
        ("/moves", {"move": None}, "move", "must be one of play, draw"),
        ("/moves", {"colour": "red"}, "colour", "did you mean color?"),
        ("/moves", {"color": "Red"}, "color", "did you mean red?"),
        ("/moves", {"card": {"number": 3}}, "card", "such as red-7"),
        ("/moves", {"seat": 0}, "seat", "from 1 to 3 (sent: 0)"),
        ("/moves", {"seat": "2"}, "seat", "from 1 to 3 (sent: '2')"),
        ("/moves", {"seat": True}, "seat", "(sent: true)"),
        ("/moves", {"uno": "yes"}, "uno", "must be true or false (sent: 'yes')"),
        ("/rounds", {"dealer": 7}, "dealer", "from 1 to 3 (sent: 7)"),
        ("/rounds", {"dealer": "1"}, "dealer", "must be a whole number (sent: '1')"),
        ("/rounds", {"opening": "red-7"}, "opening", "must be a list (sent: 'red-7')"),
        ("/rounds", {"opening": ["RED 7"]}, "opening[0]", "did you mean red-7?"),
        ("/rounds", {"card": "red-7"}, "card", "(known: opening, result, dealer)"),
        ("/seating", {"dealer": 7}, "dealer", "7"),
        ("/seating", {"order": [1, 7]}, "order", "1, 2, 3"),
        ("/deal-draws", {"draws": [{"seat": 7, "card": "red-3"}]}, "draws", "1 to 3 (sent: 7)"),
        ("/deal-draws", {"draws": [{"seat": 1, "card": "R3"}]}, "draws.1", "mean red-3?"),
        ("/custom-cards", {"card": {"text": "x", "effects": [{"effect": "drawn"}]}},
         "card.effects[0].effect", "did you mean draw?"),
        ("/tokens", {"role": "player"}, "role", "must be one of host, seat, spectator"),
        ("/devices", {"kind": "cam"}, "kind", "must be one of board, camera"),
        ("/corrections", {"kind": "undoo"}, "kind", "did you mean undo?"),
        ("/corrections", {"kind": "undo", "moves": 2}, "moves", "did you mean move?"),
        ("/corrections", {"kind": "redo", "verdict": "legal"}, "verdict", "(known: kind)"),
        ("/corrections", {"kind": "replace", "replacement": {"seat": 9, "move": "draw"}},
         "replacement.seat", "(sent: 9)"),
        ("/join", {"phone": 1}, "phone", "(known: code, seat, name)"),
        ("/join", {"seat": "2"}, "seat", "must be a whole number (sent: '2')"),
        ("/join", {"seat": 9}, "seat", "from 1 to 3 (sent: 9)"),
        ("/check", {"positon": ""}, "positon", "did you mean position?"),
        ("/records/replay", {"round": []}, "round", "did you mean rounds?"),
    ],
)  # fmt: skip
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
    [
        ("POST", "/api/v1/table", 404, "Did you mean /api/v1/tables?"),
        ("POST", "/tables", 404, "Did you mean /api/v1/tables?"),
        ("GET", "/api/rulesets", 404, "Did you mean /api/v1/rulesets?"),
        ("GET", "/api/v2/rulesets", 404, "Did you mean /api/v1/rulesets?"),
        ("GET", "/api/v1/Rulesets", 404, "Did you mean /api/v1/rulesets?"),
        ("POST", "/api/v1/tables/x7/move", 404, "Did you mean /api/v1/tables/x7/moves?"),
        ("GET", "/api/v1/tables/x7/score", 404, "Did you mean /api/v1/tables/x7/scores?"),
        ("GET", "/favicon.gif", 404, "does not exist."),
        ("GET", "/api/v1/tables", 405, "It supports POST."),
        ("POST", "/api/v1/tables/x7/language", 405, "It supports PUT."),
        ("PUT", "/api/v1/tables/x7", 405, "It supports GET."),
        ("GET", "/api/v1/rulesets/clasic-108", 404, "Did you mean classic-108?"),
        ("GET", "/api/v1/rulesets/moomin/rules/card.skipp", 404, "Did you mean card.skip?"),
        ("GET", "/api/v1/rulesets/moomin/rules?card=Red%203", 422, "(did you mean red-3?)"),
        ("GET", "/api/v1/rulesets?lang=swedish", 422, "(did you mean sv?)"),
        ("GET", "/api/v1/rulesets?lang=Suomi", 422, "(did you mean fi?)"),
        ("GET", "/api/v1/languages/svv/page", 404, "Did you mean sv?"),
    ],
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
    made = host.post("/devices", {"name": "Eye", "kind": "camera"}).get_json()
    eye = Seat(host.client, made["token"], host.table)
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
