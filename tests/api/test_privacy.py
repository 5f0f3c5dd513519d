"""A hand is shown to its challenger only, and to everybody after the round."""

import json

from flask import Flask
from flask.testing import FlaskClient

from tests.api.conftest import API, Seat, open_table

HAND = ["red-5", "red-1", "red-2", "green-3", "green-4", "yellow-2"]


def challenged(client: FlaskClient) -> tuple[Seat, dict[str, object]]:
    host = open_table(client, opening=("blue-2",))
    host.move(2, "play", card="wild-draw-four", color="green")
    host.move(3, "challenge")
    return host, host.move(2, "reveal", hand=HAND)


def newest(reader: Seat) -> dict[str, object]:
    """Return the newest move as this reader sees it."""
    items = reader.get("/events?limit=200").get_json()["items"]
    return [item for item in items if item["kind"] == "moved"][-1]


def test_a_challenged_hand_is_for_the_two_players(client: FlaskClient) -> None:
    host, own = challenged(client)
    assert own["move"]["hand"] == HAND
    assert newest(host.seats[2])["move"]["hand"] == HAND
    assert newest(host.seats[3])["move"]["hand"] == HAND
    code = host.get().get_json()["code"]
    watching = client.post(f"{API}/join", json={"code": code}).get_json()
    for reader in (host, host.seats[1], Seat(client, watching["token"], host.table)):
        seen = newest(reader)
        assert seen["move"]["hand"] == {"count": 6}
        shown = [event for event in seen["events"] if event["event"] == "revealed"]
        assert [event["hand"] for event in shown] == [{"count": 6}]
        assert not any(card in json.dumps(seen) for card in HAND)


def test_a_wrong_hand_is_not_told_to_others_either(client: FlaskClient) -> None:
    host = open_table(client, opening=("blue-2",))
    host.move(2, "play", card="wild-draw-four", color="green")
    host.move(3, "challenge")
    ruled = host.move(2, "reveal", hand=["red-5", "red-5", "red-5", "red-1", "red-2", "red-3"])
    assert ruled["ruling"]["rule"] == "deck.count"
    seen = newest(host.seats[1])
    assert seen["ruling"]["rule"] == "deck.count"
    assert "red-5" not in json.dumps(seen)


def test_gifts_are_for_giver_and_receiver(client: FlaskClient) -> None:
    host = open_table(client, "color-powers")
    host.move(2, "play", card="wild-power-red", color="blue")
    given = host.move(2, "give", to=3, cards=["red-1", "red-2"])
    assert given["move"]["cards"] == ["red-1", "red-2"]
    assert newest(host.seats[3])["move"]["cards"] == ["red-1", "red-2"]
    seen = newest(host.seats[1])
    assert seen["announcements"][0] == "Bo gives Cy 2 cards."
    assert seen["move"]["cards"] == {"count": 2}
    assert "red-1" not in json.dumps(seen)


def test_a_record_leaves_the_round_out_while_a_hand_is_private(client: FlaskClient) -> None:
    host, _ = challenged(client)
    for reader in (host, host.seats[1]):
        assert reader.get("/record").get_json()["rounds"] == []
    for reader in (host.seats[2], host.seats[3]):
        moves = reader.get("/record").get_json()["rounds"][0]["moves"]
        assert moves[-1] == {"seat": 2, "move": "reveal", "hand": HAND}


def test_at_the_end_of_the_round_all_is_open(client: FlaskClient) -> None:
    host = open_table(client, "moomin", opening=("blue-2",))
    host.move(2, "play", card="wild-draw-four", color="green")
    host.move(3, "challenge")
    host.move(2, "reveal", hand=[*HAND[:5], "yellow-2"])
    place = host.get().get_json()["version"]
    hands = host.state()["hands"]
    assert hands == [7, 6, 13]
    for card in ("green-1", "green-2", "green-5", "green-6", "green-7", "green-8"):
        host.move(1, "play", card=card)
        for _ in range(2):
            turn = host.state()["turn"]
            host.move(turn, "draw")
            host.move(turn, "pass")
    ended = host.move(1, "play", card="green-9")
    assert ended["state"]["round_winner"] == 1
    page = host.seats[1].get(f"/events?after={place - 1}&limit=1").get_json()
    assert page["items"][0]["move"]["hand"] == HAND
    record = host.get("/record").get_json()
    assert record["rounds"][0]["moves"][2]["hand"] == HAND


def test_the_public_state_names_no_card_but_the_top(app: Flask) -> None:
    host, _ = challenged(app.test_client())
    text = json.dumps(host.get().get_json())
    assert not any(card in text for card in HAND)


def told_of_bo(client: FlaskClient, *, called: bool) -> list[str]:
    """Return all that other readers are told once Bo is down to one card."""
    host = open_table(client)
    corrected = host.post("/corrections", {"kind": "hand-count", "seat": 2, "count": 2})
    assert corrected.status_code == 201
    host.move(2, "play", card="red-3")
    played = newest(host.seats[3])
    if called:
        host.move(2, "uno")
    asked = [
        reader.get(path).get_json()
        for reader in (host, host.seats[1], host.seats[3])
        for path in ("/choices?seat=1", "/choices?seat=3", "/legal-moves")
    ]
    (catch,) = [choice for choice in asked[0]["choices"] if choice["kind"] == "catch"]
    assert catch["moves"] == [{"seat": 1, "move": "catch", "accused": 2}]
    assert "uno-owed" not in json.dumps([asked, played, host.get().get_json()])
    return [json.dumps(answer) for answer in asked]


def test_nobody_is_told_who_has_not_called_uno(client: FlaskClient) -> None:
    assert told_of_bo(client, called=False) == told_of_bo(client, called=True)
