"""Tournaments: draw, tables, clock, results, standings, as clients see them."""

import csv
import io
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from referee.service.access import Principal
from referee.service.log.preconditions import WriteRequest
from referee.service.people.operator import close_table, purge_tables
from tests.api.clubs import NAMES, Club, Send, open_club, sender
from tests.conftest import both_stores


@pytest.fixture
def send(client: FlaskClient) -> Send:
    return sender(client)


@pytest.fixture
def club(send: Send) -> Club:
    return open_club(send)


def seated(shown: dict[str, Any]) -> list[list[int]]:
    """Return the players of each table."""
    return [[seat["player"] for seat in table["seats"]] for table in shown["tables"]]


@both_stores
def test_a_round_from_the_draw_to_the_standings(send: Send) -> None:
    club = open_club(send, options={"target": 100})
    drawn = club.call("POST", "/rounds", {})
    assert drawn["state"] == "drawn"
    assert sorted(player for one in seated(drawn) for player in one) == list(range(1, 9))
    begun = club.call("POST", "/rounds/1/start", {})
    assert seated(begun) == seated(drawn)
    first = begun["tables"][0]
    names = [seat["name"] for seat in first["seats"]]
    _, table = send("GET", f"/tables/{first['table_id']}", club.token)
    assert [seat["name"] for seat in table["seats"]] == names
    assert table["tournament"] == {"id": club.id, "round": 1, "table": 1}
    # A phone at each seat; the game ends at 100, and so comes the result.
    phones = {seat: club.join(first, seat) for seat in range(1, 5)}
    club.count(first, 2, [60, 0, 50, 10])
    one = club.call("GET", "/rounds/1")["tables"][0]
    assert (one["state"], one["result"]["source"]) == ("waiting", "table")
    assert [s["score"] for s in one["result"]["seats"]] == [0, 120, 0, 0]
    assert [s["points"] for s in one["result"]["seats"]] == [1, 4, 1, 1]
    path = "/rounds/1/tables/1/confirmations"
    for seat in (1, 2, 3):
        club.call("POST", path, {"agrees": True}, phones[seat])
    assert club.standings()[0]["points"] == 0
    assert club.call("POST", path, {"agrees": True}, phones[4])["state"] == "confirmed"
    # The other table has no phones.
    club.enter(1, 2, [10, 40, 40, 0])
    assert club.call("GET")["present"]["state"] == "over"
    rows = club.standings()
    places = [(row["rank"], row["points"], row["wins"], row["game_points"]) for row in rows]
    assert places == [
        *((1, 4, 1, 120), (2, 3, 1, 40), (2, 3, 1, 40), (4, 1, 0, 10)),
        *((5, 1, 0, 0),) * 3,
        (8, 0, 0, 0),
    ]


def test_who_sees_what(club: Club, send: Send) -> None:
    begun = club.play()
    status, seen = send("GET", f"/tournaments/{club.id}")
    assert status == 200
    assert seen["present"]["tables"][0]["code"] is None
    assert "organisers" not in seen
    assert begun["tables"][0]["code"]
    assert club.call("GET")["organisers"]
    log = club.call("GET", "/events")["items"]
    assert [entry["kind"] for entry in log] == ["created", "round-drawn", "round-started"]
    assert club.token not in str(log)
    club.call("PATCH", "", {"public": False})
    assert send("GET", f"/tournaments/{club.id}/standings")[0] == 401
    assert send("GET", f"/tournaments/{club.id}/standings", open_club(send).token)[0] == 403
    phone = club.join(begun["tables"][0], 1)
    assert send("GET", f"/tournaments/{club.id}/standings", phone)[0] == 200


def test_a_correction_at_the_table_opens_the_result_again(club: Club, send: Send) -> None:
    club.call("PATCH", "", {"options": {"target": 50}})
    table = club.play()["tables"][0]
    phone = club.join(table, 1)
    club.count(table, 1, [0, 30, 30, 5])
    path = "/rounds/1/tables/1/confirmations"
    first = club.call("POST", path, {"agrees": True}, phone)["result"]["id"]
    assert club.call("POST", path, {"agrees": True})["state"] == "confirmed"
    change = {"kind": "result", "result": {"out": 1, "hands": {"2": 30, "3": 25, "4": 5}}}
    status, corrected = send("POST", f"/tables/{table['table_id']}/corrections", club.token, change)
    assert status == 201, corrected
    again = club.call("GET", "/rounds/1")["tables"][0]
    assert again["state"] == "waiting"
    assert [seat["score"] for seat in again["result"]["seats"]] == [60, 0, 0, 0]
    assert {seat["verdict"] for seat in again["result"]["seats"]} == {"open"}
    late = {"agrees": True, "result": first}
    assert club.refused("POST", path, late, phone)[0] == 409
    # A correction after which the game goes on takes the result back.
    change["result"]["hands"] = {"2": 1, "3": 1, "4": 1}
    send("POST", f"/tables/{table['table_id']}/corrections", club.token, change)
    assert club.call("GET", "/rounds/1")["tables"][0]["state"] == "playing"


