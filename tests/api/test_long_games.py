"""Long games: how long they may be, what playing them again costs, and answers in pages."""

import threading
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from referee.api.limits.work import RULING
from referee.api.requests import BYTES_A_MOVE
from referee.config import NO_LIMITS, Guard
from referee.service.log import long_games
from referee.service.records import imports
from referee.service.records.imports import clear_unfinished
from referee.store.errors import StoreUnavailable
from referee.store.table_stats import unfinished_tables
from referee.store.writer import Job, LogWriter
from tests.api.camera import add_camera
from tests.api.conftest import API, MakeApp, Seat, imported, open_table, record
from tests.api.reloaded import reloaded
from tests.api.test_bad_input import problem
from tests.api.test_devices import AT
from tests.conftest import both_stores

Json = dict[str, Any]
KEY = "import-" + "k" * 20


def drawn(moves: int) -> Json:
    """A record of so many moves: nothing but drawing."""
    kinds = ("draw", "pass")
    listed = [{"seat": 2 - n // 2 % 2, "move": kinds[n % 2]} for n in range(moves)]
    return record({"dealer": 1, "opening": ["red-7"], "moves": listed})


def test_a_record_may_not_be_longer_than_a_table(make_app: MakeApp) -> None:
    client = make_app(max_entries=100).test_client()
    for path in ("/records", "/records/replay"):
        body = problem(client.post(f"{API}{path}", json=drawn(100)), 422, "invalid-record")
        assert body["errors"][0]["field"] == "rounds"
    check = {"record": drawn(100), "move": {"seat": 1, "move": "draw"}}
    problem(client.post(f"{API}/check", json=check), 422, "invalid-record")
    assert imported(client, drawn(90)).get().status_code == 200


def test_rounds_that_were_broken_off_count_for_what_their_entries_hold(make_app: MakeApp) -> None:
    client = make_app(max_entries=100).test_client()
    broken = {"dealer": 1, "opening": ["red-7"], "moves": [], "broken_off": True}
    for path in ("/records", "/records/replay"):
        sent = client.post(f"{API}{path}", json=record(*[broken] * 51))
        problem(sent, 422, "invalid-record")
    assert imported(client, record(*[broken] * 20)).get().json["version"] <= 100
    # Each repeats the results before it.
    counted = {"dealer": 1, "result": {"out": 1, "hands": {"2": 0}}}
    sent = client.post(f"{API}/records", json=record(*[counted] * 60, *[broken] * 18))
    problem(sent, 422, "invalid-record")


def test_a_full_table_is_read_and_its_tokens_are_revoked_but_nothing_else(
    make_app: MakeApp,
) -> None:
    host = imported(make_app(max_entries=100).test_client(), drawn(96))
    watcher = host.post("/tokens", {"role": "spectator"}).get_json()
    host.move(2, "play", card="red-1")
    for path, body in (("/moves", {"seat": 1, "move": "draw"}), ("/corrections", {"kind": "undo"})):
        full = problem(host.post(path, body, Accept_Language="de"), 409, "table-full")
        assert "100" in full["detail"]
    assert host.delete(f"/tokens/{watcher['token_id']}").status_code == 200
    assert host.get("/record").status_code == 200


def test_the_steps_of_a_long_replay_come_in_pages(client: FlaskClient) -> None:
    game = drawn(60)
    whole = client.post(f"{API}/records/replay", json=game).get_json()
    assert (len(whole["steps"]), whole["next"], whole["holds"]) == (61, None, True)
    steps, after = [], 0
    while after is not None:
        path = f"{API}/records/replay?limit=25&after={after}"
        page = client.post(path, json=game).get_json()
        assert page["state"] == whole["state"]
        steps += page["steps"]
        after = page["next"]
    assert steps == whole["steps"]


def test_a_long_correction_lists_the_beginning_and_marks_everything(app: Flask) -> None:
    host = imported(app.test_client(), drawn(200))
    made = host.post("/corrections", {"kind": "undo", "move": 11, "since": True}).get_json()
    assert (len(made["fell"]), made["counts"]) == (50, {"fell": 190})
    (span,) = made["fell_entries"]
    assert span[1] - span[0] + 1 == 190
    assert any("190" in sentence for sentence in made["announcements"])

    def undone() -> set[int]:
        found = [host.get(f"/events?limit=200&after={n}").get_json()["items"] for n in (0, 200)]
        return {one["id"] for page in found for one in page if one.get("undone")}

    assert undone() == set(range(span[0], span[1] + 1))
    reloaded(app, host)
    again = host.post("/corrections", {"kind": "redo"}).get_json()
    assert again["counts"] == {"stands": 190}
    assert undone() == {made["id"]}


def test_moves_to_play_again_are_counted(make_app: MakeApp) -> None:
    client = make_app(Guard(limits=replace(NO_LIMITS, work="1150/minute"))).test_client()
    assert client.post(f"{API}/records/replay", json=drawn(100)).status_code == 200
    body = problem(client.post(f"{API}/records", json=drawn(100)), 429, "too-many-requests")
    assert body["retry_after"] > 0
    host = imported(client, drawn(30))
    # A correction costs the moves of the game, and so does a record.
    problem(host.post("/corrections", {"kind": "undo"}), 429, "too-many-requests")
    problem(host.get("/record"), 429, "too-many-requests")
    host.move(2, "play", card="red-1")


@pytest.mark.parametrize(
    ("path", "rulings"), [("/records", 0), ("/records/replay", 2), ("/check", 2)]
)
def test_a_large_body_counts_although_it_is_refused(
    make_app: MakeApp, path: str, rulings: int
) -> None:
    limit = f"{500 + rulings * RULING}/minute"
    client = make_app(Guard(limits=replace(NO_LIMITS, work=limit))).test_client()
    for status, kind in ((400, "malformed-json"), (429, "too-many-requests")):
        sent = client.post(f"{API}{path}", data=b"[" * 180_000, content_type="application/json")
        problem(sent, status, kind)


def test_long_games_wait_for_one_another_and_short_ones_do_not(
    client: FlaskClient, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = long_games.LongGames(patience=0.05)
    monkeypatch.setattr(app.extensions["referee"], "long_games", turns)
    going, done = threading.Event(), threading.Event()

    def hold() -> None:
        with turns.turn(long_games.SHORT):
            going.set()
            done.wait(120)

    thread = threading.Thread(target=hold)
    thread.start()
    assert going.wait(120)
    answer = client.post(f"{API}/records/replay", json=drawn(long_games.SHORT))
    problem(answer, 503, "busy")
    assert int(answer.headers["Retry-After"]) > 0
    assert client.post(f"{API}/records/replay", json=drawn(10)).status_code == 200
    # Nor is a large body parsed meanwhile, whatever it says.
    large = b" " * long_games.SHORT * BYTES_A_MOVE
    for path in ("/records", "/records/replay", "/check"):
        problem(
            client.post(f"{API}{path}", data=large, content_type="application/json"), 503, "busy"
        )
    done.set()
    thread.join()
    answer = client.post(f"{API}/records/replay", json=drawn(long_games.SHORT))
    assert answer.status_code == 200


def break_off(patch: pytest.MonkeyPatch, after: int) -> None:
    """Let the store fail once so many parts of an import are written."""
    write, count = LogWriter.write, 0

    def failing(writer: LogWriter, job: Job) -> None:
        nonlocal count
        count += 1
        if count > after:
            raise StoreUnavailable
        write(writer, job)

    patch.setattr(imports, "PART", 10)
    patch.setattr(LogWriter, "write", failing)


@both_stores
def test_an_import_that_was_broken_off_is_made_again_or_deleted(app: Flask, store: str) -> None:
    client, events = app.test_client(), app.extensions["referee"]
    for headers in ({"Idempotency-Key": KEY}, {}):
        with pytest.MonkeyPatch.context() as patch:
            break_off(patch, after=2)
            answer = client.post(f"{API}/records", json=drawn(50), headers=headers)
            problem(answer, 503, "store-unavailable")
    assert len(unfinished_tables(events.engine)) == 2
    if store == "postgresql":
        # Another process may still be at it.
        answer = client.post(f"{API}/records", json=drawn(50), headers={"Idempotency-Key": KEY})
        problem(answer, 503, "busy")
        clear_unfinished(events)
        assert len(unfinished_tables(events.engine)) == 2
        return
    answers = [
        client.post(f"{API}/records", json=drawn(50), headers={"Idempotency-Key": KEY})
        for _ in range(2)
    ]
    first, second = (answer.get_json() for answer in answers)
    assert first == second
    host = Seat(client, first["token"], first["table"]["id"])
    assert len(host.get("/events?limit=200").get_json()["items"]) == 52
    assert len(unfinished_tables(events.engine)) == 1
    clear_unfinished(events)
    assert unfinished_tables(events.engine) == []
    events.cache.clear()
    assert events.table(host.table).version == 52


def test_a_move_costs_no_more_after_a_long_round_of_draws(client: FlaskClient) -> None:
    host = imported(client, drawn(1200))
    held = client.application.extensions["referee"].table(host.table)
    claims = [len(w.claims) for ledger in held.state.ledgers.values() for w in ledger.watches]
    assert max(claims) <= 112
    turn = host.state()["turn"]
    host.move(turn, "play", card=f"red-{turn}")
    assert len(host.state()["evidence"]) <= 200


@pytest.mark.usefixtures("slow_work")
def test_observations_that_take_long_are_counted(make_app: MakeApp) -> None:
    client = make_app(Guard(limits=replace(NO_LIMITS, work="10/minute"))).test_client()
    first, second = (add_camera(open_table(client), watching=False) for _ in range(2))
    seen = {"kind": "pile", "at": AT, "number": 9, "event": "cleared"}
    client.environ_base["REMOTE_ADDR"] = "192.0.2.1"
    first.state_is("watching")
    # The address and the table have had what they may.
    for camera, address in ((first, "192.0.2.1"), (second, "192.0.2.1"), (first, "192.0.2.2")):
        client.environ_base["REMOTE_ADDR"] = address
        problem(camera.post("/observations", seen), 429, "too-many-requests")
    client.environ_base["REMOTE_ADDR"] = "192.0.2.3"
    second.state_is("watching")
