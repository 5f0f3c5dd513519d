"""A restart, however the server was stopped, deletes what is left of imports and nothing else."""

import signal
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import requests

from tests.api.clubs import Club, Send, open_club
from tests.e2e.server import PATIENCE, Server


def sender(server: Server) -> Send:
    """Send requests to the server, wherever it listens now."""

    def send(
        method: str, path: str, token: str | None = None, body: Any = None, **headers: str
    ) -> tuple[int, Any]:
        named = {**headers, **({"Authorization": f"Bearer {token}"} if token else {})}
        url = f"{server.url}/api/v1{path}"
        answer = requests.request(method, url, json=body, headers=named, timeout=PATIENCE)
        return answer.status_code, answer.json()

    return send


def table_ids(database: Path) -> set[str]:
    with closing(sqlite3.connect(database)) as connection:
        return {row[0] for row in connection.execute("SELECT id FROM tables")}


def leave_an_import(database: Path) -> None:
    """Write what the first part of an import leaves."""
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("INSERT INTO tables VALUES ('broken-off', 'CODE', '2026-01-01')")
        connection.execute("INSERT INTO imports VALUES ('broken-off')")


def seen(club: Club) -> list[Any]:
    """Return what has to outlive a restart: the round, its standings and both tables."""
    shown = club.call("GET", "/rounds/1")
    tables = [
        club.send("GET", f"/tables/{table['table_id']}", club.token) for table in shown["tables"]
    ]
    assert [status for status, _ in tables] == [200, 200]
    states = [(body["version"], body["state"]["scores"]) for _, body in tables]
    return [shown["tables"], club.standings(), states]


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_tournament_keeps_its_tables(tmp_path: Path, how: signal.Signals) -> None:
    database = tmp_path / "club.sqlite3"
    with Server(database) as server:
        club = open_club(sender(server))
        first, second = club.play()["tables"]
        club.count(first, 1, [0, 20, 0, 5])
        phone = club.join(second, 1)
        before, ids = seen(club), table_ids(database)
        server.process.send_signal(how)
        server.process.wait(timeout=PATIENCE)
        leave_an_import(database)
        server.start()
        assert seen(club) == before
        assert table_ids(database) == ids
        status, _ = club.send("GET", f"/tables/{second['table_id']}", phone)
        assert status == 200
        club.count(first, 2, [10, 0, 0, 0])
