"""Cached tables are reloaded from the log, and the log wins."""

import orjson
import pytest
from flask import Flask
from sqlalchemy import insert, update

from referee.rules.records.serial import state_to_json
from referee.service.log.event_log import Change
from referee.service.log.preconditions import WriteRequest
from referee.service.log.table_projection import TableProjection
from referee.store.schema import log, snapshots
from tests.api.conftest import Seat, open_table
from tests.api.test_bad_input import problem
from tests.conftest import both_stores

pytestmark = both_stores


def forgotten(app: Flask, host: Seat) -> TableProjection:
    """The table as it was in memory; the next request loads it from the log."""
    held: TableProjection = app.extensions["referee"].table(host.table)
    app.extensions["referee"].cache.clear()
    return held


def test_a_table_is_loaded_as_it_was(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.service.log.event_log.SNAPSHOT_EVERY", 20)
    host = open_table(app.test_client(), "power-grab")
    host.move(2, "play", card="red-3:U")
    for _ in range(23):
        turn = host.state()["turn"]
        host.move(turn, "draw")
        host.move(turn, "pass")
    host.post("/corrections", {"kind": "undo"})
    host.move(host.state()["turn"], "pass")
    before = host.get().get_json()
    held = forgotten(app, host)
    assert host.get().get_json() == before
    loaded = app.extensions["referee"].table(host.table)
    assert loaded is not held
    assert state_to_json(loaded.state) == state_to_json(held.state)
    assert loaded.meta == held.meta
    assert app.extensions["referee"].reader.snapshot(host.table)[0] == 40


def test_a_table_from_before_its_first_round_is_loaded(app: Flask) -> None:
    host = open_table(app.test_client(), "classic-112", opening=None)
    host.seats[2].post("/custom-cards", {"card": {"text": "Sing.", "effects": []}})
    host.post("/deal-draws", {"draws": [{"seat": 1, "card": "red-7"}]})
    before = host.get().get_json()
    forgotten(app, host)
    assert host.get().get_json() == before


def test_whoever_is_overtaken_decides_again(app: Flask) -> None:
    host = open_table(app.test_client())
    held = forgotten(app, host)
    host.move(2, "play", card="red-1")
    app.extensions["referee"].cache.keep(held)
    late = host.move(2, "play", card="red-2")
    assert late["ruling"]["rule"] == "turn.order"
    assert host.state()["top"] == "red-1"
    assert held.version == late["id"]
    assert host.move(3, "play", card="red-2")["ruling"]["verdict"] == "legal"


def test_whoever_is_overtaken_and_named_a_version_is_told(app: Flask) -> None:
    host = open_table(app.test_client())
    version = host.get().headers["ETag"]
    held = forgotten(app, host)
    host.move(2, "play", card="red-1")
    app.extensions["referee"].cache.keep(held)
    move = {"seat": 2, "move": "play", "card": "red-2"}
    body = problem(host.post("/moves", move, If_Match=version), 412, "stale-version")
    assert body["version"] == held.version
    assert host.state()["top"] == "red-1"


def test_an_entry_of_an_unknown_kind_is_not_stored(app: Flask) -> None:
    host = open_table(app.test_client())
    events = app.extensions["referee"]
    table = events.table(host.table)
    by = events.holders.by_token(host.token)
    with pytest.raises(ValueError, match="no fold"):
        events.write(table, WriteRequest(by), lambda: Change([("sung", {"by": by.to_json()})]))
    assert events.reader.newest([host.table])[host.table] == table.version
    host.move(2, "play", card="red-1")


def test_a_table_that_a_newer_server_wrote_to_says_so_and_others_go_on(app: Flask) -> None:
    host, other = open_table(app.test_client()), open_table(app.test_client())
    events = app.extensions["referee"]
    row = {"table_id": host.table, "seq": events.table(host.table).version + 1, "kind": "sung"}
    with events.engine.begin() as connection:
        connection.execute(insert(log), [{**row, "at": "2026-11-05T12:00:00.000", "body": "{}"}])
    events.cache.clear()
    for path in ("", "/scores", "/events", "/record"):
        body = problem(host.get(path, Accept_Language="sv"), 501, "newer-log")
        assert str(row["seq"]) in body["detail"]
    problem(host.post("/moves", {"seat": 2, "move": "draw"}), 501, "newer-log")
    other.move(2, "play", card="red-1")


def test_a_snapshot_that_cannot_be_read_is_left_aside(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.service.log.event_log.SNAPSHOT_EVERY", 3)
    host = open_table(app.test_client())
    for card in ("red-1", "red-2", "red-3"):
        host.move(host.state()["turn"], "play", card=card)
    before, events = host.get().get_json(), app.extensions["referee"]
    seq, body = events.reader.snapshot(host.table)
    value = orjson.loads(body)
    value["meta"]["songs"] = []
    with events.engine.begin() as connection:
        where = snapshots.c.table_id == host.table
        connection.execute(update(snapshots).where(where).values(body=orjson.dumps(value).decode()))
    events.cache.clear()
    assert seq
    assert host.get().get_json() == before