def test_a_dispute_is_for_the_organiser(club: Club) -> None:
    table = club.play()["tables"][1]
    phones = [club.join(table, seat) for seat in range(1, 5)]
    path = "/rounds/1/tables/2"
    entered = club.call("PUT", f"{path}/result", {"scores": [9, 5, 1, 0]}, phones[0])
    assert [s["verdict"] for s in entered["result"]["seats"]] == ["confirmed", *["open"] * 3]
    said = {"agrees": False, "reason": "I had 7."}
    assert club.call("POST", f"{path}/confirmations", said, phones[2])["state"] == "disputed"
    other = {"agrees": True, "seat": 4}
    assert club.refused("POST", f"{path}/confirmations", other, phones[0])[0] == 403
    decided = club.enter(1, 2, [9, 5, 7, 0])
    assert (decided["state"], decided["result"]["decided"]) == ("confirmed", True)
    more = {"scores": [99, 0, 0, 0]}
    assert club.refused("PUT", f"{path}/result", more, phones[0])[0] == 409
    assert club.refused("POST", f"{path}/confirmations", said, phones[0])[0] == 409
    elsewhere = "/rounds/1/tables/1/result"
    assert club.refused("PUT", elsewhere, {"scores": [1, 0, 0, 0]}, phones[0])[0] == 403


def test_who_comes_late_pauses_and_drops_out(send: Send) -> None:
    club = open_club(send, NAMES[:5], table_size=2, format="free")
    first = club.call("POST", "/rounds", {})
    assert [len(table["seats"]) for table in first["tables"]] == [2, 2]
    byes = [first["byes"][0]["player"]]
    club.call("POST", "/rounds/1/start", {})
    for number in (1, 2):
        club.enter(1, number, [10, 0])
    mean = {row["player"]: row["points"] for row in club.standings()}[byes[0]]
    assert mean == 3  # (4 + 2) / 2
    for number in range(2, 6):
        drawn = club.play()
        byes.append(drawn["byes"][0]["player"])
        for table in (1, 2):
            club.enter(number, table, [10, 0])
    assert sorted(byes) == [1, 2, 3, 4, 5]
    assert "taken" in club.refused("POST", "/players", {"players": ["ann"]})[1]
    added = club.call("POST", "/players", {"players": ["Zoe", "Yan"]})
    assert [one["player"] for one in added["players"]][-2:] == [6, 7]
    club.call("PATCH", "/players/1", {"status": "out"})
    club.call("PATCH", "/players/2", {"status": "paused"})
    drawn = club.call("POST", "/rounds", {})
    playing = {player for table in seated(drawn) for player in table}
    playing |= {bye["player"] for bye in drawn["byes"]}
    assert playing == {3, 4, 5, 6, 7}


def test_a_draw_can_be_taken_back_until_somebody_plays(club: Club, send: Send) -> None:
    begun = club.play()
    table = begun["tables"][0]
    assert club.call("DELETE", "/rounds/1")["drawn"] == 0
    _, closed = send("GET", f"/tables/{table['table_id']}", club.token)
    assert closed["closed"]
    own = [[1, 2, 3], [4, 5, 6]]
    again = club.play(tables=own)
    assert (seated(again), [bye["player"] for bye in again["byes"]]) == (own, [7, 8])
    assert [one["state"] for one in again["tables"]] == ["drawn", "drawn"]
    club.count(again["tables"][0], 1, [0, 5, 5])
    states = [one["state"] for one in club.call("GET", "/rounds/1")["tables"]]
    assert states == ["playing", "drawn"]
    assert club.refused("DELETE", "/rounds/1")[0] == 409
    status, said = club.refused("POST", "/rounds", {})
    assert (status, said) == (409, "Round 1 lacks confirmed results of these tables: 1, 2.")
    drawn = club.call("POST", "/rounds", {"force": True})
    assert drawn["round"] == 2
    states = [one["state"] for one in club.call("GET", "/rounds/1")["tables"]]
    assert states == ["confirmed", "void"]


