"""Dealing, custom cards, corrections, scores and records over the API."""

import json
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from referee.rules.position.views import public_state
from referee.rules.records.record import parse_record, replay
from tests.api.conftest import API, Seat, imported, open_table, record
from tests.api.test_bad_input import problem

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.json"))


def draw(host: Seat, **cards: str) -> Any:
    draws = [{"seat": int(seat[1:]), "card": card} for seat, card in cards.items()]
    return host.post("/deal-draws", {"draws": draws})


def test_drawing_for_the_deal(client: FlaskClient) -> None:
    host = open_table(client, opening=None)
    first = draw(host, s1="red-7", s2="blue-skip").get_json()
    assert (first["dealer"], first["tied"]) == (None, [])
    tie = draw(host, s3="green-7").get_json()
    assert (tie["dealer"], tie["tied"]) == (None, [1, 3])
    problem(draw(host, s2="red-9"), 422, "invalid-request")
    problem(
        host.seats[1].post("/deal-draws", {"draws": [{"seat": 3, "card": "red-1"}]}),
        403,
        "forbidden",
    )
    settled = draw(host, s1="red-2", s3="green-8").get_json()
    assert (settled["dealer"], settled["tied"]) == (3, [])
    started = host.post("/rounds", {"opening": ["red-1"]}).get_json()
    assert started["dealer"] == 3
    assert started["state"]["turn"] == 1


def go_out(host: Seat) -> dict[str, Any]:
    """Let seat 2 go out with numbers of the pile's colour while seat 1 draws."""
    color = host.state()["color"]
    for number in (1, 2, 3, 4, 5, 6):
        host.move(2, "play", card=f"{color}-{number}")
        host.move(1, "draw")
        host.move(1, "pass")
    return host.move(2, "play", card=f"{color}-9")


def test_a_round_is_scored_and_the_game_won(client: FlaskClient) -> None:
    host = open_table(client, names=("Ann", "Bo"), target=200)
    go_out(host)
    hand = ["wild"] * 2 + ["blue-1"] * 2 + ["green-skip"] * 2 + ["blue-2"] * 2 + ["blue-3"] * 2
    last = host.move(1, "reveal", hand=[*hand, "blue-4", "blue-5", "blue-6"])
    assert last["state"]["scores"] == [0, 167]
    sheet = host.get("/scores").get_json()
    assert sheet["rounds"] == [
        {
            "round": 1,
            "dealer": 1,
            "counted": False,
            "winner": 2,
            "scores": [0, 167],
            "points": [0, 167],
            "played": [1, 2],
            "hands": [
                {
                    "seat": 1,
                    "cards": [*hand, "blue-4", "blue-5", "blue-6"],
                    "card_points": [50, 50, 1, 1, 20, 20, 2, 2, 3, 3, 4, 5, 6],
                    "points": 167,
                    "to": 2,
                }
            ],
        }
    ]
    assert host.get("/rounds").get_json()["items"] == sheet["rounds"]
    assert host.post("/rounds", {"opening": ["blue-7"]}).get_json()["dealer"] == 2


def test_custom_cards_need_every_other_seats_approval(client: FlaskClient) -> None:
    host = open_table(client, "classic-112", opening=None)
    examples = client.get(f"{API}/rulesets/classic-112").get_json()["custom_card_examples"]
    assert len(examples) == 10
    card = host.seats[2].post("/custom-cards", {"card": examples[3]}).get_json()
    path = f"/custom-cards/{card['card_id']}/approvals"
    assert host.seats[1].post(path, {}).status_code == 201
    refused = problem(
        host.post("/rounds", {"opening": ["red-7"], "dealer": 1}), 409, "not-approved"
    )
    assert refused["rule"] == "custom.approval"
    assert refused["seats"] == [3]
    problem(host.seats[2].post(path, {}), 409, "conflict")
    assert host.seats[3].post(path, {}).status_code == 201
    assert host.post("/rounds", {"opening": ["red-7"], "dealer": 1}).status_code == 201
    again = host.move(2, "play", card="wild-custom-1", color="blue")
    assert again["state"]["turn"] == 2
    assert host.move(3, "play", card="wild-custom-2")["ruling"]["rule"] == "turn.order"
    assert host.move(2, "play", card="wild-custom-2")["ruling"]["rule"] == "deck.unknown"
    record = host.get("/record").get_json()
    assert record["options"]["custom_cards"] == [examples[3]]


