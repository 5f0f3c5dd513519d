"""A club evening over HTTP: an organiser with a tournament, and its players' phones."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from flask.testing import FlaskClient

Json = dict[str, Any]
# Sends method, path, token, body and headers; returns status and JSON.
Send = Callable[..., tuple[int, Json]]
NAMES = ("Ann", "Bo", "Cy", "Dee", "Eve", "Fay", "Gus", "Hal")


def sender(client: FlaskClient) -> Send:
    """Send requests to a server in the test's process."""

    def send(
        method: str, path: str, token: str | None = None, body: Any = None, **headers: str
    ) -> tuple[int, Json]:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if token:
            named["Authorization"] = f"Bearer {token}"
        answer = client.open(f"/api/v1{path}", method=method, json=body, headers=named)
        return answer.status_code, answer.get_json(silent=True) or {"text": answer.text}

    return send


@dataclass
class Club:
    """A tournament and its organiser's token."""

    send: Send
    id: str
    token: str
    made: Json

    def call(
        self, method: str, path: str = "", body: Any = None, token: str | None = None, **more: str
    ) -> Json:
        """Send a request below the tournament's path, as the organiser; it has to succeed."""
        status, answer = self.send(
            method, f"/tournaments/{self.id}{path}", token or self.token, body, **more
        )
        assert 200 <= status < 300, (status, answer)
        return answer

    def refused(
        self, method: str, path: str = "", body: Any = None, token: str | None = None
    ) -> tuple[int, str]:
        """Send a request that has to be refused; return the status and what is said."""
        status, answer = self.send(
            method, f"/tournaments/{self.id}{path}", token or self.token, body
        )
        assert status >= 400, answer
        return status, answer["detail"]

    def play(self, minutes: int | None = None, **draw: Any) -> Json:
        """Draw a round and start it."""
        drawn = self.call("POST", "/rounds", draw)
        return self.call("POST", f"/rounds/{drawn['round']}/start", {"minutes": minutes})

    def join(self, table: Json, seat: int) -> str:
        """Take a seat at a table of a round; return its token."""
        status, joined = self.send("POST", "/join", None, {"code": table["code"], "seat": seat})
        assert status == 201, joined
        return str(joined["token"])

    def count(self, table: Json, out: int, held: Sequence[int], token: str | None = None) -> Json:
        """Enter a round of cards by its result: who went out, and what the others held."""
        hands = {str(s): n for s, n in enumerate(held, 1) if s != out}
        status, entry = self.send(
            "POST",
            f"/tables/{table['table_id']}/rounds",
            token or self.token,
            {"result": {"out": out, "hands": hands}},
        )
        assert status == 201, entry
        return entry

    def enter(self, number: int, table: int, scores: Sequence[int], **more: Any) -> Json:
        """Type in a result as the organiser."""
        path = f"/rounds/{number}/tables/{table}/result"
        return self.call("PUT", path, {"scores": list(scores), **more})

    def standings(self, query: str = "") -> list[Json]:
        """Return the standings."""
        return self.call("GET", f"/standings{query}")["items"]


def open_club(send: Send, players: Sequence[str] = NAMES, **settings: Any) -> Club:
    """Create a tournament."""
    body = {"name": "Club", "ruleset": "classic-108", "players": list(players), **settings}
    status, made = send("POST", "/tournaments", None, body)
    assert status == 201, made
    return Club(send, made["tournament"]["id"], made["token"], made["tournament"])