@pytest.mark.parametrize("how", ["closed", "purged"])
def test_a_table_that_is_gone_holds_nobody_up(club: Club, send: Send, app: Flask, how: str) -> None:
    def lose(seated: dict[str, Any]) -> None:
        log, table_id = app.extensions["referee"], seated["table_id"]
        if how == "closed":
            operator = WriteRequest(Principal("", table_id, "operator"))
            close_table(log, log.table(table_id), operator, None)
        else:
            purge_tables(log, [table_id])

    lose(club.play()["tables"][0])
    assert club.call("DELETE", "/rounds/1")["drawn"] == 0
    first, second = club.play()["tables"]
    for table in (first, second):
        club.count(table, 1, [0, 5, 5, 5])
    lose(first)
    ended = club.call("POST", "/rounds/1/end")
    assert [one["state"] for one in ended["tables"]] == ["playing", "waiting"]
    assert club.refused("POST", "/rounds", {})[0] == 409
    assert club.call("POST", "/rounds", {"force": True})["round"] == 2
    states = [one["state"] for one in club.call("GET", "/rounds/1")["tables"]]
    assert states == ["void", "confirmed"]


def test_an_evening_is_over_once_all_its_rounds_are(club: Club) -> None:
    club.call("PATCH", "", {"rounds": 2, "options": {"target": 10}})
    table = club.play()["tables"][0]
    club.count(table, 1, [0, 5, 5, 5])
    club.call("POST", "/rounds/1/tables/1/confirmations", {"agrees": True})
    club.enter(1, 2, [9, 5, 7, 0])
    club.play()
    assert club.call("GET")["state"] == "playing"
    # Going on without the results of the last round closes it.
    assert club.call("POST", "/rounds", {"force": True})["round"] == 2
    assert club.call("GET")["state"] == "over"
    assert club.refused("POST", "/rounds", {"force": True})[0] == 409
    undo = {"kind": "undo"}
    undone = club.send("POST", f"/tables/{table['table_id']}/corrections", club.token, undo)
    assert undone[0] == 201, undone
    assert club.call("GET")["state"] == "playing"


def test_the_clock_and_the_time_that_is_up(club: Club, send: Send) -> None:
    assert club.refused("PATCH", "", {"finish": "time"})[0] == 422
    club.call("PATCH", "", {"finish": "time", "minutes": 1})
    begun = club.play(minutes=30)
    assert begun["clock"]["state"] == "running"
    assert 1795 <= begun["clock"]["left"] <= 1800
    changed = club.call("POST", "/rounds/1/clock", {"change": "pause"})
    assert (changed["clock"]["state"], changed["clock"]["ends"]) == ("paused", None)
    assert club.refused("POST", "/rounds/1/clock", {"change": "pause"})[0] == 409
    changed = club.call("POST", "/rounds/1/clock", {"change": "extend", "minutes": 5})
    assert changed["clock"]["left"] > 2000
    club.call("POST", "/rounds/1/clock", {"change": "resume"})
    table = begun["tables"][0]
    club.count(table, 1, [0, 5, 5, 5])
    assert club.call("GET", "/rounds/1")["tables"][0]["live"]["scores"] == [15, 0, 0, 0]
    ended = club.call("POST", "/rounds/1/end")
    assert [one["state"] for one in ended["tables"]] == ["waiting", "drawn"]
    assert [s["score"] for s in ended["tables"][0]["result"]["seats"]] == [15, 0, 0, 0]


def test_a_game_ends_when_its_time_is_up_and_its_round_of_cards_over(
    send: Send, monkeypatch: pytest.MonkeyPatch
) -> None:
    club = open_club(send, finish="time", minutes=1)
    first, second = club.play()["tables"]
    club.count(first, 1, [0, 5, 5, 5])
    begun = {"opening": ["red-7"], "dealer": 1}
    assert send("POST", f"/tables/{second['table_id']}/rounds", club.token, begun)[0] == 201
    assert [table["state"] for table in club.call("GET", "/rounds/1")["tables"]] == ["playing"] * 2
    later = (datetime.now(UTC) + timedelta(minutes=2)).isoformat(timespec="milliseconds")
    monkeypatch.setattr("referee.service.tournaments.results.now", lambda: later)
    tables = club.call("GET", "/rounds/1")["tables"]
    assert [one["state"] for one in tables] == ["waiting", "playing"]
    assert [seat["score"] for seat in tables[0]["result"]["seats"]] == [15, 0, 0, 0]
    over = send("GET", f"/tables/{first['table_id']}/scores", club.token)[1]
    assert over["winner"] == 1


