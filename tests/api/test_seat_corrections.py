"""Corrections beside people who come, go and change names."""

import pytest
from flask import Flask

from tests.api.conftest import Seat, imported, open_table
from tests.api.reloaded import reloaded
from tests.api.seating import arrange, finish_round, join, order, rename, seats_of
from tests.api.test_bad_input import problem


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
    host.create("/corrections", {"kind": change, **more})
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
    host.count_hands(1, 1, 3)
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
