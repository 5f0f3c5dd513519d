"""One game after another at the same table, and games ended early."""

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.api.camera import add_camera
from tests.api.conftest import Seat, imported, open_table
from tests.api.reloaded import reloaded
from tests.api.test_bad_input import problem
from tests.api.test_devices import add_board
from tests.api.test_exports import check_export
from tests.api.test_scores import lines, words

Json = dict[str, Any]
WON = {"out": 2, "hands": {"1": 30, "3": 25}}


@pytest.fixture
def over(client: FlaskClient) -> Seat:
    """Bo has won the first game with 55 points."""
    host = open_table(client, opening=None, target=50)
    assert host.post("/rounds", {"result": WON, "dealer": 1}).status_code == 201
    assert host.state()["winner"] == 2
    return host


def rematch(host: Seat, **wish: Any) -> Json:
    return host.create("/games", wish)


def test_another_game_with_the_same_phones(over: Seat) -> None:
    started = rematch(over)
    assert (started["kind"], started["game_number"]) == ("game-started", 2)
    assert started["announcements"] == ["A new game begins. All scores are 0."]
    table = over.get().get_json()
    assert (table["game"], table["round"], table["options"]) == (2, 0, {"target": 50})
    assert (table["state"]["scores"], table["state"]["winner"]) == ([0, 0, 0], None)
    assert [seat["taken"] for seat in table["seats"]] == [True, True, True]
    assert table["next_dealer"] == 2
    opened = over.seats[2].post("/rounds", {"opening": ["red-7"]})
    assert opened.status_code == 201
    assert over.move(3, "play", card="red-1")["round"] == 1


def test_earlier_games_stay_readable(over: Seat, tmp_path: Any) -> None:
    sheet, record = over.get("/scores").get_json(), over.get("/record").get_json()
    csv, picture = lines(over), words(over)
    rematch(over, ruleset="power-grab", options={"scoring": "low", "target": 20})
    over.post("/rounds", {"result": {"out": 1, "hands": {"2": 3, "3": 4}}, "dealer": 3})
    assert over.get("/scores?game=1").get_json() == sheet
    assert over.get("/rounds?game=1").get_json()["items"] == sheet["rounds"]
    assert over.get("/record?game=1").get_json() == record
    assert lines(over, "?game=1") == csv
    assert words(over, "?game=1") == picture
    assert over.get("/scores").get_json()["scores"] == [0, 3, 4]
    assert over.get("/record").get_json()["ruleset"] == "power-grab"
    assert [
        (one["game"], one["ruleset"], one["scores"], one["winner"], one["rounds"])
        for one in over.get("/games").get_json()["items"]
    ] == [(1, "classic-108", [0, 55, 0], 2, 1), (2, "power-grab", [0, 3, 4], None, 1)]
    decks = [item["deck"] for item in over.get("/games", Accept_Language="de").get_json()["items"]]
    assert decks == [
        "Klassisch, 108 Karten",
        "Power Grab, 112 Karten und vier Türme",
    ]
    check_export(over, tmp_path)
    for path in ("/scores", "/scores.csv", "/scores.svg", "/record", "/rounds"):
        problem(over.get(f"{path}?game=3"), 404, "not-found")
        problem(over.get(f"{path}?game=0"), 422, "invalid-request")


def test_corrections_are_about_the_present_game(over: Seat) -> None:
    rematch(over)
    problem(over.post("/corrections", {"kind": "undo"}), 422, "invalid-request")
    over.post("/rounds", {"opening": ["red-7"], "dealer": 1})
    over.move(2, "play", card="red-1")
    over.post("/corrections", {"kind": "hand-count", "seat": 1, "count": 3})
    assert over.state()["hands"] == [3, 6, 7]
    problem(over.post("/corrections", {"kind": "undo", "round": 2}), 422, "invalid-request")
    assert over.get("/scores?game=1").get_json()["scores"] == [0, 55, 0]


def test_before_the_first_round_another_game_is_for_another_table(client: FlaskClient) -> None:
    host = open_table(client, opening=None)
    refused = problem(host.post("/games", {"ruleset": "power-grab"}), 409, "conflict")
    assert "open a new table" in refused["detail"]
    german = host.post("/games?lang=de", {}).get_json()["detail"]
    assert german.endswith("Eröffne für ein anderes Spiel einen neuen Tisch.")


