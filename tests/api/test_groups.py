"""People across evenings: what a group keeps, and what it does not."""

import csv
import io
import json
from typing import Any
from urllib.parse import unquote

import pytest
from flask import Flask
from flask.testing import FlaskClient

from referee.rules import ruleset
from referee.service.groups import files
from referee.service.people.operator import purge_tables
from tests.api.conftest import API, KEY, Seat, imported, open_table
from tests.api.test_bad_input import problem
from tests.api.test_rights_matrix import EVERY_PATH, read_matrix
from tests.conftest import both_stores
from tests.web.games import game_of

NAMES = ("Ann", "Bo", "Cy")
BLUFF = "wild-draw-four"


def make_group(client: FlaskClient, name: str = "Thursdays", **headers: str) -> Seat:
    """Make a group; return a client with its token, whose table is the group's id."""
    made = Seat(client).call("POST", f"{API}/groups", {"name": name}, **headers)
    assert made.status_code == 201, made.text
    body = made.get_json()
    assert body["group"]["name"] == name
    return Seat(client, body["token"], body["group"]["id"])


def read(group: Seat) -> dict[str, Any]:
    answer = group.call("GET", f"{API}/groups/{group.table}")
    assert answer.status_code == 200, answer.text
    return answer.get_json()


def choose(host: Seat, group: Seat | None) -> Any:
    body = {"token": group.token if group else None}
    return host.call("PUT", f"{API}/tables/{host.table}/group", body)


def person(group: Seat, name: str) -> dict[str, Any]:
    return next(one for one in read(group)["people"] if one["name"] == name)


def played(client: FlaskClient, *names: str, rounds: int = 1) -> Seat:
    """Return the host of a game that Bo has won."""
    return imported(client, game_of(names or NAMES, rounds, target=rounds))


@both_stores
def test_nothing_is_kept_unless_a_host_wants_it(client: FlaskClient) -> None:
    group = make_group(client)
    host = played(client)
    assert host.get().get_json()["kept"] is False
    assert read(group) == {**read(group), "people": [], "games": [], "games_kept": 0}
    assert choose(host, group).status_code == 200
    assert host.get().get_json()["kept"] is True
    found = read(group)
    assert found["games_kept"] == 1
    (game,) = found["games"]
    assert game["deck"] == "Classic, 108 cards"
    assert [seat["name"] for seat in game["seats"]] == list(NAMES)
    assert [one["won"] for one in game["seats"]] == [False, True, False]
    assert [one["name"] for one in found["people"]] == ["Bo", "Ann", "Cy"]
    # Another table of the same people stays unlinked.
    played(client)
    assert read(group)["games_kept"] == 1
    # The table says that its games are kept, and by whom is nobody's business.
    assert "Thursdays" not in host.get().text
    assert group.token not in host.get("/events").text
    # The host takes it back.
    assert choose(host, None).status_code == 200
    assert (read(group)["games"], read(group)["people"]) == ([], [])


def test_what_everybody_did_is_counted(client: FlaskClient) -> None:
    group, host = make_group(client), open_table(client, names=NAMES, target=1)
    choose(host, group)
    host.move(2, "play", card="red-draw-two")
    # Cy is hit by Bo, then Ann bluffs, and Bo finds out.
    host.move(1, "play", card=BLUFF)
    host.move(1, "color", color="blue")
    host.move(2, "challenge")
    host.move(1, "reveal", hand=["red-1", "red-2", "red-3", "red-4", "red-5", "red-6"])
    assert read(group)["games_kept"] == 0, "the game is not over"
    state = host.state()
    turn = state["turn"]
    host.count_hands(2, 1, 2, 3)
    host.move(turn, "play", card="blue-4")
    other = host.state()["turn"]
    host.move(other, "catch", accused=turn)
    host.post("/games/end")
    found = read(group)
    assert found["games_kept"] == 1
    by_name = {one["name"]: one for one in found["people"]}
    names = dict(enumerate(NAMES, 1))
    assert (by_name["Bo"]["right"], by_name["Ann"]["bluffed"]) == (1, 1)
    assert by_name["Ann"]["fours"] == 1
    assert by_name[names[turn]]["caught"] == 1
    assert by_name[names[other]]["catches"] == 1
    assert by_name["Cy"]["nemesis"]["name"] == "Bo"
    assert by_name["Cy"]["nemesis"]["count"] >= 1


