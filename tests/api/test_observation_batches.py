"""Several observations in one request: in order, a result each, and each once."""

import json
from dataclasses import replace
from typing import Any

import pytest
from flask.testing import FlaskClient

from referee.api.resources.devices import devices
from referee.config import NO_LIMITS, Guard
from tests.api.conftest import MakeApp, Seat, open_table
from tests.api.test_devices import AT, IN_THE_TRAY, Board, add_board


def keyed(key: str, powers: dict[str, Any], **more: Any) -> dict[str, Any]:
    seen = {"kind": "powers", "at": AT, "powers": powers} | more
    return {"key": key, "observation": seen}


@pytest.fixture
def board(client: FlaskClient) -> Board:
    """Power Grab; Ann dealt and Bo begins on red."""
    return add_board(open_table(client, "power-grab"))


def results(board: Board, *observations: dict[str, Any]) -> list[dict[str, Any]]:
    answer = board.post("/observations/batch", {"observations": list(observations)})
    assert answer.status_code == 200, answer.text
    return answer.get_json()["results"]


def seen_in_log(board: Board) -> list[dict[str, Any]]:
    items = board.get("/events?limit=200").get_json()["items"]
    return [item["observation"]["powers"] for item in items if item["kind"] == "observed"]


def test_each_is_taken_in_order_and_has_its_entry(board: Board) -> None:
    sent = [IN_THE_TRAY, {"U": "lifted"}, {"U": 2}]
    found = results(board, *(keyed(f"k{n}", powers) for n, powers in enumerate(sent)))
    assert [one["status"] for one in found] == [201, 201, 201]
    entries = [one["entry"] for one in found]
    assert [entry["observation"]["powers"] for entry in entries] == sent == seen_in_log(board)
    assert [one["meaning"] for one in entries] == ["agrees", "discrepancy", "discrepancy"]
    assert entries[-1]["id"] == board.get().get_json()["version"]


def test_the_first_that_is_refused_ends_it(board: Board) -> None:
    found = results(board, keyed("a", {"U": 0}), keyed("b", {"doctor": 1}), keyed("c", {"N": 0}))
    assert [one["status"] for one in found] == [201, 422]
    problem = found[1]["problem"]
    assert problem["type"] == "/problems/invalid-request"
    assert problem["errors"][0]["field"] == "powers.doctor"
    assert problem["request_id"]
    assert seen_in_log(board) == [{"U": 0}]
    assert [result["status"] for result in results(board, keyed("c", {"N": 0}))] == [201]


def test_what_is_no_observation_spoils_no_other(board: Board) -> None:
    nonsense = {"key": "b", "observation": {"kind": "powers", "at": "yesterday", "powers": {}}}
    found = results(board, keyed("a", {"U": 0}), nonsense)
    assert [one["status"] for one in found] == [201, 422]
    assert found[1]["problem"]["errors"][0]["field"] == "at"
    missing = {"key": "b", "observation": {"kind": "powers", "at": AT}}
    assert [result["status"] for result in results(board, missing)] == [422]


def test_an_observation_counts_once_by_itself_and_in_batches(board: Board) -> None:
    first, second = keyed("a", {"U": 0}), keyed("b", {"N": 0})
    text = json.dumps(first["observation"], ensure_ascii=False, separators=(",", ":"))
    alone = board.client.post(
        f"/api/v1/tables/{board.table}/observations",
        data=text,
        content_type="application/json",
        headers={"Authorization": f"Bearer {board.token}", "Idempotency-Key": "a"},
    )
    assert alone.status_code == 201, alone.text
    for _ in range(3):
        found = results(board, first, second)
        assert found[0]["entry"] == alone.get_json()
        assert found[1]["status"] == 201
    assert seen_in_log(board) == [{"U": 0}, {"N": 0}]
    changed = results(board, keyed("a", {"U": 2}))
    assert changed[0]["problem"]["type"] == "/problems/key-reused"


def test_the_same_twice_in_one_batch_counts_once(board: Board) -> None:
    found = results(board, keyed("a", {"U": 0}), keyed("a", {"U": 0}))
    assert found[0]["entry"]["id"] == found[1]["entry"]["id"]
    assert seen_in_log(board) == [{"U": 0}]


def test_a_batch_that_takes_long_ends_early(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "BATCH_SECONDS", 0.0)
    found = results(board, keyed("a", {"U": 0}), keyed("b", {"N": 0}))
    assert [one["status"] for one in found] == [201]
    assert seen_in_log(board) == [{"U": 0}]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"observations": []}, "observations"),
        ({"observations": [keyed(f"k{n}", {"U": 0}) for n in range(51)]}, "observations"),
        ({"observations": [{"observation": {}}]}, "observations.0.key"),
        ({"observations": [{"key": "a b", "observation": {}}]}, "observations.0.key"),
        ({"observations": [{"key": "a"}]}, "observations.0.observation"),
        ({"observations": [{"key": "a", "observation": 7}]}, "observations.0.observation"),
        ({}, "observations"),
    ],
)
def test_what_is_no_batch_is_refused_as_a_whole(
    board: Board, body: dict[str, Any], field: str
) -> None:
    answer = board.post("/observations/batch", body)
    assert answer.status_code == 422
    assert [error["field"] for error in answer.get_json()["errors"]] == [field]
    assert seen_in_log(board) == []


def test_it_is_for_devices_and_no_larger_than_it_says(board: Board) -> None:
    observations = [keyed("a", {"U": 0}, conflicts={"x" * 100_000: [1, 2]})] * 3
    answer = board.post("/observations/batch", {"observations": observations})
    assert answer.status_code == 413
    stranger = Seat(board.client, "nobody", board.table)
    assert stranger.post("/observations/batch", {"observations": []}).status_code == 401


def test_ten_observations_count_as_one_request(make_app: MakeApp) -> None:
    app = make_app(guard=Guard(limits=replace(NO_LIMITS, token="20/minute")))
    board = add_board(open_table(app.test_client(), "power-grab"))
    batch = {"observations": [keyed(f"k{n}", {"U": n % 3}) for n in range(45)]}
    statuses = [board.post("/observations/batch", batch).status_code for _ in range(5)]
    # Each is five requests.
    assert statuses == [200, 200, 200, 200, 429]
