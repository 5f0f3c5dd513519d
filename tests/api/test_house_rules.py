"""House rules over HTTP: what a table may choose, what a seat may do, and two who jump in."""

import threading
from functools import partial
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from referee.rules.options import HOUSE_RULES, IN_EVERY_DECK, OPTIONS
from referee.rules.presets import PRESETS, code_of, preset_options
from referee.rules.rulings import RuleError
from referee.texts.catalog import languages
from tests.api.conftest import API, Seat, at_once, open_table
from tests.api.test_bad_input import problem

Json = dict[str, Any]


def choices(seat: Seat) -> dict[tuple[str, str], Json]:
    found = seat.get("/choices").get_json()["choices"]
    return {(one["kind"], one["rule"]["id"]): one for one in found}


def make(client: FlaskClient, **wish: Any) -> Any:
    body = {"ruleset": "classic-112", "seats": ["Ann", "Bo", "Cy"], **wish}
    return client.post(f"{API}/tables", json=body)


# What there is to choose


def test_a_house_rule_names_its_option(client: FlaskClient) -> None:
    rules = client.get(f"{API}/rulesets/classic-112/rules?limit=200").get_json()["items"]
    found = {one["id"]: (one["option"], one["option_value"]) for one in rules if one["official"]}
    assert {rule for rule, (option, _) in found.items() if option is None} == {"house.timer"}
    assert {option for option, _ in found.values()} == {*HOUSE_RULES, "scoring", None}
    assert found["house.seven"] == found["house.zero"] == ("seven_zero", None)
    assert found["house.elimination"] == ("scoring", "elimination")
    # Where the sheet itself says so, no table has agreed on it.
    forced = client.get(f"{API}/rulesets/classic-108/rules/draw.forced").get_json()
    assert (forced["official"], forced["option"]) == (None, None)


def test_every_option_has_values_a_default_and_a_text(client: FlaskClient) -> None:
    deck = client.get(f"{API}/rulesets/classic-108").get_json()
    rules = {one["option"]: one for one in deck["house_rules"]}
    assert set(rules) == IN_EVERY_DECK
    for name, rule in rules.items():
        assert rule["text"], name
        assert rule["values"] or rule["most"] or name == "teams", name
        assert rule["default"] == deck["usual"][name]
    stacking = rules["stacking"]
    assert [value["value"] for value in stacking["values"]] == ["off", "same", "any"]
    assert stacking["official"].endswith("Draw cards are not stacked.")
    assert (rules["hand_size"]["least"], rules["hand_size"]["most"]) == (1, 20)
    assert rules["forced_play"]["default"] == "any"
    refused = {tuple(one["options"]): one["when"] for one in deck["refused"]}
    assert refused["rounds", "scoring"] == {"scoring": "hand"}
    assert refused["hand_size",] == {}


def test_the_letters_and_places_of_values_make_a_code(client: FlaskClient) -> None:
    deck = client.get(f"{API}/rulesets/classic-108").get_json()
    rules = {rule["option"]: rule for rule in deck["house_rules"]}
    for preset in deck["presets"]:
        parts = [
            f"{rules[name]['letter']}{[one['value'] for one in rules[name]['values']].index(value)}"
            for name, value in preset["options"].items()
        ]
        assert "".join(sorted(parts)) == (preset["code"] if parts else "")
    assert rules["teams"]["letter"] is None


@pytest.mark.parametrize("lang", languages())
def test_options_and_presets_are_worded_in_every_language(client: FlaskClient, lang: str) -> None:
    deck = client.get(f"{API}/rulesets/moomin?lang={lang}").get_json()
    assert [one["preset"] for one in deck["presets"]] == list(PRESETS)
    for preset in deck["presets"]:
        assert preset["text"].endswith(".")
    words = client.get(f"{API}/rulesets/moomin/words?lang={lang}").get_json()["options"]
    for rule in deck["house_rules"]:
        assert rule["name"] != rule["option"].replace("_", " ")
        assert all("." not in value["name"] for value in rule["values"])
        for value in rule["values"]:
            # What each preset plays is said in a sentence.
            said = words.get(f"{rule['option']}.{str(value['value']).lower()}.text")
            assert value["text"] == said
            if any(one["options"].get(rule["option"]) == value["value"] for one in deck["presets"]):
                assert said.endswith(".")