def test_a_game_goes_on_until_it_is_over(host: Seat) -> None:
    refused = problem(host.post("/games", {}), 409, "conflict")
    assert refused["detail"] == "This game is not over yet: end it first."
    problem(host.seats[2].post("/games", {}), 403, "forbidden")
    problem(host.seats[2].post("/games/end"), 403, "forbidden")


@pytest.mark.parametrize(
    ("options", "winner"),
    [({}, 3), ({"scoring": "low"}, 3), ({"scoring": "hand"}, [1, 2, 3])],
)
def test_a_game_is_ended_early_with_what_stands(
    client: FlaskClient, options: Json, winner: Any, tmp_path: Any
) -> None:
    host = open_table(client, opening=None, **options)
    if options.get("scoring") != "hand":
        host.post("/rounds", {"result": {"out": 3, "hands": {"1": 30, "2": 5}}, "dealer": 1})
    host.post("/rounds", {"opening": ["red-7"], "dealer": 2})
    host.move(3, "play", card="red-1")
    ended = host.post("/games/end").get_json()
    assert ended["kind"] == "game-ended"
    assert host.state()["winner"] == winner
    assert host.state()["turn"] is None
    entries = host.get("/events?limit=200").get_json()["items"]
    assert [entry["kind"] for entry in entries[-2:]] == ["corrected", "game-ended"]
    problem(host.post("/games/end"), 409, "conflict")
    problem(host.post("/rounds", {"opening": ["red-7"]}), 409, "conflict")
    exported = check_export(host, tmp_path)
    assert exported["ended"] is True
    assert exported["rounds"][-1]["broken_off"] is True
    rematch(host)
    assert host.state()["winner"] is None


def test_ties_are_shared_and_the_end_is_taken_back(client: FlaskClient) -> None:
    host = open_table(client, opening=None)
    problem(host.post("/games/end"), 409, "conflict")
    host.post("/rounds", {"result": {"out": 1, "hands": {"2": 10, "3": 2}}, "dealer": 1})
    host.post("/rounds", {"result": {"out": 2, "hands": {"1": 12, "3": 0}}})
    host.post("/games/end")
    assert host.get("/scores").get_json()["winner"] == [1, 2]
    assert host.post("/corrections", {"kind": "undo"}).status_code == 201
    assert host.state()["winner"] is None
    assert host.state()["scores"] == [12, 12, 0]
    assert host.post("/rounds", {"opening": ["red-7"]}).status_code == 201


def test_the_log_speaks_of_the_deck_played_with(client: FlaskClient) -> None:
    host = open_table(client, "moomin", opening=("red-7",))
    played = host.move(2, "play", card="wild-tales", color="red")
    host.post("/games/end")
    rematch(host, ruleset="classic-108")
    again = host.get(f"/events?after={played['id'] - 1}&limit=1").get_json()["items"][0]
    assert again["announcements"] == played["announcements"]
    assert again["ruling"] == played["ruling"]


def test_who_has_left_wins_no_game_that_is_ended_early(client: FlaskClient, tmp_path: Any) -> None:
    host = open_table(client, opening=None)
    host.post("/rounds", {"result": WON, "dealer": 1})
    host.post("/rounds", {"result": {"out": 3, "hands": {"1": 9, "2": 0}}})
    host.delete("/seats/2")
    host.post("/games/end")
    assert host.state()["winner"] == 3
    check_export(host, tmp_path)


def test_the_winner_of_a_game_ended_early_may_go_home(client: FlaskClient) -> None:
    host = open_table(client, opening=None)
    host.post("/rounds", {"result": WON, "dealer": 1})
    host.post("/games/end")
    host.delete("/seats/2")
    corrected = {"out": 2, "hands": {"1": 30, "3": 20}}
    assert host.post("/corrections", {"kind": "result", "result": corrected}).status_code == 201
    assert (host.state()["winner"], host.state()["scores"]) == (2, [0, 50, 0])
    assert host.get().get_json()["order"] == [1, 3]
    host.post("/corrections", {"kind": "undo"})
    assert host.state()["winner"] is None
    assert host.get().get_json()["order"] == [1, 3]