def test_a_correction_changes_what_is_kept(client: FlaskClient) -> None:
    group, host = make_group(client), open_table(client, names=("Ann", "Bo"), target=1)
    choose(host, group)
    result = {"out": 1, "hands": {"2": 30}}
    host.move(2, "leave")
    host.post("/seats", {"seat": 2})
    assert host.post("/rounds", {"result": result, "dealer": 1}).status_code == 201
    assert person(group, "Ann")["won"] == 1
    other = {"out": 2, "hands": {"1": 20}}
    assert host.post("/corrections", {"kind": "result", "result": other}).status_code == 201
    assert (person(group, "Ann")["won"], person(group, "Bo")["won"]) == (0, 1)
    # The next game is kept with it, and the earlier one is not counted twice.
    assert host.post("/games", {}).status_code == 201
    host.post("/rounds", {"result": {"out": 2, "hands": {"1": 40}}, "dealer": 1})
    bo = person(group, "Bo")
    assert (bo["games"], bo["won"], bo["streak"], bo["best_streak"]) == (2, 2, 2, 2)
    assert person(group, "Ann")["streak"] == 0


def test_people_are_known_by_their_names_across_tables(client: FlaskClient) -> None:
    group = make_group(client)
    for names in (NAMES, ("ANN", "Bo", "Di")):
        choose(played(client, *names), group)
    assert {one["name"]: one["games"] for one in read(group)["people"]} == {
        "Bo": 2,
        "ANN": 2,
        "Cy": 1,
        "Di": 1,
    }


def test_somebody_is_forgotten_and_stays_so(client: FlaskClient) -> None:
    group, host = make_group(client), played(client)
    choose(host, group)
    read(group)
    forgotten = group.call("POST", f"{API}/groups/{group.table}/forgotten", {"name": "bo"})
    assert forgotten.status_code == 200, forgotten.text
    assert [one["name"] for one in forgotten.get_json()["people"]] == ["Ann", "Cy"]
    for path in ("", "/plays", "/games.csv"):
        assert "Bo" not in group.call("GET", f"{API}/groups/{group.table}{path}").text
    # A correction has the game computed anew, and it still does not name Bo.
    other = {"kind": "hand-count", "seat": 1, "count": 3}
    host.post("/corrections", other)
    host.call("PATCH", f"{API}/tables/{host.table}/seats/3", {"name": "Cyd"})
    names = [seat["name"] for seat in read(group)["games"][0]["seats"]]
    assert names == ["Ann", None, "Cyd"]
    # What begins later is another matter.
    choose(played(client), group)
    assert person(group, "Bo")["games"] == 1


@both_stores
def test_a_group_goes_with_everything(app: Flask, client: FlaskClient) -> None:
    group, host = make_group(client), played(client)
    choose(host, group)
    read(group)
    assert group.call("DELETE", f"{API}/groups/{group.table}").status_code == 204
    problem(group.call("GET", f"{API}/groups/{group.table}"), 401, "not-authenticated")
    assert host.get().get_json()["kept"] is False
    log = app.extensions["referee"]
    assert log.reader.group_games(group.table) == []
    assert log.reader.group_tables(group.table) == []


def test_a_purged_table_leaves_its_games(app: Flask, client: FlaskClient) -> None:
    group, host = make_group(client), played(client)
    choose(host, group)
    assert purge_tables(app.extensions["referee"], [host.table]) == 1
    assert read(group)["games_kept"] == 1
    assert read(group)["games_kept"] == 1


def test_files_for_spreadsheets_and_bg_stats(client: FlaskClient) -> None:
    group, host = make_group(client), played(client, "=Ann", "Bo", "Cy")
    choose(host, group)
    path = f"{API}/groups/{group.table}"
    text = group.call("GET", f"{path}/games.csv").get_data(as_text=True)
    head, *lines = csv.reader(io.StringIO(text.lstrip("\ufeff")))
    assert head[4:7] == ["name", "points", "won"]
    assert [line[4] for line in lines] == ["'=Ann", "Bo", "Cy"]
    assert [line[6] for line in lines] == ["0", "1", "0"]
    (item,) = group.call("GET", f"{path}/plays").get_json()["items"]
    play = item["play"]
    assert {player["name"]: (player["winner"], player["rank"]) for player in play["players"]} == {
        "=Ann": (False, 2),
        "Bo": (True, 1),
        "Cy": (False, 2),
    }
    assert play["sourcePlayId"] == f"{host.table}-1"
    assert play["game"]["highestWins"] is True
    address, _, data = item["link"].partition("?data=")
    assert address == "https://app.bgstatsapp.com/createPlay.html"
    assert json.loads(unquote(data)) == play
    assert read(group)["games"][0]["link"] == item["link"]


