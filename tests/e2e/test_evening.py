"""A whole evening at one table, whose server is killed after each part of it: nothing is lost."""

from pathlib import Path
from typing import Any

import requests

from tests.api.conftest import Seat, open_table
from tests.api.test_evening import NAMES, PARTS
from tests.api.test_exports import check_export
from tests.e2e.server import PATIENCE, Server
from tests.waiting import until

READ = ("", "/events?limit=200", "/scores", "/scores.csv", "/record", "/games", "/audit", "/tokens")


class HttpClient:
    """Sends requests to a real server as Flask's client does to one in the test's process."""

    def __init__(self, server: Server) -> None:
        self.server = server

    def open(self, path: str, method: str, json: Any = None, headers: Any = None) -> Any:
        answer: Any = requests.request(
            method, self.server.url + path, json=json, headers=headers, timeout=PATIENCE
        )
        answer.get_json = answer.json
        return answer

    def post(self, path: str, json: Any) -> Any:
        return self.open(path, "POST", json)


def restarted(server: Server) -> None:
    server.kill()
    server.start()


def hosts(seat: Seat) -> list[int]:
    return [one["seat"] for one in seat.get().get_json()["seats"] if one["host"]]


def test_nothing_of_an_evening_is_lost(tmp_path: Path) -> None:
    with Server(tmp_path / "evening.sqlite3", stays=True) as server:
        client: Any = HttpClient(server)
        host = open_table(client, names=NAMES, opening=None)
        for part in PARTS:
            part(host)
            before = [host.get(path).text for path in READ]
            restarted(server)
            assert [host.get(path).text for path in READ] == before
        entries = host.get("/events?limit=200").get_json()["items"]
        assert [entry["id"] for entry in entries] == list(range(1, len(entries) + 1))
        for game in (1, None):
            check_export(host, tmp_path, game)


def test_who_is_to_become_a_host_becomes_it_after_a_restart(tmp_path: Path) -> None:
    env = {"REFEREE_TAKEOVER_SECONDS": "1"}
    with Server(tmp_path / "evening.sqlite3", env=env, stays=True) as server:
        client: Any = HttpClient(server)
        host = open_table(client)
        bo, cy = host.seats[2], host.seats[3]
        assert bo.post("/host-request").status_code == 201
        assert cy.post("/host-request/agreements").status_code == 201
        restarted(server)
        until(lambda: hosts(bo) == [2])
        # The old phone turns up.
        assert host.delete(f"/tokens/{bo.token_id()}").status_code == 403
        assert bo.delete(f"/tokens/{host.token_id()}").status_code == 200
        assert host.get().status_code == 401
