"""Webhooks of servers that die."""

import threading
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

from tests.api.receiver import Receiver, receiving
from tests.e2e.server import PATIENCE, Server
from tests.waiting import until

NEAR = {"REFEREE_WEBHOOK_NETWORKS": "127.0.0.1/32"}
KILLS = 2


class Table:
    """A table whose moves a receiver hears of."""

    def __init__(self, server: Server, receiver: Receiver) -> None:
        self.server = server
        new = {"ruleset": "classic-108", "seats": ["Ann", "Bo"]}
        made = server.ask("POST", "/tables", None, new)
        self.id, self.token = made["table"]["id"], made["token"]
        self.post("/rounds", {"opening": ["red-7"], "dealer": 1})
        hook = self.post("/webhooks", {"url": receiver.url, "kinds": ["moved"]})
        self.secret = hook["secret"]
        self.moves: list[int] = []

    def post(self, path: str, body: Any) -> Any:
        return self.server.ask("POST", f"/tables/{self.id}{path}", self.token, body)

    def draw(self, count: int) -> None:
        """Make moves, legal or not."""
        for _ in range(count):
            self.moves.append(self.post("/moves", {"seat": 2, "move": "draw"})["id"])


def test_a_server_killed_while_it_sends_loses_nothing(tmp_path: Path) -> None:
    with receiving() as receiver, Server(tmp_path / "killed.sqlite3", env=NEAR) as server:
        table = Table(server, receiver)
        for number in range(KILLS):
            arrived, dead = threading.Event(), threading.Event()

            def hold(handler: BaseHTTPRequestHandler) -> None:
                arrived.set()  # noqa: B023 - of this round
                dead.wait(PATIENCE)  # noqa: B023

            receiver.answer = hold
            table.draw(4)
            assert arrived.wait(PATIENCE)
            server.kill()
            receiver.answer = None
            dead.set()
            server.start()
            until(lambda: receiver.events()[-1] == table.moves[-1])
            assert len(table.moves) == 4 * (number + 1)
        got = receiver.events()
        assert got == sorted(got)
        assert list(dict.fromkeys(got)) == table.moves
        # Those that were under way come again, under the same id.
        assert len(got) == len(table.moves) + KILLS
        assert len({message.id for message in receiver.got}) == len(table.moves)
        for message in receiver.got:
            message.verify(table.secret)
