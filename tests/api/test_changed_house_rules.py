"""House rules changed between rounds: who answers, from when on they hold, and what stays."""

import threading
from functools import partial
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from referee.rules.ruleset import rulesets
from referee.texts.catalog import languages
from tests.api.conftest import API, Seat, at_once, imported, open_table
from tests.api.test_bad_input import problem
from tests.conftest import both_stores

pytestmark = both_stores
Json = dict[str, Any]
RESULT = {"out": 1, "hands": {"2": 5, "3": 7}}


@pytest.fixture
def host(client: FlaskClient) -> Seat:
    """Three with phones, after a first round."""
    host = open_table(client, "classic-112", opening=None)
    assert host.post("/rounds", {"result": RESULT, "dealer": 1}).status_code == 201
    return host


def proposed(speaker: Seat, **wish: Any) -> int:
    return int(speaker.create("/house-rules", wish)["id"])


def answer(speaker: Seat, proposal: int, approve: bool = True, **more: Any) -> Any:
    return speaker.post(f"/house-rules/{proposal}/answers", {"approve": approve, **more})


def agreed(host: Seat, **wish: Any) -> int:
    """Propose as Bo, and approve as everybody else."""
    proposal = proposed(host.seats[2], **wish)
    for seat in set(host.seats) - {2}:
        assert answer(host.seats[seat], proposal).status_code == 201
    return proposal


def opened(host: Seat, opening: str = "red-7") -> Json:
    return host.create("/rounds", {"opening": [opening]})


def table(host: Seat) -> Json:
    return dict(host.get().get_json())


# Proposing and answering


def test_with_the_last_approval_they_hold_from_the_next_round(host: Seat) -> None:
    made = host.seats[2].post("/house-rules", {"preset": "home"}).get_json()
    assert made["announcements"] == [
        "Bo proposes other house rules from the next round on.",
        "How many cards one draws: Until one can be played. Stacking draw cards: Like on like.",
    ]
    found = table(host)
    assert found["house_proposal"] == {
        "id": made["id"],
        "seat": 2,
        "options": {"stacking": "same", "draw_until": "playable"},
        "changes": {"stacking": "same", "draw_until": "playable"},
        "house_code": "D1S1",
        "text": made["announcements"][1],
        "approved": [2],
        "waiting_for": [1, 3],
        "agreed": False,
    }
    first = answer(host.seats[1], made["id"]).get_json()
    assert (first["agreed"], table(host)["house_proposal"]["waiting_for"]) == (False, [3])
    last = answer(host.seats[3], made["id"]).get_json()
    assert last["agreed"]
    assert last["announcements"][-1] == (
        "All have agreed: the new house rules hold from the next round on."
    )
    # They hold from the next round on, not before.
    assert (table(host)["house_code"], table(host)["house_proposal"]["agreed"]) == (
        "official",
        True,
    )
    assert opened(host)["options"] == {"stacking": "same", "draw_until": "playable"}
    found = table(host)
    assert (found["house_code"], found["house_proposal"]) == ("D1S1", None)
    host.move(3, "play", card="red-draw-two")
    assert host.state()["stack"] == 2


def test_a_refusal_drops_them(host: Seat) -> None:
    proposal = proposed(host, options={"jump_in": "on"})
    assert table(host)["house_proposal"]["waiting_for"] == [1, 2, 3]
    answer(host.seats[1], proposal)
    ended = answer(host.seats[3], proposal, approve=False).get_json()
    assert (ended["kind"], ended["why"], ended["seat"]) == ("house-rules-ended", "refused", 3)
    assert ended["announcements"] == ["Cy refuses: the house rules stay as they are."]
    assert table(host)["house_proposal"] is None
    problem(answer(host.seats[2], proposal), 404, "not-found")
    assert "options" not in opened(host)


def test_the_start_of_a_round_drops_what_not_all_have_approved(host: Seat) -> None:
    proposal = proposed(host.seats[2], preset="party")
    answer(host.seats[1], proposal)
    assert "options" not in opened(host)
    found = table(host)
    assert (found["house_code"], found["house_proposal"]) == ("official", None)
    problem(answer(host.seats[3], proposal), 404, "not-found")


def test_who_may_answer_for_whom(host: Seat) -> None:
    proposal = proposed(host.seats[2], preset="home")
    problem(answer(host.seats[2], proposal, seat=3), 403, "forbidden")
    refused = problem(answer(host, proposal, seat=3), 403, "forbidden")
    assert refused["detail"] == "Cy has a phone, and answers on it."
    problem(host.post("/house-rules", {"preset": "party", "seat": 3}), 403, "forbidden")
    problem(answer(host, proposal), 422, "invalid-request")
    problem(answer(host, proposal, seat=9), 422, "invalid-request")
    host.delete(f"/tokens/{host.seats[3].token_id()}")
    named = answer(host, proposal, seat=3).get_json()
    assert (named["seat"], named["by"]["role"]) == (3, "host")
    assert table(host)["house_proposal"]["approved"] == [2, 3]


