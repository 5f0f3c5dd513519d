"""Rounds entered by their result, and hands that nobody can show."""

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.api.camera import add_camera, question
from tests.api.conftest import API, Seat, open_table
from tests.api.reloaded import reloaded
from tests.api.test_bad_input import problem
from tests.api.test_exports import check_export
from tests.api.test_scores import lines, words
from tests.tables import tables

CASES = tables(__file__)

Json = dict[str, Any]
CY = ["blue-skip", "wild", "green-3"]


@pytest.fixture
def table(client: FlaskClient) -> Seat:
    """A table that keeps the score; no round has been entered."""
    return open_table(client, opening=None)


@pytest.fixture
def over(host: Seat) -> Seat:
    """Bo has gone out; Ann holds one card and Cy three."""
    for seat, count in ((1, 1), (2, 1), (3, 3)):
        host.post("/corrections", {"kind": "hand-count", "seat": seat, "count": count})
    assert host.move(2, "play", card="red-9")["state"]["round_winner"] == 2
    return host


def enter(host: Seat, out: int, hands: Json, **more: Any) -> Json:
    return host.create("/rounds", {"result": {"out": out, "hands": hands}, **more})


def needs(host: Seat) -> list[tuple[int, str]]:
    return [(one["seat"], one["need"]) for one in host.state()["awaiting"]]


def test_a_hand_is_entered_by_its_points(over: Seat) -> None:
    entered = over.seats[1].post("/moves", {"move": "reveal", "points": 7}).get_json()
    assert entered["ruling"]["rule"] == "round.count"
    assert "Ann's hand counts 7 points." in entered["announcements"]
    assert needs(over) == [(3, "reveal")]
    of_cy = {"seat": 3, "move": "reveal", "points": 7}
    problem(over.seats[1].post("/moves", of_cy), 403, "forbidden")
    # Three cards can be worth 150 points at most.
    beyond = over.move(3, "reveal", points=151)
    assert (beyond["ruling"]["verdict"], beyond["ruling"]["rule"]) == ("illegal", "round.count")
    over.post("/moves", {"seat": 3, "move": "reveal", "points": 150})
    entered = over.get("/scores").get_json()["rounds"][0]
    assert entered["points"] == [0, 157, 0]
    assert entered["hands"] == [
        {"seat": 1, "cards": None, "card_points": None, "points": 7, "to": 2},
        {"seat": 3, "cards": None, "card_points": None, "points": 150, "to": 2},
    ]


def test_only_the_host_says_that_nobody_knows_a_hand(over: Seat) -> None:
    unknown = {"move": "reveal", "unknown": True}
    refused = problem(over.seats[3].post("/moves", unknown), 403, "forbidden")
    assert refused["detail"] == "Only the host may enter a hand as unknown."
    assert needs(over) == [(1, "reveal"), (3, "reveal")]
    entered = over.post("/moves", {"seat": 3, **unknown}).get_json()
    assert entered["by"] == {"role": "host"}
    assert "Cy's hand is not known and counts nothing." in entered["announcements"]
    over.move(1, "reveal", hand=["green-5"])
    assert over.state()["scores"] == [0, 5, 0]
    of_cy = {"seat": 3, "cards": None, "card_points": None, "points": 0, "to": 2}
    of_ann = {"seat": 1, "cards": ["green-5"], "card_points": [5], "points": 5, "to": 2}
    assert over.get("/scores").get_json()["rounds"][0]["hands"] == [of_ann, of_cy]


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"points": 3, "unknown": True},
        {"hand": ["red-1"], "points": 1},
        {"hand": [], "points": 0},
        {"points": -1},
        {"points": True},
        {"unknown": False},
    ],
)
def test_a_hand_is_given_in_one_way(over: Seat, given: Json) -> None:
    version = over.get().get_json()["version"]
    answer = over.post("/moves", {"seat": 1, "move": "reveal", **given})
    problem(answer, 422, "invalid-request")
    assert over.get().get_json()["version"] == version


def test_a_hand_of_zeros_has_no_points(over: Seat) -> None:
    ruling = over.move(1, "reveal", points=0)["ruling"]
    assert (ruling["verdict"], ruling["rule"]) == ("legal", "round.count")


def test_a_challenged_hand_has_to_be_shown(host: Seat) -> None:
    host.move(2, "play", card="wild-draw-four", color="blue")
    host.move(3, "challenge")
    for given in ({"points": 3}, {"unknown": True}):
        answer = host.post("/moves", {"seat": 2, "move": "reveal", **given}).get_json()
        assert (answer["ruling"]["verdict"], answer["ruling"]["rule"]) == ("illegal", "round.count")
    assert needs(host) == [(2, "reveal")]


def test_a_counted_hand_closes_the_camera_s_question(over: Seat) -> None:
    camera = add_camera(over)
    camera.posts({"kind": "hand", "seat": 1, "shown": [{"blue-8": 0.7, "blue-3": 0.29}]})
    assert question(over)["seat"] == 1
    over.move(1, "reveal", points=8)
    assert over.get("/questions").get_json()["items"] == []
    camera.posts({"kind": "hand", "seat": 3, "shown": [{card: 0.999} for card in CY]})
    over.post(f"/questions/{question(over)['id']}/answers", {"option": 1})
    assert over.state()["scores"] == [0, 81, 0]


