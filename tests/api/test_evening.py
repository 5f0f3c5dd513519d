"""A whole evening at one table: everything that people do beyond the rules, and nothing is lost."""

from pathlib import Path
from typing import Any

from flask import Flask

from tests.api.conftest import API, Seat, open_table
from tests.api.reloaded import reloaded
from tests.api.test_exports import check_export, illegal

Json = dict[str, Any]
NAMES = ("Ann", "Bo", "Cy", "Dot")


def scores(host: Seat) -> list[int]:
    return host.state()["scores"]


def count(host: Seat, **hands: int) -> None:
    """Set the counts of hands right: ``s1=3`` for three cards at seat 1."""
    for name, cards in hands.items():
        seat = int(name[1:])
        if host.state()["hands"][seat - 1] != cards:
            host.correct("hand-count", seat=seat, count=cards)


def misdealt_and_left(host: Seat) -> None:
    """Deal a round badly, and again; Bo leaves in the middle of it."""
    host.seats[1].post("/rounds", {"opening": ["red-7"], "dealer": 1})
    host.move(2, "play", card="blue-9")
    host.move(2, "play", card="red-9")
    host.correct("break-off")
    assert host.get().get_json()["next_dealer"] == 1
    host.seats[1].post("/rounds", {"opening": ["green-4"]})
    host.move(2, "play", card="green-6")
    host.move(3, "draw")
    host.move(3, "pass")
    host.move(1, "draw")
    host.move(4, "play", card="green-2")
    assert host.move(1, "draw")["ruling"]["verdict"] == "legal"
    host.move(1, "pass")
    left = host.seats[2].delete("/seats/2")
    assert left.status_code in (200, 201), left.text
    # Three moves later somebody sees that Dot laid another card.
    host.move(3, "play", card="green-7")
    other = {"seat": 4, "move": "play", "card": "blue-6"}
    host.correct("replace", round=2, move=5, replacement=other)
    host.correct("undo")
    host.correct("redo")
    host.correct("undo")
    host.correct("replace", round=2, move=5, replacement={**other, "card": "green-5"})


def ended_with_a_hand_unknown(host: Seat) -> None:
    """Cy goes out; nobody can show the hand of Dot."""
    count(host, s1=2, s3=1, s4=3)
    while host.state()["turn"] != 3:
        seat = host.state()["turn"]
        host.move(seat, "draw")
        host.move(seat, "pass")
    count(host, s1=2, s4=3)
    host.move(3, "play", card="green-1")
    assert host.state()["round_winner"] == 3
    host.move(1, "reveal", hand=["red-9", "blue-skip"])
    assert host.move(4, "reveal", hand=["red-1"])["ruling"]["verdict"] == "illegal"
    host.post("/moves", {"seat": 4, "move": "reveal", "unknown": True})
    assert scores(host) == [0, 0, 29, 0]


def came_and_counted(host: Seat) -> None:
    """Eve joins, and a round is entered by its result, put right later."""
    host.create("/seats", {"name": "Eve"})
    host.seats[5] = host.join(5)
    host.call("PUT", f"{API}/tables/{host.table}/mode", {"mode": "score"})
    result = {"out": 5, "hands": {"1": ["wild"], "3": 12, "4": None}}
    host.create("/rounds", {"result": result})
    host.correct("result", result={**result, "hands": {**result["hands"], "4": 8}})
    assert scores(host) == [0, 0, 29, 0, 70]
    host.call("PUT", f"{API}/tables/{host.table}/mode", {"mode": "referee"})


def played_another_game(host: Seat) -> None:
    """End the game in the middle of a round, and play the next with another deck."""
    host.post("/rounds", {"opening": ["red-7"]})
    host.post("/games/end")
    assert host.state()["winner"] == 5
    host.create("/games", {"ruleset": "power-grab", "options": {"scoring": "low"}})
    view = host.get().get_json()
    assert [seat["in"] for seat in view["seats"]] == [True, False, True, True, True]
    host.create("/rounds", {"opening": ["red-7"], "dealer": 4})
    assert host.move(5, "play", card="red-3:U")["state"]["powers"]["U"] == 5
    assert host.move(2, "draw")["ruling"]["verdict"] == "illegal"
    host.seats[5].post("/moves", {"move": "uno"})
    count(host, s1=1)
    host.move(1, "play", card="red-9")
    for seat in (3, 4, 5):
        host.move(seat, "reveal", points=seat)
    assert scores(host) == [0, 0, 3, 4, 5]
    host.post("/rounds", {"result": {"out": 3, "hands": {"1": 7, "4": ["red-1"], "5": 0}}})
    assert scores(host) == [7, 0, 3, 5, 5]


PARTS = (misdealt_and_left, ended_with_a_hand_unknown, came_and_counted, played_another_game)


def test_a_whole_evening(app: Flask, tmp_path: Path) -> None:
    host = open_table(app.test_client(), names=NAMES, opening=None)
    for part in PARTS:
        part(host)
        check_export(host, tmp_path)
    first = check_export(host, tmp_path, game=1)
    assert first["ended"] is True
    assert [played.get("broken_off", False) for played in first["rounds"]] == [
        *(True, False, False, True)
    ]
    assert len(illegal(first)) == 3
    second = check_export(host, tmp_path)
    assert second["seats"] == [*NAMES, "Eve"]
    assert second["rounds"][0]["order"] == [1, 3, 4, 5]
    assert [item["winner"] for item in host.get("/games").get_json()["items"]] == [5, None]
    reloaded(app, host)
    for lang in ("de", "fi", "ru"):
        page = host.get(f"/events?limit=200&lang={lang}").get_json()["items"]
        assert all(text for entry in page for text in entry.get("announcements", []))
