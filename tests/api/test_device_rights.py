"""Who may register devices and post observations, and which observations are invalid."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.api.conftest import Seat, open_table
from tests.api.test_devices import AT, IN_THE_TRAY, Board, add_board, wrong
from tests.api.test_writes import problem


@pytest.fixture
def game(client: FlaskClient) -> Seat:
    return open_table(client, "power-grab")


@pytest.fixture
def board(game: Seat) -> Board:
    board = add_board(game)
    board.sees(IN_THE_TRAY)
    return board


def test_what_is_no_device_is_neither_registered_nor_revoked(game: Seat) -> None:
    problem(game.delete("/devices/nothing"), 404, "not-found")
    problem(game.post("/devices", {"name": "X", "kind": "toaster"}), 422, "invalid-request")
    problem(game.post("/tokens", {"role": "device"}), 422, "invalid-request")


def test_registering_again_with_the_same_key_gives_the_same_token(game: Seat) -> None:
    wish = {"name": "Board", "kind": "board"}
    first = game.post("/devices", wish, Idempotency_Key="reg-1").get_json()
    assert game.post("/devices", wish, Idempotency_Key="reg-1").get_json() == first
    assert len(game.get("/devices").get_json()["items"]) == 1


def test_a_revoked_device_is_heard_no_more_and_its_sightings_go(game: Seat, board: Board) -> None:
    board.sees({"N": 3})
    assert wrong(game)
    assert game.delete(f"/devices/{board.id}").status_code == 200
    body = {"kind": "powers", "at": AT, "powers": {"N": 2}}
    problem(board.post("/observations", body), 401, "not-authenticated")
    table = game.get().get_json()
    assert (table["discrepancies"], table["sensed"]) == ([], {})
    (listed,) = game.get("/devices").get_json()["items"]
    assert (listed["id"], listed["revoked"]) == (board.id, True)


def test_a_device_is_seen_when_it_speaks(game: Seat) -> None:
    board = add_board(game)
    assert game.get("/devices").get_json()["items"][0]["last_seen"] is None
    board.get()
    first = game.get("/devices").get_json()["items"][0]["last_seen"]
    assert first is not None
    board.sees(IN_THE_TRAY)
    assert game.get("/devices").get_json()["items"][0]["last_seen"] >= first


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"powers": {"X": 1}}, "powers.X"),
        ({"powers": {"U": 11}}, "powers.U"),
        ({"powers": {"U": -1}}, "powers.U"),
        ({"powers": {"U": True}}, "powers.U"),
        ({"powers": {"U": "gone"}}, "powers.U"),
        ({"powers": []}, "powers"),
        ({"at": "yesterday"}, "at"),
        ({"at": "2026-11-21T10:00:00"}, "at"),
        ({"kind": "cards"}, "kind"),
        ({"conflicts": {"U": [1]}}, "conflicts.U"),
        ({"conflicts": {"Y": [1, 2]}}, "conflicts.Y"),
        ({"faults": [{"place": 12, "powers": ["U"]}]}, "faults.0.place"),
        ({"faults": [{"place": 2, "powers": ["Z"]}]}, "faults.0.powers"),
        ({"color": "red"}, "color"),
    ],
)
def test_what_is_wrong_with_an_observation_is_named(
    game: Seat, board: Board, change: dict[str, Any], field: str
) -> None:
    body = {"kind": "powers", "at": AT, "powers": {"U": 2}, **change}
    answer = problem(board.post("/observations", body), 422, "invalid-request")
    assert any(error["field"].startswith(field) for error in answer["errors"]), answer
    assert game.get().get_json()["sensed"]["U"] == 0


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("camera", {"kind": "powers", "powers": {"U": 2}}),
        ("board", {"kind": "pile", "number": 1, "event": "placed", "cards": {"red-7": 1.0}}),
        ("board", {"kind": "hand", "shown": []}),
        ("board", {"kind": "camera", "state": "watching"}),
    ],
)
def test_a_device_reports_what_its_kind_sees(game: Seat, kind: str, body: dict[str, Any]) -> None:
    device, before = game.device(kind), game.get().get_json()
    answer = problem(device.post("/observations", {"at": AT, **body}), 422, "invalid-request")
    reports = {"board": "powers", "camera": "pile, camera, hand"}[kind]
    told = [{"field": "kind", "reason": f"a {kind} reports {reports} only"}]
    assert answer["errors"] == told
    keyed = {"observations": [{"key": "box-1", "observation": {"at": AT, **body}}]}
    (result,) = device.post("/observations/batch", keyed).get_json()["results"]
    assert (result["status"], result["problem"]["errors"]) == (422, told)
    assert game.get().get_json()["version"] == before["version"]


def test_a_deck_without_towers_says_so(client: FlaskClient) -> None:
    game = open_table(client)
    body = {"kind": "powers", "at": AT, "powers": {"U": 2}}
    answer = problem(add_board(game).post("/observations", body), 422, "invalid-request")
    assert "neither towers nor powers" in answer["detail"]


@pytest.mark.parametrize("kind", ["camera", "board"])
def test_a_device_cannot_read_how_one_joins(game: Seat, kind: str) -> None:
    device, seen = game.device(kind), game.get()
    answer = device.get()
    assert (answer.get_json()["code"], answer.get_json()["invitation"]) == ("", "")
    for secret in (seen.get_json()["code"], seen.get_json()["invitation"]):
        assert len(secret) >= 8
        for path in ("", "/devices", "/events", "/record", "/tokens/self"):
            assert secret not in device.get(path).get_data(as_text=True)
