"""People come and go: join, come back, leave, other names, other places."""

import csv
import io
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from referee.service.event_log import EventLog
from tests.api.conftest import API, Seat, imported, open_table, record
from tests.api.test_bad_input import problem


def seats_of(speaker: Seat) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = speaker.get().get_json()["seats"]
    return found


def order(speaker: Seat) -> list[int]:
    found: list[int] = speaker.get().get_json()["order"]
    return found


def rename(speaker: Seat, seat: int, name: str) -> Any:
    path = f"{API}/tables/{speaker.table}/seats/{seat}"
    return speaker.call("PATCH", path, {"name": name})


def arrange(speaker: Seat, **seating: Any) -> Any:
    return speaker.call("PUT", f"{API}/tables/{speaker.table}/seating", seating)


def join(host: Seat, **new: Any) -> dict[str, Any]:
    answer = host.post("/seats", new)
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.get_json()
    return found


def play_round(host: Seat, *, dealer: int | None = None) -> None:
    """Play a round that seat 2 wins: the others hold what they show."""
    body = {"opening": ["red-7"]} | ({"dealer": dealer} if dealer else {})
    started = host.post("/rounds", body)
    assert started.status_code == 201, started.text
    finish_round(host)


def finish_round(host: Seat) -> None:
    """Let whoever is on turn go out, and the others show one card of 5 points each."""
    table = host.get().get_json()
    on_turn = table["state"]["turn"]
    for seat in table["order"]:
        host.post("/corrections", {"kind": "hand-count", "seat": seat, "count": 1})
    host.move(on_turn, "play", card="red-9")
    for need in host.state()["awaiting"]:
        assert need["need"] == "reveal"
        color = ("green", "blue")[need["seat"] // 2 % 2]
        host.move(need["seat"], "reveal", hand=[f"{color}-5"])
    assert host.state()["awaiting"] == []


def reloaded(app: Flask, host: Seat) -> None:
    """Check that a table read from its log, or its snapshot, is the same."""
    log: EventLog = app.extensions["referee"]
    known = log.table(host.table)
    before = host.get().get_json()
    shot = known.snapshot()
    log.cache.clear()
    assert host.get().get_json() == before
    again = log.table(host.table)
    assert (again.state, again.meta) == (known.state, known.meta)
    again.restore(known.version, shot)
    assert (again.state, again.meta) == (known.state, known.meta)


def test_a_newcomer_joins_between_rounds(app: Flask, host: Seat) -> None:
    problem(host.post("/seats", {"name": "Di"}), 409, "conflict")
    finish_round(host)
    made = join(host, name="Di", place=2)
    assert made["seats"] == {"order": [1, 4, 2, 3], "join": {"4": 0}, "names": {"4": "Di"}}
    assert made["announcements"] == ["Di joins the table with 0 points."]
    assert order(host) == [1, 4, 2, 3]
    assert seats_of(host)[3] == {
        "seat": 4,
        "name": "Di",
        "in": True,
        "taken": False,
        "language": None,
        "host": False,
    }
    code = host.get().get_json()["code"]
    joined = host.client.post(f"{API}/join", json={"code": code, "seat": 4}).get_json()
    di = Seat(host.client, joined["token"], host.table)
    host.seats[4] = di
    # The deal passes to Di's left neighbour after Di: Ann dealt, so Di deals.
    assert host.get().get_json()["next_dealer"] == 4
    assert di.post("/rounds", {"opening": ["red-7"]}).status_code == 201
    assert host.state()["hands"] == [7, 7, 7, 7]
    assert host.state()["turn"] == 2
    finish_round(host)
    sheet = host.get("/scores").get_json()
    assert sheet["seats"] == ["Ann", "Bo", "Cy", "Di"]
    assert [one["points"] for one in sheet["rounds"]] == [[0, 10, 0, None], [0, 15, 0, 0]]
    assert [one["scores"][3] for one in sheet["rounds"]] == [None, 0]
    lines = list(csv.reader(io.StringIO(host.get("/scores.csv").text.lstrip("\ufeff"))))
    assert lines[0][3:] == ["Ann", "Bo", "Cy", "Di"]
    assert [line[-1] for line in lines[1:]] == ["", "0", "0"]
    assert host.get("/scores.svg").text.count("<polyline") == 4
    assert host.get("/rounds").get_json()["items"][0]["scores"][3] is None
    reloaded(app, host)


def test_a_record_holds_who_came_and_went(host: Seat) -> None:
    finish_round(host)
    join(host, name="Di", place=1, points=40)
    rename(host.seats[3], 3, "Cyd")
    play_round(host)
    host.delete("/seats/1")
    arrange(host, order=[2, 4, 3], dealer=3)
    host.post("/rounds", {"opening": ["red-7"]})
    host.move(2, "leave")
    rename(host, 4, "Dina")
    record = host.get("/record").get_json()
    assert record["rounds"][1]["order"] == [4, 1, 2, 3]
    assert record["rounds"][1]["join"] == {"4": 40}
    made = host.client.post(f"{API}/records", json=record)
    assert made.status_code == 201, made.text
    table = made.get_json()["table"]
    mine = host.get().get_json()
    assert table["state"] == mine["state"]
    assert [seat["name"] for seat in table["seats"]] == ["Ann", "Bo", "Cyd", "Dina"]
    assert (table["order"], mine["order"]) == ([4, 3], [4, 3])


def test_somebody_leaves_in_a_round_and_comes_back(app: Flask, host: Seat) -> None:
    bo = host.seats[2]
    problem(bo.delete("/seats/3"), 403, "forbidden")
    left = bo.delete("/seats/2").get_json()
    assert (left["kind"], left["move"]) == ("moved", {"seat": 2, "move": "leave"})
    assert (host.state()["turn"], host.state()["hands"]) == (3, [7, 0, 7])
    assert [seat["in"] for seat in seats_of(host)] == [True, False, True]
    assert order(bo) == [1, 3]
    code = host.get().get_json()["code"]
    bo.delete("/tokens/self")
    del host.seats[2]
    problem(host.client.post(f"{API}/join", json={"code": code, "seat": 2}), 409, "conflict")
    assert host.post("/moves", {"seat": 2, "move": "draw"}).get_json()["ruling"]["verdict"] == (
        "illegal"
    )
    finish_round(host)
    # Cy goes out; Bo was there when the round began.
    assert host.get("/scores").get_json()["rounds"][0]["points"] == [0, 0, 5]
    back = join(host, seat=2)
    assert back["announcements"] == ["Bo is back with 0 points."]
    assert order(host) == [1, 2, 3]
    problem(host.post("/seats", {"seat": 2}), 409, "conflict")
    play_round(host)
    reloaded(app, host)


def test_somebody_leaves_between_rounds(app: Flask, host: Seat) -> None:
    finish_round(host)
    scores = host.state()["scores"]
    gone = host.seats[2].post("/moves", {"move": "leave"}).get_json()
    assert gone["announcements"] == ["Bo leaves the table."]
    assert order(host) == [1, 3]
    assert host.state()["hands"][1] == 0
    again = imported(host.client, host.get("/record").get_json())
    assert again.state() == host.state()
    # Bo would have dealt.
    assert host.get().get_json()["next_dealer"] == 3
    problem(host.delete("/seats/2"), 409, "conflict")
    play_round(host)
    assert host.state()["scores"][1] == scores[1]
    assert host.get("/scores").get_json()["rounds"][1]["points"][1] is None
    # One comes back with the points on the sheet.
    host.delete("/seats/3")
    problem(host.delete("/seats/1"), 409, "conflict")
    problem(host.post("/rounds", {"opening": ["red-7"]}), 422, "invalid-request")
    assert join(host, seat=2)["seats"]["join"] == {"2": scores[1]}
    play_round(host)
    reloaded(app, host)


def test_down_to_one_the_round_is_over_without_points(host: Seat) -> None:
    host.delete("/seats/2")
    host.seats[3].delete("/seats/3")
    state = host.state()
    assert (state["turn"], state["awaiting"], state["scores"]) == (None, [], [0, 0, 0])
    assert order(host) == [1]
    problem(host.seats[1].delete("/seats/1"), 409, "conflict")
    assert host.get("/scores").get_json()["rounds"] == []
    join(host, name="Di")
    play_round(host, dealer=1)


def test_the_seats_change_before_the_first_round(client: FlaskClient, app: Flask) -> None:
    host = open_table(client, "classic-112", opening=None)
    host.post("/deal-draws", {"draws": [{"seat": 1, "card": "red-7"}]})
    host.post("/custom-cards", {"card": {"text": "Sing.", "effects": []}, "seat": 1})
    host.post("/custom-cards/1/approvals", {"seat": 3})
    host.seats[2].delete("/seats/2")
    assert host.get().get_json()["deal_draws"]["drawn"] == []
    (card,) = host.get("/custom-cards").get_json()["items"]
    assert card["missing"] == []
    join(host, name="Di", place=1)
    (card,) = host.get("/custom-cards").get_json()["items"]
    assert card["missing"] == [4]
    refused = problem(
        host.post("/rounds", {"opening": ["red-7"], "dealer": 4}), 409, "not-approved"
    )
    assert refused["seats"] == [4]
    host.post("/custom-cards/1/approvals", {"seat": 4})
    problem(
        host.post("/deal-draws", {"draws": [{"seat": 2, "card": "red-9"}]}), 422, "invalid-request"
    )
    draws = [{"seat": seat, "card": f"red-{seat}"} for seat in (1, 3, 4)]
    assert host.post("/deal-draws", {"draws": draws}).get_json()["dealer"] == 4
    assert host.post("/rounds", {"opening": ["red-7"]}).status_code == 201
    assert (host.state()["turn"], host.state()["hands"]) == (1, [7, 0, 7, 7])
    reloaded(app, host)


def test_a_new_name_shows_everywhere(app: Flask, host: Seat) -> None:
    host.move(2, "play", card="red-9")
    problem(rename(host.seats[3], 2, "Bob"), 403, "forbidden")
    named = rename(host.seats[2], 2, "Bob").get_json()
    assert named["announcements"] == ["Bo is now called Bob."]
    assert seats_of(host)[1]["name"] == "Bob"
    told = host.get("/events?limit=200").get_json()["items"]
    played = next(item for item in told if item["kind"] == "moved")
    assert played["announcements"][0] == "Bob plays a red 9."
    assert host.post("/corrections", {"kind": "undo"}).status_code == 201
    assert seats_of(host)[1]["name"] == "Bob"
    finish_round(host)
    assert rename(host, 1, "Anna").status_code == 200
    assert host.get("/scores.csv").text.splitlines()[0].endswith("Anna,Bob,Cy")
    assert "Anna" in host.get("/scores.svg").text
    assert host.get("/record").get_json()["rounds"][0]["names"] == {"1": "Anna", "2": "Bob"}
    problem(rename(host, 1, "Bob"), 422, "invalid-request")
    problem(rename(host, 1, "  "), 422, "invalid-request")
    problem(rename(host, 9, "Di"), 422, "invalid-request")
    reloaded(app, host)


def test_a_name_is_right_in_the_record_before_the_first_round(client: FlaskClient) -> None:
    host = open_table(client, opening=None)
    rename(host, 1, "Anna")
    assert host.get("/record").get_json()["seats"] == ["Anna", "Bo", "Cy"]


def test_order_and_dealer_are_the_host_s_between_rounds(host: Seat) -> None:
    problem(arrange(host, order=[1, 3, 2]), 409, "conflict")
    finish_round(host)
    problem(arrange(host.seats[2], order=[1, 3, 2]), 403, "forbidden")
    for wrong in ({}, {"order": [1, 2]}, {"order": [1, 2, 2]}, {"dealer": 4}, {"order": [1, 2, 9]}):
        problem(arrange(host, **wrong), 422, "invalid-request")
    done = arrange(host, order=[1, 3, 2], dealer=2).get_json()
    assert done["announcements"] == [
        "At the table, clockwise: Ann, Cy and Bo.",
        "Bo deals next.",
    ]
    assert host.get().get_json()["next_dealer"] == 2
    host.post("/rounds", {"opening": ["red-7"]})
    assert host.state()["turn"] == 1
    host.move(1, "play", card="red-1")
    assert host.state()["turn"] == 3


def test_points_to_start_with(client: FlaskClient) -> None:
    host = open_table(client, scoring="low")
    finish_round(host)
    assert host.state()["scores"] == [5, 0, 5]
    assert join(host, name="Di")["seats"]["join"] == {"4": 5}
    assert join(host, name="Eve", points=1)["seats"]["join"] == {"5": 1}
    host.delete("/seats/3")
    assert join(host, seat=3, name="Cyd")["seats"]["join"] == {"3": 5}
    assert seats_of(host)[2]["name"] == "Cyd"


def test_who_cannot_join(client: FlaskClient) -> None:
    names = tuple("ABCDEFGHIJ")
    host = open_table(client, names=names, opening=None)
    full = problem(host.post("/seats", {"name": "K"}), 409, "conflict")
    assert full["detail"] == "At most 10 players can play."
    host.delete("/seats/3")
    for wrong in (
        {},
        {"name": "A"},
        {"name": "K", "place": 11},
        {"name": "K", "points": -1},
        {"name": "K", "order": [1]},
        {"seat": 12},
        {"seat": 0},
    ):
        problem(host.post("/seats", wrong), 422, "invalid-request")
    problem(host.seats[2].post("/seats", {"name": "K"}), 403, "forbidden")


@pytest.mark.parametrize("name", ["bo", " Bo ", "\uff22\uff4f", "B\u200bo"])
def test_a_name_that_looks_like_another_is_taken(client: FlaskClient, name: str) -> None:
    host = open_table(client, opening=None)
    before = host.get().get_json()
    made = {"ruleset": "classic-108", "seats": ["Bo", name]}
    for answer, field in (
        (host.post("/seats", {"name": name}), "name"),
        (rename(host, 3, name), "name"),
        (client.post(f"{API}/tables", json=made), "seats[1]"),
    ):
        errors = problem(answer, 422, "invalid-request")["errors"]
        assert errors == [{"field": field, "reason": "the name 'Bo' is taken"}]
    assert host.get().get_json() == before
    assert rename(host, 2, name).status_code == 200


@pytest.mark.parametrize("name", ["\u200b", "a\nb", "\u202eyA", "\ufe0f", "a\u2028b"])
def test_a_name_can_be_read(client: FlaskClient, name: str) -> None:
    host = open_table(client, opening=None)
    made = {"ruleset": "classic-108", "seats": ["Ann", name]}
    for answer in (
        host.post("/seats", {"name": name}),
        rename(host, 2, name),
        client.post(f"{API}/tables", json=made),
    ):
        problem(answer, 422, "invalid-request")
    # Emoji may be joined by an unseen letter, and a record keeps the names it has.
    join(host, name="\U0001f469\u200d\U0001f466")
    imported(client, {**record(), "seats": ["Ann", name]})


def test_a_number_s_next_owner_is_rid_of_the_last_one_s_phone(app: Flask, host: Seat) -> None:
    finish_round(host)
    join(host, name="Di")
    code = host.get().get_json()["code"]
    taken = host.client.post(f"{API}/join", json={"code": code, "seat": 4}).get_json()
    di = Seat(host.client, taken["token"], host.table)
    host.post("/corrections", {"kind": "undo"})
    assert di.get().status_code == 200
    joined = join(host, name="Eve")
    assert joined["announcements"] == ["Eve joins the table with 0 points."]
    problem(rename(di, 4, "Mine"), 401, "not-authenticated")
    problem(di.get(), 401, "not-authenticated")
    assert not seats_of(host)[3]["taken"]
    assert host.seats[3].get().status_code == 200
    reloaded(app, host)
    problem(di.get(), 401, "not-authenticated")


def test_more_than_ten_have_had_a_seat(app: Flask) -> None:
    host = open_table(app.test_client(), names=tuple("ABCDEFGHIJ"), opening=None)
    host.delete("/seats/3")
    join(host, name="K", place=3)
    assert host.post("/rounds", {"opening": ["red-7"], "dealer": 2}).status_code == 201
    assert host.state()["turn"] == 11
    assert host.move(11, "draw")["ruling"]["verdict"] == "legal"
    rename(host, 11, "Kay")
    host.post("/corrections", {"kind": "undo"})
    assert (host.state()["turn"], seats_of(host)[10]["name"]) == (11, "Kay")
    reloaded(app, host)


def test_a_change_of_seats_is_made_once(host: Seat) -> None:
    finish_round(host)
    version = host.get().headers["ETag"]
    first = host.post("/seats", {"name": "Di"}, Idempotency_Key="join-1")
    again = host.post("/seats", {"name": "Di"}, Idempotency_Key="join-1")
    assert first.get_json() == again.get_json()
    problem(host.post("/seats", {"name": "Eve"}, If_Match=version), 412, "stale-version")
    problem(host.delete("/seats/4", If_Match=version), 412, "stale-version")
    assert order(host) == [1, 2, 3, 4]


def test_undo_takes_back_who_came_and_keeps_names(app: Flask, host: Seat) -> None:
    finish_round(host)
    shown = host.get("/record").get_json()["rounds"][0]["moves"][-1]
    join(host, name="Di", place=1)
    rename(host, 2, "Bob")
    arrange(host, dealer=4)
    # The last move cannot fall while others sit down for the next round already.
    refused = host.post("/corrections", {"kind": "undo", "round": 1})
    assert problem(refused, 409, "conflict")["detail"] == (
        "With this correction round 2 could not have begun: seats change between rounds only."
    )
    undone = host.post("/corrections", {"kind": "undo"}).get_json()
    assert undone["announcements"][-1] == "At the table, clockwise: Ann, Bob and Cy."
    assert (order(host), len(seats_of(host))) == ([1, 2, 3], 3)
    assert host.get().get_json()["next_dealer"] == 2
    assert host.post("/corrections", {"kind": "redo"}).status_code == 201
    assert (order(host), host.get().get_json()["next_dealer"]) == ([4, 1, 2, 3], 4)
    host.post("/corrections", {"kind": "undo"})
    assert host.post("/corrections", {"kind": "undo"}).status_code == 201
    assert host.state()["awaiting"] == [{"seat": shown["seat"], "need": "reveal"}]
    reloaded(app, host)


@pytest.mark.parametrize("change", ["undo", "hand-count"])
def test_a_correction_keeps_who_came(host: Seat, change: str) -> None:
    finish_round(host)
    join(host, name="Di", place=1)
    host.post("/rounds", {"opening": ["red-7"], "dealer": 4})
    host.move(1, "draw")
    more = {"seat": 4, "count": 3} if change == "hand-count" else {}
    done = host.post("/corrections", {"kind": change, **more})
    assert done.status_code == 201, done.text
    assert order(host) == [4, 1, 2, 3]
    assert [seat["name"] for seat in seats_of(host)] == ["Ann", "Bo", "Cy", "Di"]


def test_who_was_to_deal_leaves(host: Seat) -> None:
    finish_round(host)
    arrange(host, dealer=3)
    gone = host.delete("/seats/3").get_json()
    assert gone["announcements"] == ["Cy leaves the table."]
    assert host.get().get_json()["next_dealer"] == 2
    host.post("/rounds", {"opening": ["red-7"]})
    assert host.state()["turn"] == 1
    host.move(1, "draw")
    assert host.post("/corrections", {"kind": "undo"}).status_code == 201
    assert (order(host), host.state()["turn"]) == ([1, 2], 1)


def test_a_name_changes_nothing_else(host: Seat) -> None:
    host.seats[2].delete("/seats/2")
    for seat in (1, 3):
        host.post("/corrections", {"kind": "hand-count", "seat": seat, "count": 1})
    host.move(3, "play", card="red-9")
    rename(host, 1, "Anna")
    host.move(1, "reveal", hand=["green-5"])
    assert host.get("/scores").get_json()["rounds"][0]["played"] == [1, 2, 3]
    rename(host, 1, "Ann")
    assert host.get().get_json()["next_dealer"] == 3
    # Undo takes back the last move, not the name.
    host.post("/corrections", {"kind": "undo"})
    assert host.state()["awaiting"] == [{"seat": 1, "need": "reveal"}]
    assert seats_of(host)[0]["name"] == "Ann"


def test_who_comes_and_goes_while_rounds_are_set_aside(app: Flask) -> None:
    host = open_table(app.test_client(), opening=None, target=60)
    for out in (2, 1, 3):
        hands = {str(seat): 5 for seat in (1, 2, 3) if seat != out}
        assert host.post("/rounds", {"result": {"out": out, "hands": hands}}).status_code == 201
    high = {"out": 1, "hands": {"2": 50, "3": 50}}
    late = {"kind": "result", "round": 2, "result": high}
    assert host.post("/corrections", late).get_json()["aside"] == [3]
    rename(host, 2, "Bob")
    host.delete("/seats/3")
    join(host, name="Di")
    seats = seats_of(host)
    result = {"out": 2, "hands": {"1": 1, "3": 1}}
    host.post("/corrections", {"kind": "result", "round": 1, "result": result})
    assert (order(host), seats_of(host)) == ([1, 2, 4], seats)
    reloaded(app, host)
    again = imported(host.client, host.get("/record").get_json())
    assert (order(again), seats_of(again)[1]["name"]) == ([1, 2], "Bob")
    # Undo takes back who came and went; the round comes back with those who played it.
    host.post("/corrections", {"kind": "undo"})
    assert (order(host), seats_of(host)[1]["name"]) == ([1, 2, 3], "Bob")
    host.post("/corrections", {"kind": "redo"})
    assert (order(host), seats_of(host)) == ([1, 2, 4], seats)
    low = {"out": 1, "hands": {"2": 5, "3": 5}}
    host.post("/corrections", {"kind": "result", "round": 2, "result": low})
    assert (order(host), seats_of(host)[1]["name"]) == ([1, 2, 3], "Bob")
    assert host.post("/rounds", {"opening": ["red-7"], "dealer": 1}).status_code == 201
    reloaded(app, host)


def test_the_newest_name_counts_after_a_correction(app: Flask, host: Seat) -> None:
    host.post("/corrections", {"kind": "break-off"})
    rename(host, 2, "Bob")
    # The round goes on.
    host.post("/corrections", {"kind": "redo"})
    rename(host, 2, "Bobby")
    host.post("/corrections", {"kind": "hand-count", "seat": 2, "count": 3})
    assert seats_of(host)[1]["name"] == "Bobby"
    reloaded(app, host)


def test_who_leaves_and_comes_back_between_rounds_holds_no_cards(app: Flask, host: Seat) -> None:
    finish_round(host)
    host.delete("/seats/3")
    join(host, seat=3)
    before = host.state()
    assert before["hands"][2] == 0
    rename(host, 3, "Cyd")
    host.post("/corrections", {"kind": "break-off"})
    host.post("/corrections", {"kind": "redo"})
    assert host.state() == before
    reloaded(app, host)