def test_a_preset_fills_in_options_and_options_go_on_top(client: FlaskClient) -> None:
    made = make(client, preset="party", options={"jump_in": "off", "target": 200})
    options = made.get_json()["table"]["options"]
    assert options == {
        "target": 200,
        "stacking": "any",
        "seven_zero": "on",
        "draw_until": "playable",
        "wild_draw_four": "free",
    }
    assert make(client, preset="official").get_json()["table"]["options"] == {}


def test_a_tables_own_rules_are_a_code_for_another(client: FlaskClient) -> None:
    options = {"stacking": "same", "hand_size": 5, "identical_cards": True, "rounds": 3}
    table = make(client, options=options).get_json()["table"]
    assert table["house_code"] == "H5I1R3S1"
    again = make(client, preset="h5-i1 r3s1").get_json()["table"]
    assert again["options"] == table["options"] == options


@pytest.mark.parametrize("word", ["parti", "S9", "Q1", "S1S2", "", "H", "S1" * 50])
def test_a_code_that_means_nothing_is_refused(client: FlaskClient, word: str) -> None:
    answer = make(client, preset=word)
    assert answer.status_code == 422
    assert answer.get_json()["errors"][0]["field"] == "preset"


def test_every_preset_has_a_code() -> None:
    for options in PRESETS.values():
        assert preset_options(code_of(options)) == options
    with pytest.raises(RuleError):
        preset_options("Z9")


def test_codes_that_were_passed_on_mean_what_they_meant() -> None:
    assert preset_options("C3D1F2H20I1J1M1P1R50S2T40U10V1W1X1Z1") == {
        "scoring": "elimination",
        "draw_until": "playable",
        "forced_play": "any",
        "hand_size": 20,
        "identical_cards": True,
        "jump_in": "on",
        "tower_claim": "must-move",
        "wild_tower_points": 20,
        "rounds": 50,
        "stacking": "any",
        "target": 40,
        "uno_penalty": 10,
        "two_player_reverse": "pass",
        "wild_draw_four": "free",
        "shuffle_hands": "all",
        "seven_zero": "on",
    }
    assert {name: option.numbers for name, option in OPTIONS.items() if option.numbers} == {
        "target": range(1, 1_000_001),
        "hand_size": range(1, 21),
        "uno_penalty": range(11),
        "rounds": range(1, 51),
    }


def test_what_does_not_go_together_names_the_option(client: FlaskClient) -> None:
    answer = make(client, options={"teams": [[1, 2], [3]]})
    body = problem(answer, 422, "invalid-request")
    assert body["errors"][0]["field"] == "options.teams"
    assert body["rule"] == "house.options"


# What a seat may do


def test_who_is_hit_is_offered_what_stacks(client: FlaskClient) -> None:
    host = open_table(client, "classic-112", stacking="any")
    ruling = host.move(2, "play", card="red-draw-two")["ruling"]
    assert host.state()["stack"] == 2
    offered = choices(host.seats[3])
    stack = offered["play", "house.stacking"]
    cards = {move["card"] for move in stack["moves"]}
    assert cards == {f"{c}-draw-two" for c in ("red", "blue", "green", "yellow")} | {
        "wild-draw-four"
    }
    accept = offered["accept", "house.stacking"]
    assert accept["count"] == 2
    assert accept["text"] == "Accept: draw 2 cards and lose the turn."
    assert ("challenge", "challenge") not in offered
    assert "official" in accept["rule"]
    illegal = host.seats[3].post("/moves", {"move": "draw"}).get_json()["ruling"]
    assert illegal["rule"] == "house.stacking"
    assert "this table's own rule" in illegal["text"]
    host.move(3, "play", card="wild-draw-four", color="blue")
    challenge = choices(host.seats[1])["challenge", "challenge"]
    assert (challenge["count"], challenge["text"].count("8")) == (6, 1)
    assert ruling["verdict"] == "legal"