def test_where_nothing_is_scored_the_winner_is_first_alone() -> None:
    seats = [{"name": name, "points": 0, "won": name == "Bo"} for name in NAMES]
    times = dict.fromkeys(("begun", "ended"), "2026-11-01T20:00:00+00:00")
    game = {"table": "t", "game": 1, "ruleset": "moomin", "low": False, "seats": seats, **times}
    play = files.play(game, "en")
    assert play["game"]["noPoints"] is True
    assert [player["rank"] for player in play["players"]] == [2, 1, 2]


def test_games_of_a_deck_that_the_server_has_no_longer(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They keep its id for a name, in the list and in the files."""
    group, host = make_group(client), played(client)
    choose(host, group)
    games = read(group)["games"]
    monkeypatch.setattr(ruleset, "_shipped", dict)
    assert read(group)["games"][0]["deck"] == games[0]["ruleset"] != games[0]["deck"]
    plays = group.call("GET", f"{API}/groups/{group.table}/plays").get_json()
    assert plays["items"][0]["play"]["game"]["name"] == games[0]["ruleset"]


def test_a_repeated_request_makes_one_group(client: FlaskClient) -> None:
    key = "a-key-that-nobody-guesses-2"
    one, again = (make_group(client, Idempotency_Key=key) for _ in range(2))
    assert (one.token, one.table) == (again.token, again.table)
    other = Seat(client).call("POST", f"{API}/groups", {"name": "Other"}, Idempotency_Key=key)
    problem(other, 422, "key-reused")


def test_a_wrong_token_chooses_nothing(client: FlaskClient) -> None:
    host, group = open_table(client), make_group(client)
    wrong = Seat(client, "nobody's")
    problem(choose(host, wrong), 422, "invalid-request")
    problem(choose(host, host), 422, "invalid-request")
    problem(choose(host.seats[2], group), 403, "forbidden")


_, MATRIX = read_matrix("group operation")
BODIES = {"createGroup": {"name": "Other"}, "forgetPerson": {"name": "Ann"}}


def test_every_operation_of_groups_has_a_row() -> None:
    assert set(MATRIX) == {name for name, at in EVERY_PATH.items() if "/groups" in at[1]}


@pytest.mark.parametrize("operation", MATRIX)
def test_only_the_groups_own_token_opens_it(client: FlaskClient, operation: str) -> None:
    group, host = make_group(client), played(client)
    choose(host, group)
    method, path = EVERY_PATH[operation]
    tokens = {
        "nobody": None,
        "stranger": make_group(client).token,
        "host": host.token,
        "operator": KEY,
        "group": group.token,
    }
    for role, token in tokens.items():
        sender = Seat(client, token)
        answer = sender.call(method, path.format(group_id=group.table), BODIES.get(operation))
        if MATRIX[operation][role] == "yes":
            assert answer.status_code in (200, 201, 204), (role, answer.text)
        else:
            refused = (401, "not-authenticated") if role == "nobody" else (403, "forbidden")
            problem(answer, *refused)


def test_a_groups_token_opens_nothing_else(client: FlaskClient) -> None:
    group, host = make_group(client), played(client)
    choose(host, group)
    for path in ("", "/events", "/scores", "/record"):
        problem(Seat(client, group.token, host.table).get(path), 403, "forbidden")
    problem(choose(Seat(client, group.token, host.table), None), 403, "forbidden")


def test_limits(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    group = make_group(client)
    monkeypatch.setattr("referee.service.groups.keep.MOST_GAMES", 2)
    monkeypatch.setattr("referee.service.groups.keep.MOST_PEOPLE", 3)
    hosts = [played(client, *names) for names in (NAMES, ("Ann", "Bo", "Di"), NAMES)]
    for host in hosts:
        choose(host, group)
    found = read(group)
    assert found["games_kept"] == 2
    assert len(found["people"]) == 3
    monkeypatch.setattr("referee.service.groups.keep.MOST_TABLES", 3)
    problem(choose(played(client), group), 409, "conflict")