def test_what_is_late_or_twice_is_told(host: Seat) -> None:
    proposal = proposed(host.seats[2], preset="home")
    problem(host.seats[3].post("/house-rules", {"preset": "party"}), 409, "conflict")
    twice = problem(answer(host.seats[2], proposal), 409, "no-effect")
    assert twice["detail"] == "Bo has approved already."
    answer(host.seats[1], proposal)
    answer(host.seats[3], proposal)
    problem(answer(host.seats[3], proposal, approve=False), 409, "conflict")
    problem(host.delete(f"/house-rules/{proposal}"), 409, "conflict")
    # The table may think again before the round.
    again = proposed(host.seats[3], preset="official")
    assert table(host)["house_proposal"]["id"] == again
    assert table(host)["house_proposal"]["changes"] == {"draw_until": "one", "stacking": "off"}


def test_what_is_agreed_holds_until_all_agree_on_something_else(host: Seat) -> None:
    proposal = agreed(host, preset="home")
    again = proposed(host.seats[3], preset="party")
    host.seats[3].delete(f"/house-rules/{again}")
    assert table(host)["house_proposal"]["id"] == proposal
    refused = proposed(host.seats[3], preset="party")
    answer(host.seats[2], refused, approve=False)
    assert table(host)["house_proposal"]["agreed"]
    # Nor does one that nobody has answered take it away.
    proposed(host.seats[3], preset="party")
    assert opened(host)["options"]["stacking"] == "same"


def test_the_same_answer_repeated_counts_once(host: Seat) -> None:
    proposal = proposed(host.seats[2], preset="home")
    path, body = f"/house-rules/{proposal}/answers", {"approve": True}
    first = host.seats[3].post(path, body, Idempotency_Key="yes-1")
    again = host.seats[3].post(path, body, Idempotency_Key="yes-1")
    assert (first.status_code, first.get_json()) == (201, again.get_json())
    stale = host.seats[1].post(path, body, If_Match='"1"')
    problem(stale, 412, "stale-version")


def test_who_proposed_or_the_host_withdraws(host: Seat) -> None:
    proposal = proposed(host.seats[2], preset="home")
    problem(host.seats[3].delete(f"/house-rules/{proposal}"), 403, "forbidden")
    assert host.seats[2].delete(f"/house-rules/{proposal}").get_json()["why"] == "withdrawn"
    proposal = proposed(host.seats[2], preset="home")
    assert host.delete(f"/house-rules/{proposal}").status_code == 200
    assert table(host)["house_proposal"] is None


def test_who_comes_is_asked_and_who_goes_is_not(host: Seat) -> None:
    proposal = proposed(host.seats[2], preset="home")
    host.post("/seats", {"name": "Di"})
    assert table(host)["house_proposal"]["waiting_for"] == [1, 3, 4]
    answer(host.seats[1], proposal)
    answer(host, proposal, seat=4)
    key = {"Idempotency_Key": "leaves-1234567890"}
    gone = host.delete("/seats/3", **key).get_json()
    assert host.delete("/seats/3", **key).get_json() == gone
    assert gone["announcements"] == ["Cy leaves the table."]
    told = host.get("/events").get_json()["items"][-1]
    assert (told["kind"], told["proposal"], told["seat"]) == (
        "house-rules-approved",
        proposal,
        None,
    )
    assert told["announcements"] == [
        "All have agreed: the new house rules hold from the next round on."
    ]
    host.post("/seats", {"name": "Ed"})
    assert table(host)["house_proposal"]["agreed"]
    # Who comes to a table that has agreed takes its rules as they are.
    assert opened(host)["options"]["stacking"] == "same"


def test_hands_too_large_for_who_came_since_are_changed_again(host: Seat) -> None:
    agreed(host, options={"hand_size": 20})
    for name in ("Di", "Ed", "Fay"):
        host.post("/seats", {"name": name})
    refused = problem(host.post("/rounds", {"opening": ["red-7"]}), 422, "invalid-request")
    assert refused["errors"][0]["field"] == "options.hand_size"
    proposal = proposed(host.seats[2], options={"hand_size": 7})
    for seat in (1, 3):
        answer(host.seats[seat], proposal)
    for seat in (4, 5, 6):
        answer(host, proposal, seat=seat)
    opened(host)
    assert host.state()["hands"] == [7] * 6


# What may change


def test_during_a_round_nothing_is_proposed(host: Seat) -> None:
    opened(host)
    refused = host.post("/house-rules", {"preset": "home"})
    assert problem(refused, 409, "conflict")["detail"] == "This is chosen between rounds."


