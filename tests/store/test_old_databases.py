"""Databases that earlier releases wrote: everything reads as before, and play goes on.

``fixtures/write_tables.py`` wrote the files.
"""

import json
import sqlite3
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from referee.api import create_app
from referee.config import NO_LIMITS, Guard, Settings
from referee.rules.record import parse_record, replay
from referee.rules.views import public_state

FILES = sorted((Path(__file__).parent / "fixtures").glob("release-*.zip"))
API = "/api/v1"
PAGE = 100
Json = dict[str, Any]


class Old:
    """A server that has opened a file, and what the release that wrote it said of its tables."""

    def __init__(self, file: Path, folder: Path) -> None:
        with zipfile.ZipFile(file) as written:
            written.extract("tables.sqlite3", folder)
            self.tables: list[Json] = json.loads(written.read("tables.json"))
        self.database = folder / "tables.sqlite3"
        self.start()

    def start(self) -> None:
        """Start a server."""
        self.app = create_app(Settings(str(self.database), guard=Guard(limits=NO_LIMITS)))
        self.client: FlaskClient = self.app.test_client()

    def stop(self) -> None:
        """Stop the server."""
        self.app.extensions["referee"].close()
        self.app.extensions["referee-lock"].close()

    def restart(self) -> None:
        """Start another server on the file."""
        self.stop()
        self.start()

    def forget_snapshots(self) -> None:
        """Let every table be read from its first entry on."""
        self.stop()
        with sqlite3.connect(self.database) as connection:
            connection.execute("DELETE FROM snapshots")
        connection.close()
        self.start()

    def call(self, method: str, path: str, token: str, body: Any = None) -> Any:
        """Send a request that must succeed."""
        headers = {"Authorization": f"Bearer {token}"}
        answer = self.client.open(f"{API}{path}", method=method, json=body, headers=headers)
        assert answer.status_code in (200, 201), f"{path}: {answer.text}"
        return answer.get_json()

    def at(self, table: Json, path: str = "", body: Any = None) -> Any:
        """Speak as the host of a table; with a body, write."""
        method = "GET" if body is None else "POST"
        return self.call(method, f"/tables/{table['id']}{path}", table["host"], body)

    def entries(self, table: Json) -> list[Json]:
        """Return the whole log, page by page."""
        found: list[Json] = []
        after: int | None = 0
        while after is not None:
            page = self.at(table, f"/events?after={after}&limit={PAGE}")
            found += page["items"]
            after = page["next"]
        return found

    def in_progress(self) -> list[Json]:
        """Return the open tables where a round is being played."""
        views = [(one, one["table"]) for one in self.tables]
        return [one for one, view in views if view["state"]["turn"] and not view["closed"]]


@pytest.fixture(params=FILES, ids=lambda file: file.stem)
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Old]:
    opened = Old(request.param, tmp_path)
    yield opened
    opened.stop()


def holds(found: Any, said: Any) -> bool:
    """Return whether everything said still stands; a later release may say more."""
    if isinstance(said, dict):
        return isinstance(found, dict) and all(
            name in found and holds(found[name], value) for name, value in said.items()
        )
    if isinstance(said, list):
        same = isinstance(found, list) and len(found) == len(said)
        return same and all(holds(one, other) for one, other in zip(found, said, strict=True))
    return bool(found == said)


def without_expectations(record: Json) -> Json:
    """Return a record as releases wrote it that did not say which moves are illegal."""
    rounds = [
        {
            **played,
            "moves": [
                {name: value for name, value in move.items() if name != "expect"}
                for move in played["moves"]
            ],
        }
        for played in record["rounds"]
    ]
    return {**record, "rounds": rounds}


def check_as_before(old: Old) -> None:
    for table in old.tables:
        name = table["name"]
        assert holds(old.at(table), table["table"]), name
        assert holds(old.at(table, "/scores"), table["scores"]), name
        assert without_expectations(old.at(table, "/record")) == table["record"], name
        found = old.entries(table)
        assert [entry["id"] for entry in found] == [entry["id"] for entry in table["entries"]]
        for entry, said in zip(found, table["entries"], strict=True):
            assert holds(entry, said), f"{name}, entry {said['id']}"
            assert all(entry.get("announcements", [])), f"{name}, entry {said['id']}"


