"""kill -9 under load: every acknowledged move is there, and none is there twice.

``python -m bench kill`` does it a hundred times and says how long restarts took.
"""

import threading
import time
import uuid
from dataclasses import dataclass, field
from typing import Any

import requests

from tests.e2e.server import PATIENCE, Server
from tests.paging import all_items
from tests.postgres import PostgresServer
from tests.waiting import until

TABLES = 4
UNDER_LOAD = 0.4


@dataclass
class Player:
    """Draws and passes at a table of its own, and remembers what was acknowledged."""

    url: str
    table: str
    token: str
    acknowledged: dict[str, int] = field(default_factory=dict)
    unanswered: tuple[str, dict[str, Any]] | None = None

    def play(self, stop: threading.Event) -> None:
        state = self.get("")["state"]
        while not stop.is_set():
            move = "draw" if state["awaiting"][0]["need"] == "play" else "pass"
            key, body = str(uuid.uuid4()), {"seat": state["turn"], "move": move}
            try:
                state = self.send(key, body)
            except requests.RequestException:
                self.unanswered = (key, body)
                return

    def send(self, key: str, body: dict[str, Any]) -> dict[str, Any]:
        """Make a move that has to be legal; the state after it."""
        headers = {"Authorization": f"Bearer {self.token}", "Idempotency-Key": key}
        path = f"{self.url}/api/v1/tables/{self.table}/moves"
        answer = requests.post(path, json=body, headers=headers, timeout=PATIENCE)
        assert answer.status_code == 201, answer.text
        assert answer.json()["ruling"]["verdict"] == "legal", answer.text
        self.acknowledged[key] = answer.json()["id"]
        return dict(answer.json()["state"])

    def get(self, path: str) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {self.token}"}
        answer = requests.get(
            f"{self.url}/api/v1/tables/{self.table}{path}", headers=headers, timeout=PATIENCE
        )
        answer.raise_for_status()
        return answer.json()


def seat_down(server: Server) -> Player:
    api = f"{server.url}/api/v1"
    new = {"ruleset": "classic-112", "seats": ["Ann", "Bo"]}
    made = requests.post(f"{api}/tables", json=new, timeout=PATIENCE).json()
    player = Player(server.url, made["table"]["id"], made["token"])
    headers = {"Authorization": f"Bearer {player.token}"}
    begun = {"opening": ["red-7"], "dealer": 1}
    path = f"{api}/tables/{player.table}/rounds"
    assert requests.post(path, json=begun, headers=headers, timeout=PATIENCE).status_code == 201
    return player


def kill_once(server: Server, players: list[Player], seconds: float) -> float:
    """Play, kill in the middle, start again, check; how many seconds the restart took.

    The middle is when so many seconds have passed and everybody has made a move.
    """
    stop = threading.Event()
    before = {player.table: len(player.acknowledged) for player in players}
    threads = [threading.Thread(target=player.play, args=(stop,)) for player in players]
    for thread in threads:
        thread.start()
    time.sleep(seconds)
    until(lambda: all(len(one.acknowledged) > before[one.table] for one in players))
    server.kill()
    stop.set()
    for thread in threads:
        thread.join()
    restarted = server.start()
    for player in players:
        player.url = server.url
        check(player)
    return restarted


def check(player: Player) -> None:
    written = moves_written(player)
    seqs = sorted(player.acknowledged.values())
    assert len(set(seqs)) == len(seqs)
    assert set(seqs) <= set(written), "an acknowledged move is lost"
    extra = set(written) - set(seqs)
    assert len(extra) <= (player.unanswered is not None), "a move nobody sent was applied"
    if player.unanswered is not None:
        key, body = player.unanswered
        player.send(key, body)
        player.unanswered = None
        assert extra <= {player.acknowledged[key]}, "the repeated move was applied twice"
    written = moves_written(player)
    assert sorted(player.acknowledged.values()) == written


def moves_written(player: Player) -> list[int]:
    return [item["id"] for item in all_items(player.get, "/events") if item["kind"] == "moved"]


def test_kill_under_load(database: str) -> None:
    with Server(database) as server:
        players = [seat_down(server) for _ in range(TABLES)]
        for _ in range(2):
            kill_once(server, players, UNDER_LOAD)
        assert all(len(player.acknowledged) > 1 for player in players)


def test_kill_two_processes_under_load(postgres: PostgresServer) -> None:
    with Server(postgres.database(), "--workers", "2") as server:
        players = [seat_down(server) for _ in range(TABLES)]
        kill_once(server, players, UNDER_LOAD)
        assert all(player.acknowledged for player in players)
