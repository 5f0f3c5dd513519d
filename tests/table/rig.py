"""A table with a camera, a board, a gateway and a server, each of which can fail; no clock."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flask import Flask
from flask.testing import FlaskClient

from hardware.gateway.api import API, Reply
from hardware.gateway.posting.outbox import Outbox
from hardware.gateway.posting.poster import judge_reply
from hardware.observation import Observation
from referee.api import close_app as stopped
from referee.api import create_app
from referee.config import NO_LIMITS, Guard, Settings
from tests.api.reloaded import out_of_time

AT = "2026-11-21T10:00:00.000+00:00"
RULESET, NAMES = "power-grab", ["Ann", "Bo", "Cy"]
POWERS = ("U", "N", "O", "!")
MOST_TRIES = 5
Json = dict[str, Any]
# What a request meets instead of an answer: "lost" after it was done, "dropped" before.
Trouble = str


@dataclass
class Rig:
    """A table whose devices report through the gateway's real outbox to the real server."""

    folder: Path
    app: Flask | None = None
    troubles: list[Trouble] = field(default_factory=list)
    twice: bool = False
    number: int = 0
    stands: dict[str, int] = field(default_factory=lambda: dict.fromkeys(POWERS, 0))
    top: str = "red-5"

    def begin(self) -> "Rig":
        """Set up server, table and devices; Cy has dealt four cards to each hand."""
        self.app = self.app or started(self.folder)
        made = self.call("POST", "/tables", {"ruleset": RULESET, "seats": NAMES})
        self.table, self.host = made["table"]["id"], made["token"]
        code = made["table"]["code"]
        self.seats = {
            seat: self.call("POST", "/join", {"code": code, "seat": seat})["token"]
            for seat in (1, 2, 3)
        }
        self.tokens = {
            kind: self.at("POST", "/devices", {"name": kind, "kind": kind}, self.host)["token"]
            for kind in ("camera", "board")
        }
        self.at("POST", "/rounds", {"dealer": 3, "opening": ["red-5"]}, self.seats[3])
        for seat in (1, 2, 3):
            body = {"kind": "hand-count", "seat": seat, "count": 4}
            self.at("POST", "/corrections", body, self.host)
        self.start_gateway()
        self.camera_back()
        self.board_says(**self.stands)
        return self

    # The server

    def kill_server(self) -> None:
        """Restart the server, losing its memory."""
        assert self.app is not None
        stopped(self.app)
        self.app = started(self.folder)

    @property
    def client(self) -> FlaskClient:
        return self.app.test_client()

    def call(self, method: str, path: str, body: Json | None = None, token: str = "") -> Json:
        """Send a request that must succeed."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = self.client.open(f"{API}{path}", method=method, json=body, headers=headers)
        assert answer.status_code in (200, 201), answer.text
        return answer.get_json()

    def at(self, method: str, path: str, body: Json | None = None, token: str = "") -> Json:
        """Send a request about the table, which must succeed."""
        return self.call(method, f"/tables/{self.table}{path}", body, token)

    # The gateway

    def start_gateway(self) -> None:
        self.outbox = Outbox(self.folder / "outbox.sqlite3", self.table, lambda: 1.8e9)
        self.outbox.open()
        for token in self.tokens.values():
            self.at("POST", "/promises", {"within": 45}, token)

    def stop_gateway(self) -> None:
        self.outbox.close()

    def wait_for_gateway(self) -> None:
        """Let its lease expire."""
        out_of_time(self.app.extensions["referee"])

    def put(self, device: str, body: Json) -> None:
        """Put a device's observation on disk."""
        self.outbox.put(device, [Observation(AT, body)], {"n": self.number})

    def deliver(self) -> None:
        """Post all that waits, in order, as the gateway's poster does; nothing may be refused."""
        for device in ("camera", "board"):
            tries = 0
            while (waiting := self.outbox.next(device)) is not None:
                verdict = judge_reply(self._post(device, waiting.body, waiting.key), 1.8e9)
                tries += 1
                assert tries < MOST_TRIES, verdict
                if verdict.fate == "taken":
                    if self.twice:
                        assert self._post(device, waiting.body, waiting.key).status == 201
                    self.outbox.done(waiting)
                    tries = 0
                else:
                    assert verdict.fate == "again", verdict

    def _post(self, device: str, body: bytes, key: str) -> Reply:
        trouble = self.troubles.pop(0) if self.troubles else ""
        if trouble == "dropped":
            return Reply(503, None)
        if trouble == "page":
            return Reply(200, None)
        path = f"{API}/tables/{self.table}/observations"
        headers = {"Authorization": f"Bearer {self.tokens[device]}", "Idempotency-Key": key}
        answer = self.client.post(path, json=json.loads(body), headers=headers)
        if trouble == "lost":
            return Reply(504, None)
        return Reply(answer.status_code, answer.get_json())

    # The devices

    def camera_says(self, **body: Any) -> None:
        if body.get("event"):
            self.number += 1
            body = {"kind": "pile", "number": self.number, **body}
        else:
            body = {"kind": "camera", **body}
        self.put("camera", body)
        self.deliver()

    def camera_back(self) -> None:
        """Report that the camera watches, and what lies there."""
        self.camera_says(state="watching")
        self.camera_says(event="found", cards={self.top: 0.9995})

    def board_says(self, **powers: Any) -> None:
        self.put("board", {"kind": "powers", "powers": powers})
        self.deliver()

    # People

    def say(self, seat: int, move: str, **more: Any) -> Json:
        return self.at("POST", "/moves", {"move": move, **more}, self.seats[seat])

    def answer(self, card: str, seat: int) -> None:
        """Answer each question with the card that was laid."""
        for item in self.at("GET", "/questions", token=self.host)["items"]:
            for place, option in enumerate(item["options"], 1):
                moves = option["moves"]
                if moves and (moves[-1]["seat"], moves[-1].get("card")) == (seat, card):
                    body: Mapping[str, Any] = {"option": place}
                    break
            else:
                body = {"card": card, "seat": seat}
            path = f"/questions/{item['id']}/answers"
            self.at("POST", path, dict(body), self.seats[seat])

    def state(self) -> Json:
        return self.at("GET", "", token=self.host)["state"]

    def log(self) -> list[Json]:
        return self.at("GET", "/events?limit=200", token=self.host)["items"]


def started(folder: Path) -> Flask:
    """Start a server on a folder's database."""
    # Each cell of the matrix has a table of its own, and all come from one address.
    unlimited = Guard(limits=NO_LIMITS)
    return create_app(Settings(database=str(folder / "tables.sqlite3"), guard=unlimited))


Lay = Callable[[Rig, int, str], None]
Take = Callable[[Rig, int, str], None]


def lay(rig: Rig, seat: int, card: str) -> None:
    """Lay a card under the camera."""
    rig.top = card
    rig.camera_says(event="placed", cards={card: 0.9995})


def take(rig: Rig, seat: int, power: str) -> None:
    """Take a tower on the board."""
    rig.stands[power] = seat
    rig.board_says(**{power: seat})