def test_a_custom_card_that_a_seat_refuses_falls_and_all_are_told(client: FlaskClient) -> None:
    host = open_table(client, "classic-112", opening=None)
    examples = client.get(f"{API}/rulesets/classic-112").get_json()["custom_card_examples"]
    crow = host.seats[1].post("/custom-cards", {"card": examples[9]}).get_json()["card_id"]
    path, no = f"/custom-cards/{crow}/approvals", {"approve": False}
    problem(host.seats[3].post(path, {**no, "seat": 2}), 403, "forbidden")
    problem(host.seats[1].post(path, no), 409, "conflict")
    assert host.seats[2].post(path, {}).status_code == 201
    refused = host.seats[3].post(path, no).get_json()
    assert (refused["kind"], refused["why"], refused["seat"]) == ("custom-withdrawn", "refused", 3)
    assert (refused["card_id"], refused["card"]) == (crow, examples[9])
    assert refused["announcements"] == [
        f"Cy does not want this card: “{examples[9]['text'][:-1]}”."
    ]
    entries = host.get("/events", Accept_Language="de").get_json()["items"]
    (said,) = entries[-1]["announcements"]
    assert said.startswith("Cy will diese Karte nicht: „")
    assert host.get("/custom-cards").get_json()["items"] == []
    problem(host.seats[2].post(path, {}), 404, "not-found")
    # Nothing waits for it any more, and another one may be proposed.
    again = host.seats[1].post("/custom-cards", {"card": examples[3]}).get_json()["card_id"]
    for seat in (2, 3):
        host.post(f"/custom-cards/{again}/approvals", {"seat": seat})
    assert host.post("/rounds", {"opening": ["red-7"], "dealer": 1}).status_code == 201
    assert host.get("/record").get_json()["options"]["custom_cards"] == [examples[3]]


def test_a_custom_card_can_be_withdrawn(client: FlaskClient) -> None:
    host = open_table(client, "classic-112", opening=None)
    body = {"card": {"text": "Sing.", "effects": []}, "seat": 2}
    card = host.post("/custom-cards", body).get_json()["card_id"]
    problem(host.seats[3].delete(f"/custom-cards/{card}"), 403, "forbidden")
    assert host.delete(f"/custom-cards/{card}").status_code == 200
    assert host.get("/custom-cards").get_json()["items"] == []
    bad = host.post("/custom-cards", {"card": {"text": "x", "effects": [{"effect": "fly"}]}})
    assert problem(bad, 422, "invalid-request")["errors"][0]["field"] == "card.effects[0].effect"
    classic = open_table(client, opening=None)
    problem(classic.post("/custom-cards", body), 409, "conflict")


def test_undo_after_the_end_of_a_round_changes_the_scores(client: FlaskClient) -> None:
    host = open_table(client, names=("Ann", "Bo"))
    go_out(host)
    host.move(1, "reveal", hand=["blue-1"] * 2 + ["blue-2"] * 2 + ["blue-9"] * 2 + NUMBERS)
    assert host.state()["scores"] == [0, 77]
    assert host.post("/rounds", {"opening": ["blue-7"]}).status_code == 201
    host.move(1, "play", card="blue-1")
    other = ["blue-1"] * 2 + ["blue-2"] * 2 + ["wild"] * 2 + NUMBERS
    change = {
        "kind": "replace",
        "round": 1,
        "move": 20,
        "replacement": {"seat": 1, "move": "reveal", "hand": other},
    }
    corrected = host.post("/corrections", change).get_json()
    assert corrected["scores_before"] == [0, 77]
    assert corrected["state"]["scores"] == [0, 159]
    assert corrected["state"]["top"] == "blue-1"
    assert host.get("/scores").get_json()["rounds"][0]["scores"] == [0, 159]
    impossible = host.post("/corrections", {"kind": "undo", "round": 1, "move": 19})
    problem(impossible, 409, "conflict")
    assert host.state()["scores"] == [0, 159]


NUMBERS = ["green-9", "green-9", "green-8", "green-8", "yellow-9", "yellow-9", "green-1"]


def test_the_host_overrules(host: Seat) -> None:
    refused = host.move(2, "play", card="blue-3")
    assert refused["ruling"]["verdict"] == "illegal"
    change = {"kind": "overrule", "verdict": "legal"}
    body = host.post("/corrections", change).get_json()
    now = body["changed"][0]["now"]
    assert (body["changed"][0]["id"], now["verdict"]) == (refused["id"], "legal")
    assert now["text"] == "The host has ruled that this stands."
    assert host.state()["top"] == "blue-3"
    assert host.state()["turn"] == 3
    back = host.post("/corrections", {"kind": "overrule", "verdict": "illegal"}).get_json()
    assert back["state"]["top"] == "red-7"
    record = host.get("/record").get_json()
    assert record["rounds"][0]["moves"][0]["ruled"] == "illegal"
    for step in replay(parse_record(record)):
        state = step.state
    assert public_state(state) == host.state()


