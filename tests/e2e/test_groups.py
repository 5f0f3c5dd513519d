"""What a group keeps survives kill -9: it is computed from the log."""

from pathlib import Path
from typing import Any

import requests

from tests.e2e.server import PATIENCE, Server
from tests.web.games import game_of


def ask(server: Server, method: str, path: str, token: str | None = None, body: Any = None) -> Any:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    answer = requests.request(
        method, f"{server.url}/api/v1{path}", json=body, headers=headers, timeout=PATIENCE
    )
    assert answer.status_code < 300, answer.text
    return answer.json()


def test_a_group_survives_a_kill_and_counts_nothing_twice(tmp_path: Path) -> None:
    with Server(tmp_path / "tables.sqlite3") as server:
        made = ask(server, "POST", "/groups", body={"name": "Thursdays"})
        token, path = made["token"], f"/groups/{made['group']['id']}"
        hosts = []
        for _ in range(2):
            record = game_of(("Ann", "Bo", "Cy"), 1, target=1)
            table = ask(server, "POST", "/records", body=record)
            address = f"/tables/{table['table']['id']}/group"
            ask(server, "PUT", address, table["token"], {"token": token})
            hosts.append(table)
            if len(hosts) == 1:
                assert ask(server, "GET", path, token)["games_kept"] == 1
        # The second game was never read when the server dies.
        server.kill()
        server.start()
        found = ask(server, "GET", path, token)
        assert found["games_kept"] == 2
        assert {one["name"]: one["won"] for one in found["people"]} == {"Bo": 2, "Ann": 0, "Cy": 0}
        assert ask(server, "GET", path, token) == found