def test_after_the_game_the_next_one_has_its_own(host: Seat) -> None:
    host.post("/games/end")
    problem(host.post("/house-rules", {"preset": "home"}), 409, "conflict")


@pytest.mark.parametrize(
    ("option", "value"),
    [("scoring", "low"), ("target", 200), ("rounds", 3), ("teams", [[1, 2], [3, 4]])],
)
def test_what_the_score_sheet_rests_on_stays(host: Seat, option: str, value: Any) -> None:
    refused = host.post("/house-rules", {"options": {option: value}})
    body = problem(refused, 422, "invalid-request")
    assert body["errors"][0] == {
        "field": f"options.{option}",
        "reason": "is settled for the whole game",
    }
    assert body["rule"] == "house.options"


def test_what_makes_no_sense_is_refused(host: Seat) -> None:
    too_many = host.post("/house-rules", {"options": {"stacking": "always"}})
    assert problem(too_many, 422, "invalid-request")["errors"][0]["field"] == "options.stacking"
    names = [f"P{n}" for n in range(10)]
    big = open_table(host.client, names=tuple(names), opening=None)
    body = problem(big.post("/house-rules", {"options": {"hand_size": 20}}), 422, "invalid-request")
    assert body["errors"][0]["field"] == "options.hand_size"
    problem(host.post("/house-rules", {"preset": "partie"}), 422, "invalid-request")
    problem(host.post("/house-rules", {"preset": "official"}), 409, "no-effect")


def test_what_is_settled_stays_without_being_named(client: FlaskClient) -> None:
    host = open_table(client, opening=None, target=200, scoring="low", stacking="any")
    proposal = proposed(host, options={"target": 200, "jump_in": "on"})
    for seat in (1, 2, 3):
        answer(host.seats[seat], proposal)
    host.post("/rounds", {"opening": ["red-7"], "dealer": 1})
    # What is not given is as in the deck.
    assert table(host)["options"] == {"scoring": "low", "target": 200, "jump_in": "on"}


@pytest.mark.parametrize("lang", languages())
def test_changes_are_told_in_every_language(host: Seat, lang: str) -> None:
    options = {"hand_size": 5, "identical_cards": True}
    made = host.seats[2].post(f"/house-rules?lang={lang}", {"options": options}).get_json()
    assert len(made["announcements"]) == 2
    assert "Bo" in made["announcements"][0]
    assert "5" in made["announcements"][1]
    refused = host.seats[3].post(f"/house-rules?lang={lang}", {"preset": "party"}).get_json()
    assert refused["detail"]


# Corrections and records


def test_a_correction_goes_back_over_the_change(host: Seat) -> None:
    agreed(host, options={"stacking": "any"})
    opened(host)
    host.move(3, "play", card="red-draw-two")
    assert host.post("/corrections", {"kind": "undo"}).status_code == 201
    assert host.post("/corrections", {"kind": "undo"}).status_code == 201
    # The round is taken back. What all have approved is not.
    found = table(host)
    assert (found["round"], found["house_code"]) == (1, "official")
    assert found["house_proposal"]["agreed"]
    assert host.post("/corrections", {"kind": "redo"}).status_code == 201
    found = table(host)
    assert (found["round"], found["house_code"], found["house_proposal"]) == (2, "S2", None)
    assert host.post("/corrections", {"kind": "undo"}).status_code == 201
    assert opened(host, "red-5")["options"] == {"stacking": "any"}
    host.move(3, "play", card="red-draw-two")
    assert host.state()["stack"] == 2


def test_an_earlier_round_put_right_is_ruled_on_by_its_own_rules(client: FlaskClient) -> None:
    host = open_table(client, "classic-112", hand_size=1)
    host.move(2, "play", card="red-draw-two")
    assert host.state()["stack"] == 0
    reveal = host.post("/moves", {"seat": 1, "move": "reveal", "hand": ["red-9"]})
    assert reveal.status_code == 201
    host.post("/moves", {"seat": 3, "move": "reveal", "hand": ["red-1", "red-2", "red-3"]})
    agreed(host, options={"stacking": "any", "hand_size": 3})
    opened(host)
    host.move(3, "play", card="red-draw-two")
    before = table(host)
    shown = {"seat": 1, "move": "reveal", "hand": ["blue-5"]}
    change = {"kind": "replace", "round": 1, "move": 2, "replacement": shown}
    host.create("/corrections", change)
    after = table(host)
    assert after["state"]["scores"][1] == before["state"]["scores"][1] - 4
    assert (after["house_code"], after["state"]["stack"]) == ("H3S2", 2)
    record = host.get("/record").get_json()
    assert record["options"] == {"hand_size": 1}
    assert record["rounds"][1]["options"] == {"stacking": "any", "hand_size": 3}


