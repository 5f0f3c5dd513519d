"""Recorded games, played at a table of a real server."""

import json
from pathlib import Path
from typing import Any

import requests

from tests.e2e.server import PATIENCE, Server

ROOT = Path(__file__).parents[2]
Json = dict[str, Any]


class Host:
    """The host of a table at a server, who says what everybody does."""

    def __init__(self, server: Server, record: Json) -> None:
        self.server = server
        self.session = requests.Session()
        self.session.trust_env = False
        head = {name: record[name] for name in ("ruleset", "seats", "options")}
        made = self._post("", head)
        self.table, self.code = made["table"]["id"], made["table"]["code"]
        self.session.headers["Authorization"] = f"Bearer {made['token']}"

    def _post(self, path: str, body: Json) -> Json:
        answer = self.session.post(
            f"{self.server.url}/api/v1/tables{path}", json=body, timeout=PATIENCE
        )
        assert answer.status_code == 201, answer.text
        return answer.json()

    def get(self, path: str) -> requests.Response:
        """What stands under the table."""
        return self.session.get(
            f"{self.server.url}/api/v1/tables/{self.table}{path}", timeout=PATIENCE
        )

    def open(self, played: Json) -> Json:
        """Begin a round of a record."""
        begun = {name: played[name] for name in ("dealer", "opening")}
        return self._post(f"/{self.table}/rounds", begun)

    def move(self, move: Json) -> Json:
        """Make a move of a record, with the host's verdict where it has one."""
        said = {name: move[name] for name in move if name not in ("expect", "ruled")}
        if said["move"] == "hand-count":
            del said["move"]
            return self._post(f"/{self.table}/corrections", {"kind": "hand-count", **said})
        entry = self._post(f"/{self.table}/moves", said)
        if "ruled" in move:
            body = {"kind": "overrule", "verdict": move["ruled"]}
            entry = self._post(f"/{self.table}/corrections", body)
        return entry


def recorded(name: str) -> Json:
    """An example's record."""
    return json.loads((ROOT / "examples" / f"{name}.json").read_text(encoding="utf-8"))