def test_a_jump_is_offered_to_seats_out_of_turn(client: FlaskClient) -> None:
    host = open_table(client, "classic-112", jump_in="on")
    host.move(2, "play", card="red-5")
    jump = choices(host.seats[1])["play", "house.jump-in"]
    assert jump["moves"] == [{"seat": 1, "move": "play", "card": "red-5"}]
    assert jump["text"] == "Jump in: red 5."


def test_a_swap_is_offered_with_everybody_else(client: FlaskClient) -> None:
    host = open_table(client, "classic-112", opening=("red-3",), seven_zero="on")
    host.move(2, "play", card="red-7")
    swap = choices(host.seats[2])["swap", "house.seven"]
    assert [move["with"] for move in swap["moves"]] == [1, 3]
    assert swap["text"] == "Swap hands with another player: Ann, Cy."
    told = host.seats[2].post("/moves", {"move": "swap", "with": 3}).get_json()
    assert told["announcements"][0] == "Bo and Cy swap hands."


def test_a_draw_says_how_many_there_are(client: FlaskClient) -> None:
    host = open_table(client, "classic-112", draw_until="playable")
    draw = choices(host.seats[2])["draw", "house.draw-until"]
    assert draw["most"] == host.state()["draw_pile"]
    drawn = host.seats[2].post("/moves", {"move": "draw", "count": 4}).get_json()
    assert drawn["state"]["hands"] == [7, 11, 7]


def test_a_correction_replays_house_rules(client: FlaskClient) -> None:
    host = open_table(client, "classic-112", stacking="same", jump_in="on", seven_zero="on")
    host.move(2, "play", card="red-draw-two")
    host.move(1, "play", card="red-draw-two")
    before = host.state()
    host.move(2, "accept")
    assert host.post("/corrections", {"kind": "undo"}).status_code == 201
    assert host.state() == before
    exported = host.get("/record").get_json()
    replayed = host.client.post(f"{API}/records/replay", json=exported).get_json()
    assert replayed["state"] == before


def test_other_hands_to_swap_are_swapped_one_by_one(client: FlaskClient) -> None:
    """Bo swapped with Cy, and not with Di: Ann keeps her hand."""
    host = open_table(client, "classic-112", ("Ann", "Bo", "Cy", "Di"), seven_zero="on")
    host.move(2, "play", card="red-7", swap_with=4)
    lays = {"seat": 2, "move": "play", "card": "red-7", "swap_with": 3}
    change = {"kind": "replace", "move": 1, "replacement": lays}
    made = host.post("/corrections", change).get_json()
    assert made["hands_passed"] == [[2, 4, 3]]
    assert made["announcements"] == [
        "Bo's red 7 in round 1 is undone.",
        "Bo's red 7 in round 1 is entered. It is legal.",
        "Bo and Di swap hands.",
        "Bo and Cy swap hands.",
        "Cy holds 6 cards now, not 7.",
        "Di holds 7 cards now, not 6.",
    ]


@pytest.mark.parametrize("reverses", [0, 1])
def test_a_whole_round_of_hands_goes_back_and_on(client: FlaskClient, reverses: int) -> None:
    host = open_table(client, "classic-112", ("Ann", "Bo", "Cy", "Di"), seven_zero="on")
    if reverses:
        host.move(2, "play", card="red-reverse")
    host.move(host.state()["turn"], "play", card="red-0")
    undone = host.post("/corrections", {"kind": "undo"}).get_json()["announcements"]
    assert undone[1].endswith("give their hands back.")
    again = host.post("/corrections", {"kind": "redo"}).get_json()["announcements"]
    assert "Every hand goes on to the next player." in again


# Two at once