def test_a_hand_count_is_set_right(host: Seat) -> None:
    change = {"kind": "hand-count", "seat": 2, "count": 8}
    body = host.post("/corrections", change).get_json()
    assert body["state"]["hands"] == [7, 8, 7]
    assert body["state"]["draw_pile"] == 85
    problem(host.post("/corrections", {"kind": "hand-count", "seat": 2}), 422, "invalid-request")
    problem(host.post("/corrections", {"kind": "undo", "round": 7}), 422, "invalid-request")


def without_expectations(record: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {
            "dealer": played["dealer"],
            "opening": played["opening"],
            "moves": [{k: v for k, v in m.items() if k != "expect"} for m in played["moves"]],
        }
        for played in record["rounds"]
    ]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_import_and_export_give_the_same_game(client: FlaskClient, path: Path) -> None:
    record = json.loads(path.read_text(encoding="utf-8"))
    host = imported(client, record)
    steps = list(replay(parse_record(record)))
    assert host.state() == public_state(steps[-1].state)
    exported = host.get("/record").get_json()
    assert without_expectations(exported) == without_expectations(record)
    assert exported["seats"] == record["seats"]
    replayed = client.post(f"{API}/records/replay", json=record).get_json()
    assert replayed["holds"]
    assert replayed["state"] == public_state(steps[-1].state)


def test_a_record_that_cannot_be_read(client: FlaskClient) -> None:
    move = {"seat": 2, "move": "play", "card": 5}
    bad = record({"dealer": 1, "opening": ["red-7"], "moves": [move]})
    for path in ("/records", "/records/replay"):
        body = problem(client.post(f"{API}{path}", json=bad), 422, "invalid-record")
        assert (body["round"], body["move"]) == (1, 1)
        assert body["errors"][0]["field"] == "card"


def test_a_move_is_checked_in_a_posted_position(client: FlaskClient) -> None:
    begun = record({"dealer": 1, "opening": ["red-7"], "moves": []})
    move = {"seat": 2, "move": "play", "card": "blue-5"}
    body = client.post(f"{API}/check", json={"record": begun, "move": move}).get_json()
    assert body["ruling"]["verdict"] == "illegal"
    assert body["ruling"]["rule"] == "match"
    assert body["ruling"]["source"] == "the rule sheet of “Classic, 108 cards”"
    assert body["ruling"]["put_right"]
    again = client.post(f"{API}/check", json={"position": body["position"], "move": move})
    assert again.get_json()["ruling"] == body["ruling"]
    line = {"position": body["position"], "move": "2 red-3"}
    as_object = {**line, "move": {"seat": 2, "move": "play", "card": "red-3"}}
    answers = [client.post(f"{API}/check", json=one).get_json() for one in (line, as_object)]
    assert answers[0]["ruling"] == answers[1]["ruling"]
    odd = {**line, "move": "flies"}
    problem(client.post(f"{API}/check", json=odd), 422, "invalid-request")
    problem(client.post(f"{API}/check", json={"move": move}), 422, "invalid-request")
    bad = {"position": "nonsense", "move": move}
    problem(client.post(f"{API}/check", json=bad), 422, "invalid-request")


def test_legal_moves_are_those_ruled_legal(host: Seat) -> None:
    body = host.get("/legal-moves").get_json()
    assert {"seat": 2, "move": "play", "card": "blue-7"} in body["moves"]
    assert {"seat": 2, "move": "play", "card": "blue-6"} not in body["moves"]
    assert body["awaiting"] == [{"seat": 2, "need": "play"}]


def test_rules_are_looked_up_with_their_source(client: FlaskClient) -> None:
    found = client.get(f"{API}/rulesets/classic-112/rules?q=wild-shuffle").get_json()["items"]
    assert found[0]["id"] == "card.wild-shuffle"
    rule = client.get(f"{API}/rulesets/power-grab/rules/tower.take").get_json()
    assert rule["document"] == "S0"
    page = client.get(f"{API}/rulesets/moomin/rules?limit=5").get_json()
    assert len(page["items"]) == 5
    assert page["next"] == 5
    assert len(client.get(f"{API}/rulesets").get_json()["items"]) >= 5


def test_a_game_with_a_round_broken_off_is_imported_and_corrected(client: FlaskClient) -> None:
    move = {"seat": 2, "move": "play", "card": "red-1"}
    rounds = [
        {"dealer": 1, "opening": ["red-7"], "moves": [move]},
        {"dealer": 1, "opening": ["red-9"], "moves": [move]},
    ]
    host = imported(client, record(*rounds))
    assert host.get("/record").get_json() == record(*rounds)
    assert host.post("/corrections", {"kind": "undo"}).status_code == 201
    assert host.state()["top"] == "red-9"
    assert host.get("/record").get_json()["rounds"][0] == rounds[0]