def test_tables_read_as_before_with_snapshots_and_without(old: Old) -> None:
    check_as_before(old)
    old.forget_snapshots()
    check_as_before(old)


def test_every_token_still_speaks(old: Old) -> None:
    for table in old.tables:
        path = f"/tables/{table['id']}/tokens/self"
        for seat, token in table["seats"].items():
            found = old.call("GET", path, token)
            assert (found["role"], found["seat"]) == ("seat", int(seat))
        for token in table["devices"].values():
            assert old.call("GET", path, token)["role"] == "device"


def test_records_replay_to_the_states_of_their_tables(old: Old) -> None:
    replayed = 0
    for table in old.tables:
        state = table["table"]["state"]
        steps = list(replay(parse_record(table["record"])))
        if steps and steps[-1].round == table["table"]["round"]:
            assert holds(public_state(steps[-1].state), state), table["name"]
            replayed += 1
    assert replayed > len(old.tables) / 2


def test_play_goes_on_and_is_corrected_and_read_again(old: Old) -> None:
    tables = old.in_progress()
    assert len(tables) > 5
    left = {}
    for table in tables:
        before = old.at(table)["state"]
        seat = next(int(s) for s in table["seats"] if int(s) != before["turn"])
        # A count put right, and that taken back.
        for change in (
            {"kind": "hand-count", "seat": seat, "count": before["hands"][seat - 1] + 2},
            {"kind": "undo"},
        ):
            old.at(table, "/corrections", change)
        assert old.at(table)["state"] == before, table["name"]
        legal = old.at(table, "/legal-moves")["moves"]
        move = next((one for one in legal if one["move"] == "draw"), None) or next(
            iter(legal), None
        )
        if move is not None:
            token = table["seats"][str(move.pop("seat"))]
            played = old.call("POST", f"/tables/{table['id']}/moves", token, move)
            assert played["ruling"]["verdict"] == "legal", table["name"]
            left[table["id"]] = played["state"]
    assert len(left) > 5
    old.restart()
    for table in tables:
        if table["id"] in left:
            assert old.at(table)["state"] == left[table["id"]], table["name"]


def test_what_was_awaited_can_be_given(old: Old) -> None:
    named = {table["name"]: table for table in old.tables}
    due = named["hands due"]
    hand = ["green-1", "green-2", "green-3", "green-4", "green-5", "yellow-1", "yellow-2"]
    old.at(due, "/moves", {"seat": 3, "move": "reveal", "hand": hand})
    assert old.at(due, "/scores")["scores"] == [0, 72, 0]
    challenged = named["challenged"]
    hand = ["red-1", "red-2", "red-3", "red-4", "green-1", "green-2"]
    shown = old.at(challenged, "/moves", {"seat": 1, "move": "reveal", "hand": hand})
    assert shown["ruling"]["verdict"] == "legal"
    seen = named["hand seen"]
    question = old.at(seen, "/questions")["items"][0]
    assert question["seat"] == 1
    old.at(seen, f"/questions/{question['id']}/answers", {"option": 1})
    old.at(seen, "/moves", {"seat": 3, "move": "reveal", "hand": ["green-1"]})
    assert old.at(seen, "/scores")["scores"][1] == 51
    begun = named["before the game"]
    proposed = old.at(begun)["custom_cards"]
    for card in proposed:
        for seat in card["missing"]:
            old.at(begun, f"/custom-cards/{card['id']}/approvals", {"seat": seat})
    for seat in (1, 2):
        draw = {"seat": seat, "card": "blue-3" if seat == 1 else "blue-5"}
        old.at(begun, "/deal-draws", {"draws": [draw]})
    opened = old.at(begun, "/rounds", {"opening": ["blue-7"]})
    assert opened["dealer"] == 2