def test_undo_since_before_the_change_takes_it_back(host: Seat) -> None:
    opened(host)
    host.move(3, "draw")
    assert host.post("/corrections", {"kind": "break-off"}).status_code == 201
    agreed(host, preset="home")
    opened(host)
    host.create("/corrections", {"kind": "undo", "round": 2, "since": True})
    found = table(host)
    assert (found["round"], found["house_code"]) == (2, "official")


def test_a_record_brings_them_back(host: Seat) -> None:
    agreed(host, preset="party")
    opened(host)
    host.move(3, "play", card="red-draw-two")
    record = host.get("/record").get_json()
    assert [one.get("options") for one in record["rounds"]] == [
        None,
        {
            "stacking": "any",
            "jump_in": "on",
            "seven_zero": "on",
            "draw_until": "playable",
            "wild_draw_four": "free",
        },
    ]
    again = imported(host.client, record)
    assert again.state() == host.state()
    assert again.get("/record").get_json() == record
    assert table(again)["house_code"] == table(host)["house_code"]
    assert again.post("/corrections", {"kind": "undo"}).status_code == 201
    replayed = host.client.post(f"{API}/records/replay", json=record).get_json()
    assert replayed["state"] == host.state()


@pytest.mark.parametrize(
    ("options", "field"),
    [([], "options"), ({"target": 100}, "options.target"), ({"flip": True}, "options.flip")],
)
def test_a_record_with_impossible_changes_is_refused(
    client: FlaskClient, options: Any, field: str
) -> None:
    rounds = [
        {"dealer": 1, "result": {"out": 1, "hands": {"2": 5}}},
        {"dealer": 2, "opening": ["red-7"], "options": options, "moves": []},
    ]
    game = {"format": "referee-record/1", "ruleset": "moomin", "options": {"scoring": "winner"}}
    answer = client.post(f"{API}/records", json={**game, "seats": ["Ann", "Bo"], "rounds": rounds})
    body = problem(answer, 422, "invalid-record")
    assert (body["errors"][0]["field"], body["round"]) == (field, 2)


@pytest.mark.parametrize("deck", sorted(set(rulesets()) & {"power-grab", "color-powers", "moomin"}))
def test_every_deck_changes_them(client: FlaskClient, deck: str) -> None:
    host = open_table(client, deck, opening=None, scoring="winner")
    assert host.post("/rounds", {"result": RESULT, "dealer": 1}).status_code == 201
    agreed(host, options={"hand_size": 4, "uno_penalty": 3})
    opened(host, "red-5")
    assert host.state()["hands"] == [4, 4, 4]


def test_custom_cards_stay_in_the_deck(client: FlaskClient) -> None:
    host = open_table(client, "classic-112", opening=None)
    card = host.post("/custom-cards", {"card": {"text": "Sing.", "effects": []}, "seat": 1})
    number = card.get_json()["card_id"]
    for seat in (2, 3):
        host.seats[seat].post(f"/custom-cards/{number}/approvals", {})
    agreed(host, options={"jump_in": "on"})
    made = host.post("/rounds", {"opening": ["red-7"], "dealer": 1}).get_json()
    assert made["options"] == {"jump_in": "on"}
    found = table(host)
    assert found["options"]["jump_in"] == "on"
    assert len(found["options"]["custom_cards"]) == 1
    host.move(2, "play", card="wild-custom-1", color="blue")
    record = host.get("/record").get_json()
    assert imported(client, record).get("/record").get_json() == record


# Many at once


def test_two_last_approvals_at_once_settle_it_once(app: Flask, host: Seat) -> None:
    proposal = proposed(host.seats[2], preset="home")
    gate, answers = threading.Barrier(2), list[Any]()

    def approve(seat: int) -> None:
        phone = Seat(app.test_client(), host.seats[seat].token, host.table)
        gate.wait()
        answers.append(answer(phone, proposal).get_json())

    at_once(partial(approve, 1), partial(approve, 3))
    assert sorted(one["agreed"] for one in answers) == [False, True]
    assert table(host)["house_proposal"]["agreed"]


def test_an_approval_and_a_refusal_at_once_leave_no_doubt(app: Flask, host: Seat) -> None:
    answer(host.seats[1], proposal := proposed(host.seats[2], preset="home"))
    host.delete(f"/house-rules/{proposal}")
    proposal = proposed(host.seats[2], preset="home")
    gate, answers = threading.Barrier(2), list[int]()

    def say(seat: int, approve: bool) -> None:
        phone = Seat(app.test_client(), host.seats[seat].token, host.table)
        gate.wait()
        answers.append(answer(phone, proposal, approve).status_code)

    at_once(partial(say, 1, False), partial(say, 3, True))
    assert 201 in answers
    assert table(host)["house_proposal"] is None