@pytest.mark.parametrize("checked", [True, False])
def test_two_who_jump_in_at_once_are_ruled_on_one_after_the_other(
    app: Flask, client: FlaskClient, checked: bool
) -> None:
    host = open_table(client, "classic-112", ("Ann", "Bo", "Cy", "Di"), jump_in="on")
    host.move(2, "play", card="red-5")
    version = host.get().headers["ETag"]
    gate, answers = threading.Barrier(2), dict[int, Any]()

    def jump(seat: int) -> None:
        phone = Seat(app.test_client(), host.seats[seat].token, host.table)
        gate.wait()
        match = {"If_Match": version} if checked else {}
        answers[seat] = phone.post("/moves", {"move": "play", "card": "red-5"}, **match)

    at_once(partial(jump, 1), partial(jump, 4))
    first = next(
        s for s in (1, 4) if (answers[s].get_json().get("ruling") or {}).get("verdict") == "legal"
    )
    other = 5 - first
    assert answers[first].get_json()["ruling"]["rule"] == "house.jump-in"
    if checked:
        # Told that somebody was faster; what it sends then is ruled on.
        problem(answers[other], 412, "stale-version")
        again = host.seats[other].post("/moves", {"move": "play", "card": "red-5"})
        late = again.get_json()["ruling"]
    else:
        late = answers[other].get_json()["ruling"]
    # Both red fives lie on the pile.
    assert (late["verdict"], late["rule"]) == ("illegal", "deck.count")
    hands = host.state()["hands"]
    assert (hands[first - 1], hands[other - 1]) == (6, 7)
    moves = host.get("/record").get_json()["rounds"][0]["moves"]
    assert [move["seat"] for move in moves] == [2, first, other]


# What the scores say


def counted(host: Seat, out: int, **hands: int) -> Json:
    result = {"out": out, "hands": {seat.removeprefix("of_"): hand for seat, hand in hands.items()}}
    assert host.post("/rounds", {"result": result}).status_code == 201
    return dict(host.get().get_json())


def test_a_teams_points_are_in_the_files(client: FlaskClient) -> None:
    names = ("Ann", "Bo", "Cy", "Di")
    host = open_table(client, "classic-112", names, None, teams=[[1, 3], [2, 4]])
    table = counted(host, 1, of_2=20, of_3=9, of_4=5)
    assert table["state"]["team_scores"] == [25, 0]
    lines = host.get("/scores.csv").text.splitlines()
    assert lines[-2:] == ["Ann + Cy,,,25,,25,", "Bo + Di,,,,0,,0"]
    picture = host.get("/scores.svg").text
    assert picture.index("Ann + Cy") < picture.index("Bo + Di")


@pytest.mark.parametrize(
    ("options", "of_ann"),
    [
        ({}, [2, 3, 4]),
        ({"teams": [[1, 3], [2, 4]]}, [2, 4]),
        ({"teams": [[1, 3], [2, 4]], "scoring": "low"}, [2, 3, 4]),
        ({"scoring": "hand"}, []),
    ],
)
def test_only_hands_that_count_have_to_be_entered(
    client: FlaskClient, options: Json, of_ann: list[int]
) -> None:
    host = open_table(client, "classic-112", ("Ann", "Bo", "Cy", "Di"), None, **options)
    assert host.get().get_json()["seats"][0]["counted_hands"] == of_ann
    hands = {str(seat): seat for seat in of_ann}
    for seat in hands:
        short = {other: points for other, points in hands.items() if other != seat}
        answer = host.post("/rounds", {"result": {"out": 1, "hands": short}})
        assert (
            problem(answer, 422, "invalid-request")["errors"][0]["field"] == f"result.hands.{seat}"
        )
    assert host.post("/rounds", {"result": {"out": 1, "hands": hands}}).status_code == 201


def test_who_is_out_is_told_apart_from_who_has_left(client: FlaskClient) -> None:
    host = open_table(
        client, "classic-112", ("Ann", "Bo", "Cy", "Di"), None, scoring="elimination", target=50
    )
    assert host.delete("/seats/4").status_code == 200
    table = counted(host, 1, of_2=60, of_3=9)
    assert [seat["in"] for seat in table["seats"]] == [True, False, True, False]
    assert [one["out"] for one in table["seats"]] == [False, True, False, False]


def test_a_round_that_was_broken_off_is_not_counted(client: FlaskClient) -> None:
    host = open_table(client, "classic-112", rounds=2)
    assert host.post("/corrections", {"kind": "break-off"}).status_code == 201
    table = counted(host, 1, of_2=60, of_3=9)
    assert (table["round"], table["rounds_counted"]) == (2, 1)