def test_a_round_is_entered_by_its_result(table: Seat) -> None:
    entered = enter(table, 2, {"1": ["red-9"], "3": 12}, dealer=1)
    assert entered["kind"] == "round-counted"
    assert entered["result"] == {"out": 2, "hands": {"1": ["red-9"], "3": 12}}
    assert entered["announcements"][0] == "Round 1 is entered by its result."
    assert "Cy's hand counts 12 points." in entered["announcements"]
    assert entered["state"]["scores"] == [0, 21, 0]
    assert table.get().get_json()["next_dealer"] == 2
    enter(table, 3, {"1": None, "2": 4})
    (first, second) = table.get("/rounds").get_json()["items"]
    assert (first["dealer"], first["winner"], first["points"]) == (1, 2, [0, 21, 0])
    assert (second["dealer"], second["counted"], second["scores"]) == (2, True, [0, 21, 4])
    assert lines(table)[1:] == [
        ["1", "Ann", "Bo", "0", "21", "0"],
        ["2", "Bo", "Cy", "0", "0", "4"],
        ["Total", "", "", "0", "21", "4"],
    ]
    assert "2 rounds played" in words(table)


def test_nobody_has_to_have_dealt(table: Seat) -> None:
    enter(table, 1, {"2": 30, "3": 0})
    assert table.get("/rounds").get_json()["items"][0]["dealer"] is None
    assert lines(table)[1] == ["1", "", "Ann", "30", "0", "0"]
    # A round with moves needs a dealer again.
    problem(table.post("/rounds", {"opening": ["red-7"]}), 422, "invalid-request")
    assert table.post("/rounds", {"opening": ["red-7"], "dealer": 3}).status_code == 201


@pytest.mark.parametrize(
    ("options", "scores", "winner"),
    [
        ({"target": 20}, [[0, 21, 0]], 2),
        ({"target": 12, "scoring": "low"}, [[9, 0, 12]], 2),
        ({"scoring": "hand"}, [[0, 0, 0]], 2),
    ],
)
def test_every_way_of_scoring(
    client: FlaskClient, options: Json, scores: list[list[int]], winner: int
) -> None:
    host = open_table(client, opening=None, **options)
    enter(host, 2, {"1": ["red-9"], "3": 12})
    sheet = host.get("/scores").get_json()
    assert [one["scores"] for one in sheet["rounds"]] == scores
    assert sheet["winner"] == host.state()["winner"] == winner
    another = {"result": {"out": 1, "hands": {"2": 1, "3": 1}}}
    problem(host.post("/rounds", another), 409, "conflict")


@pytest.mark.parametrize(
    ("result", "field"),
    CASES["impossible_results"],
)
def test_a_result_that_cannot_be(table: Seat, result: Any, field: str) -> None:
    version = table.get().get_json()["version"]
    body = problem(table.post("/rounds", {"result": result}), 422, "invalid-request")
    assert body["errors"][0]["field"] == field
    assert table.get().get_json()["version"] == version


def test_a_dealer_who_is_not_there(table: Seat) -> None:
    for begun in ({"opening": ["red-7"]}, {"result": {"out": 2, "hands": {"1": 1, "3": 1}}}):
        body = problem(table.post("/rounds", {**begun, "dealer": 7}), 422, "invalid-request")
        assert body["errors"][0]["field"] == "dealer"


def test_the_count_of_a_hand_that_was_not_dealt(table: Seat) -> None:
    enter(table, 2, {"1": 1, "3": 1})
    assert table.post("/seats", {"name": "Di"}).status_code == 201
    counted = {"kind": "hand-count", "seat": 4, "count": 3}
    inserted = {"seat": 4, "move": "hand-count", "count": 3}
    for change in (counted, {"kind": "insert", "round": 1, "inserted": inserted}):
        for path in ("/corrections", "/corrections?preview=true"):
            assert problem(table.post(path, change), 409, "no-effect")["rule"]


def test_a_result_stands_for_a_whole_round_by_those_entitled(table: Seat) -> None:
    result = {"out": 2, "hands": {"1": 1, "3": 1}}
    both = {"opening": ["red-7"], "result": result, "dealer": 1}
    problem(table.post("/rounds", both), 422, "invalid-request")
    problem(table.post("/rounds", {"dealer": 1}), 422, "invalid-request")
    problem(table.seats[2].post("/rounds", {"result": result, "dealer": 1}), 403, "forbidden")
    unknown = {"result": {"out": 2, "hands": {"1": None, "3": 1}}, "dealer": 1}
    problem(table.seats[1].post("/rounds", unknown), 403, "forbidden")
    assert table.seats[1].post("/rounds", {"result": result, "dealer": 1}).status_code == 201
    table.post("/rounds", {"opening": ["red-7"]})
    problem(table.post("/rounds", {"result": result}), 409, "conflict")