def test_a_result_follows_its_table_also_after_a_crash(send: Send, app: Flask) -> None:
    """The table's entry is written, and the server is gone before the tournament's is."""
    club = open_club(send, options={"target": 10})
    table = club.play()["tables"][0]
    events = app.extensions["referee"]
    told, events.played = events.played, lambda _: None
    club.count(table, 1, [0, 5, 5, 5])
    events.played = told
    app.extensions["referee-tournaments"].drop(club.id)
    assert club.call("GET", "/rounds/1")["tables"][0]["state"] == "waiting"
    kinds = [entry["kind"] for entry in club.call("GET", "/events")["items"]]
    assert kinds.count("result-reported") == 1


def test_a_game_ends_after_its_rounds_of_cards(send: Send) -> None:
    club = open_club(send, finish="card-rounds", card_rounds=2)
    table = club.play()["tables"][0]
    club.count(table, 1, [0, 5, 5, 5])
    club.count(table, 2, [5, 0, 5, 50])
    one = club.call("GET", "/rounds/1")["tables"][0]
    assert [seat["score"] for seat in one["result"]["seats"]] == [15, 60, 0, 0]
    _, game = send("GET", f"/tables/{table['table_id']}/scores", club.token)
    assert game["winner"] == 2


def test_a_knockout(send: Send) -> None:
    club = open_club(send, format="knockout", advance=2)
    drawn = club.play()
    for table in (1, 2):
        club.enter(1, table, [0, 30, 20, 10])
    through = [one["seats"][i]["player"] for one in drawn["tables"] for i in (1, 2)]
    assert club.refused("POST", "/players", {"players": ["Late"]})[0] == 409
    shown = club.call("GET", "/rounds/1")["tables"]
    assert [(one["through"], one["lots"]) for one in shown] == [
        (through[:2], []),
        (through[2:], []),
    ]
    # Three equals for two places: a lot decides, and is shown.
    tied = club.enter(1, 2, [0, 30, 30, 30])
    assert sorted(tied["lots"]) == sorted(seat["player"] for seat in tied["seats"][1:])
    assert set(tied["through"]) < set(tied["lots"])
    through[2:] = tied["through"]
    final = club.play()
    assert sorted(seated(final)[0]) == sorted(through)
    club.enter(2, 1, [5, 5, 0, 90])
    champion = final["tables"][0]["seats"][3]["player"]
    rows = club.standings()
    assert rows[0]["player"] == champion
    assert {row["player"] for row in rows[:4]} == set(through)
    assert club.call("GET")["state"] == "over"
    assert club.refused("POST", "/rounds", {})[0] == 409


def test_organisers(club: Club, send: Send) -> None:
    second = club.call("POST", "/organisers", {"name": "Olle"})
    table = club.play()["tables"][0]
    mode = {"mode": "referee"}
    path = f"/tables/{table['table_id']}/mode"
    assert send("PUT", path, second["token"], mode)[0] == 200
    assert send("GET", f"/tables/{table['table_id']}/tokens", second["token"])[0] == 200
    # A host at the tables of this tournament, and nowhere else.
    assert send("PUT", path, open_club(send).token, mode)[0] == 403
    club.call("DELETE", f"/organisers/{second['token_id']}")
    assert send("PUT", path, second["token"], mode)[0] == 401
    own = club.call("GET")["organisers"][0]["token_id"]
    assert club.refused("DELETE", f"/organisers/{own}")[0] == 409


