"""A killed server: who has approved house rules, and since when a turn runs, are there again."""

from pathlib import Path
from typing import Any

import requests

from tests.e2e.server import PATIENCE, Server

Json = dict[str, Any]
RESULT = {"result": {"out": 1, "hands": {"2": 5}}, "dealer": 1}


def call(server: Server, method: str, path: str, token: str | None, body: Any = None) -> Json:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    answer = requests.request(
        method, f"{server.url}/api/v1{path}", json=body, headers=headers, timeout=PATIENCE
    )
    assert answer.ok, answer.text
    found: Json = answer.json()
    return found


def test_approvals_and_the_time_of_a_turn_outlive_a_killed_server(tmp_path: Path) -> None:
    with Server(tmp_path / "killed.sqlite3") as server:
        new = {"ruleset": "classic-112", "seats": ["Ann", "Bo"], "timer": {"seconds": 300}}
        made = call(server, "POST", "/tables", None, new)
        host, at = made["token"], f"/tables/{made['table']['id']}"
        call(server, "POST", f"{at}/rounds", host, RESULT)
        wish = {"preset": "home", "seat": 1}
        proposal = call(server, "POST", f"{at}/house-rules", host, wish)["id"]
        before = call(server, "GET", at, host)["house_proposal"]
        server.kill()
        server.start()
        assert call(server, "GET", at, host)["house_proposal"] == before
        answer = {"approve": True, "seat": 2}
        call(server, "POST", f"{at}/house-rules/{proposal}/answers", host, answer)
        server.kill()
        server.start()
        assert call(server, "GET", at, host)["house_proposal"]["agreed"]
        call(server, "POST", f"{at}/rounds", host, {"opening": ["red-7"]})
        running = call(server, "GET", at, host)["timer"]["running"]
        server.kill()
        server.start()
        found = call(server, "GET", at, host)
        assert found["timer"]["running"] == running
        assert (found["house_code"], found["house_proposal"]) == ("D1S1", None)