def test_a_result_is_corrected_and_taken_back(table: Seat) -> None:
    enter(table, 2, {"1": ["red-9"], "3": 12}, dealer=1)
    enter(table, 3, {"1": 5, "2": 6})
    done = table.correct("result", round=1, result={"out": 1, "hands": {"2": ["red-8"], "3": 2}})
    assert done["state"]["scores"] == [10, 0, 11]
    assert done["announcements"][0] == "The result of round 1 is put right."
    table.correct("result", dealer=3)
    rounds = table.get("/rounds").get_json()["items"]
    assert [(one["dealer"], one["points"]) for one in rounds] == [(1, [10, 0, 0]), (3, [0, 0, 11])]
    table.correct("undo", round=1)
    assert table.state()["scores"] == [0, 0, 11]
    table.correct("redo")
    assert table.state()["scores"] == [10, 0, 11]
    table.correct("undo")
    assert table.state()["scores"] == [10, 0, 0]
    assert [item["round"] for item in table.get("/rounds").get_json()["items"]] == [1]


def test_a_result_is_replaced_by_one_that_can_be(table: Seat) -> None:
    enter(table, 2, {"1": 9, "3": 12}, dealer=1)
    version = table.get().get_json()["version"]

    def refused(status: int, **change: Any) -> Json:
        answer = table.post("/corrections", {"kind": "result", **change})
        kinds = {422: "invalid-request", 409: "no-effect", 403: "forbidden"}
        return problem(answer, status, kinds[status])

    refused(422)
    refused(422, result={"out": 2, "hands": {"1": 9}})
    refused(422, result={"out": 2, "hands": {"1": ["red-0"], "3": ["red-0"]}})
    refused(422, result={"out": 7, "hands": {"1": 9, "3": 1}})
    refused(422, dealer=9)
    refused(422, round=2, dealer=1)
    refused(409, result={"out": 2, "hands": {"1": 9, "3": 12}})
    problem(table.seats[1].post("/corrections", {"kind": "result", "dealer": 2}), 403, "forbidden")
    assert table.get().get_json()["version"] == version
    table.post("/rounds", {"opening": ["red-7"]})
    refused(422, dealer=1)
    problem(
        table.post("/corrections", {"kind": "opening", "round": 1, "dealer": 2}),
        422,
        "invalid-request",
    )


def test_a_late_result_ends_the_game_and_a_later_one_does_not(client: FlaskClient) -> None:
    host = open_table(client, opening=None, target=50)
    enter(host, 2, {"1": 20, "3": 12}, dealer=1)
    enter(host, 1, {"2": 20, "3": 12})
    host.correct("result", round=1, result={"out": 2, "hands": {"1": 40, "3": 12}})
    assert (host.state()["winner"], host.state()["scores"]) == (2, [0, 52, 0])
    host.correct("result", round=1, result={"out": 2, "hands": {"1": 30, "3": 12}})
    assert (host.state()["winner"], host.state()["scores"]) == (None, [32, 42, 0])


def test_both_kinds_of_rounds_alternate_and_are_read_again(app: Flask, tmp_path: Any) -> None:
    host = open_table(app.test_client(), opening=None)
    enter(host, 2, {"1": ["red-9"], "3": 12}, dealer=3)
    host.post("/rounds", {"opening": ["red-7"]})
    host.move(2, "play", card="blue-3")
    host.count_hands(1, 1, 2, 3)
    host.move(2, "play", card="red-9")
    host.post("/moves", {"seat": 1, "move": "reveal", "unknown": True})
    host.move(3, "reveal", points=20)
    enter(host, 1, {"2": 4, "3": None})
    assert host.state()["scores"] == [4, 41, 0]
    # A hand of the round before is not missed by the deck's count.
    host.post("/rounds", {"opening": ["red-0"]})
    check_export(host, tmp_path)
    sheet = host.get("/scores").get_json()
    reloaded(app, host)
    assert host.get("/scores").get_json() == sheet


def test_the_mode_is_chosen_between_rounds(client: FlaskClient) -> None:
    body = {"ruleset": "moomin", "seats": ["Ann", "Bo"], "mode": "score"}
    made = client.post(f"{API}/tables", json=body).get_json()
    host = Seat(client, made["token"], made["table"]["id"])
    assert made["table"]["mode"] == "score"

    def choose(mode: str) -> Any:
        return host.call("PUT", f"{API}/tables/{host.table}/mode", {"mode": mode})

    chosen = choose("referee").get_json()
    assert (chosen["kind"], chosen["mode"]) == ("mode-chosen", "referee")
    assert chosen["announcements"] == ["From now on the referee rules on every move."]
    host.post("/rounds", {"opening": ["red-7"], "dealer": 1})
    problem(choose("score"), 409, "conflict")
    problem(choose("both"), 422, "invalid-request")
    assert host.get().get_json()["mode"] == "referee"
    bad = client.post(f"{API}/tables", json={**body, "mode": "both"})
    problem(bad, 422, "invalid-request")