def test_safe_repeats_and_safe_writes(send: Send) -> None:
    body = {"name": "Club", "ruleset": "classic-108", "players": list(NAMES)}
    key = {"Idempotency_Key": "club-evening-0001"}
    first = send("POST", "/tournaments", None, body, **key)[1]
    again = send("POST", "/tournaments", None, body, **key)[1]
    assert (again["token"], again["tournament"]["id"]) == (
        first["token"],
        first["tournament"]["id"],
    )
    club = Club(send, first["tournament"]["id"], first["token"], first)
    for _ in range(2):
        assert club.call("POST", "/rounds", {}, Idempotency_Key="draw-1")["round"] == 1
    for _ in range(2):
        begun = club.call("POST", "/rounds/1/start", {}, Idempotency_Key="start-1")
    assert club.call("GET")["present"] == begun
    status, _ = send("PATCH", f"/tournaments/{club.id}", club.token, {"name": "X"}, If_Match='"1"')
    assert status == 412
    other = {"force": True}
    path = f"/tournaments/{club.id}/rounds"
    reused = send("POST", path, club.token, other, Idempotency_Key="draw-1")
    assert reused[0] == 422


def test_the_export_and_its_tables(club: Club, send: Send) -> None:
    begun = club.play()
    for table in (1, 2):
        club.enter(1, table, [30, 20, 10, 0])
    club.call("PATCH", "/players/1", {"name": "=SUM(A1)"})
    whole = club.call("GET", "/export")
    assert whole["document"] == "referee-tournament/1"
    assert [len(one["tables"]) for one in whole["rounds_played"]] == [2]
    record = whole["rounds_played"][0]["tables"][0]["record"].removeprefix("/api/v1")
    assert send("GET", record, club.token)[0] == 200
    assert begun["tables"][0]["code"] not in str(whole)
    text = club.call("GET", "/results.csv")["text"]
    lines = list(csv.DictReader(io.StringIO(text.lstrip("\ufeff"))))
    assert len(lines) == 8
    assert {line["points"] for line in lines} == {"4", "2", "1", "0"}
    assert {line["name"] for line in lines if line["player"] == "1"} == {"'=SUM(A1)"}
    text = club.call("GET", "/standings.csv")["text"]
    rows = list(csv.DictReader(io.StringIO(text.lstrip("\ufeff"))))
    assert [int(row["player"]) for row in rows] == [row["player"] for row in club.standings()]


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"ruleset": "chess"}, "ruleset"),
        ({"options": {"target": 0}}, "options.target"),
        ({"table_size": 11}, "table_size"),
        ({"smallest_table": 5}, "smallest_table"),
        ({"finish": "card-rounds"}, "card_rounds"),
        ({"players": ["Ann", "ann"]}, "players[1]"),
        ({"placing": []}, "placing"),
        ({"format": "ladder"}, "format"),
    ],
)
def test_settings_that_make_no_sense(send: Send, settings: dict[str, Any], field: str) -> None:
    body = {"name": "Club", "ruleset": "classic-108", "players": list(NAMES), **settings}
    status, said = send("POST", "/tournaments", None, body)
    assert status == 422
    assert said["errors"][0]["field"] == field


def test_what_is_fixed_after_the_first_draw(club: Club) -> None:
    club.play()
    assert club.refused("PATCH", "", {"format": "free"})[0] == 409
    assert club.call("PATCH", "", {"rounds": 3})["rounds"] == 3


@pytest.mark.parametrize("name", ["   ", "\u200b\u2060", "Club\u202eb", "\u2800"])
def test_names_that_nobody_can_read(club: Club, send: Send, name: str) -> None:
    new = {"name": name, "ruleset": "classic-108", "players": list(NAMES)}
    assert send("POST", "/tournaments", None, new)[0] == 422
    assert send("POST", "/tournaments", None, {**new, "name": "Club", "organiser": name})[0] == 422
    assert club.refused("PATCH", "", {"name": name})[0] == 422
    assert club.refused("POST", "/organisers", {"name": name})[0] == 422
    assert club.call("GET")["name"] == "Club"


def test_who_is_added_at_a_table_takes_no_place(send: Send) -> None:
    club = open_club(send, NAMES[:4], options={"target": 50})
    table = club.play()["tables"][0]
    path = f"/tables/{table['table_id']}/seats"
    assert send("POST", path, club.token, {"name": "Extra"})[0] == 201
    club.count(table, 1, [0, 5, 5, 5, 5])
    club.count(table, 5, [5, 10, 20, 30, 0])
    shown = club.call("GET", "/rounds/1")["tables"][0]["result"]["seats"]
    assert [(seat["score"], seat["place"]) for seat in shown] == [(20, 1), (0, 2), (0, 2), (0, 2)]
    assert [seat["points"] for seat in shown] == [4, 1, 1, 1]