def test_custom_cards_are_kept_or_left_out(client: FlaskClient) -> None:
    host = open_table(client, "classic-112", opening=None, target=10)
    card = {"text": "Sing.", "effects": []}
    host.post("/custom-cards", {"card": card, "seat": 1})
    for seat in (2, 3):
        host.seats[seat].post("/custom-cards/1/approvals", {})
    host.post("/rounds", {"result": WON, "dealer": 1})
    rematch(host)
    host.post("/rounds", {"opening": ["red-7"], "dealer": 1})
    assert host.get().get_json()["options"]["custom_cards"] == [card]
    assert host.move(2, "play", card="wild-custom-1", color="red")["ruling"]["verdict"] == "legal"
    host.post("/games/end")
    rematch(host, options={})
    assert host.get().get_json()["custom_cards"] == []
    host.post("/rounds", {"opening": ["red-7"], "dealer": 1})
    assert host.get().get_json()["options"] == {}
    problem(host.post("/games", {"ruleset": "nothing"}), 409, "conflict")


def test_a_new_game_needs_a_deck_and_rules_that_exist(over: Seat) -> None:
    for wish in ({"ruleset": "nothing"}, {"options": {"target": 0}}, {"seats": ["X"]}):
        problem(over.post("/games", wish), 422, "invalid-request")
    assert over.get().get_json()["game"] == 1


def test_devices_languages_and_tokens_go_on(client: FlaskClient) -> None:
    over = open_table(client, "power-grab", opening=None)
    over.seats[2].call("PUT", f"/api/v1/tables/{over.table}/language", {"language": "fi"})
    camera = add_camera(over)
    camera.state_is("watching")
    board = add_board(over)
    board.sees({"U": 0})
    over.post("/rounds", {"result": WON, "dealer": 1})
    over.post("/games/end")
    rematch(over)
    table = over.get().get_json()
    assert table["seats"][1]["language"] == "fi"
    assert {item["silent"] for item in over.get("/devices").get_json()["items"]} == {None}
    # The camera sees the first card, and the deal has passed to Bo.
    camera.sees("found", "red-7")
    assert over.get().get_json()["dealer"] == 2
    assert camera.sees("placed", "red-3:U")["meaning"] == "settled"
    assert board.sees({"U": 3})["meaning"] == "agrees"
    assert over.get().get_json()["discrepancies"] == []
    # The towers are put away for a deck without.
    over.post("/games/end")
    rematch(over, ruleset="moomin", options={})
    assert over.get().get_json()["sensed"] == {}
    camera.sees("found", "green-1")
    # Nothing of the round before counted, so Bo deals again.
    assert over.get().get_json()["dealer"] == 2
    assert camera.sees("placed", "green-3")["meaning"] == "settled"


def test_hands_of_earlier_games_are_open_to_all(client: FlaskClient) -> None:
    host = open_table(client)
    host.move(2, "play", card="wild-draw-four", color="blue")
    host.move(3, "challenge")
    host.move(2, "reveal", hand=["green-3"] * 2 + ["yellow-4"] * 2 + ["green-1"] * 2)
    host.post("/games/end")
    rematch(host)
    host.post("/rounds", {"opening": ["red-7"], "dealer": 1})
    host.move(2, "play", card="wild-draw-four", color="blue")
    host.move(3, "challenge")
    host.move(2, "reveal", hand=["green-3"] * 2 + ["yellow-4"] * 2 + ["green-1"] * 2)
    shown = [
        entry["move"]["hand"]
        for entry in host.seats[1].get("/events?limit=200").get_json()["items"]
        if entry["kind"] == "moved" and entry["move"]["move"] == "reveal"
    ]
    assert len(shown[0]) == 6
    assert shown[1] == {"count": 6}
    assert len(host.seats[1].get("/record?game=1").get_json()["rounds"]) == 1
    assert host.seats[1].get("/record").get_json()["rounds"] == []


def test_games_are_read_again_from_snapshot_and_log(app: Flask) -> None:
    host = imported(
        app.test_client(),
        {
            "format": "referee-record/1",
            "ruleset": "moomin",
            "options": {},
            "seats": ["Ann", "Bo"],
            "rounds": [{"dealer": 1, "result": {"out": 1, "hands": {"2": 5}}}],
        },
    )
    rematch(host, options={"scoring": "low", "target": 30})
    host.post("/rounds", {"result": {"out": 2, "hands": {"1": 5}}})
    reloaded(app, host)
    assert host.get("/scores?game=1").get_json()["ruleset"] == "moomin"
