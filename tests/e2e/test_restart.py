"""Stopping a server: streams are told, writes in hand are finished, readers go on elsewhere."""

import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import requests

from tests.e2e.server import PATIENCE, Server
from tests.e2e.test_kill import Player, moves_written, seat_down
from tests.postgres import PostgresServer


def listen(player: Player, url: str, after: int) -> Iterator[tuple[str, str]]:
    """A stream's events as (kind, id)."""
    headers = {
        "Authorization": f"Bearer {player.token}",
        "Accept": "text/event-stream",
        "Last-Event-ID": str(after),
    }
    path = f"{url}/api/v1/tables/{player.table}/events"
    with requests.get(path, headers=headers, stream=True, timeout=PATIENCE) as answer:
        number = ""
        for line in answer.iter_lines(chunk_size=1, decode_unicode=True):
            name, _, value = line.partition(": ")
            if name == "id":
                number = value
            elif name == "event":
                yield value, number if value == "moved" else ""


def test_streams_are_told_and_writes_are_finished(tmp_path: Path) -> None:
    with Server(tmp_path / "stopped.sqlite3") as server:
        player = seat_down(server)
        stream = listen(player, server.url, 0)
        assert next(stream)[0] == "created"
        assert next(stream)[0] == "round-opened"
        stop = threading.Event()
        playing = threading.Thread(target=player.play, args=(stop,))
        playing.start()
        assert next(stream)[0] == "moved"
        server.process.send_signal(signal.SIGTERM)
        kinds = [kind for kind, _ in stream]
        playing.join()
        assert server.process.wait(timeout=PATIENCE) == 0
        assert kinds[-1] == "closing"
        server.start()
        player.url = server.url
        written = moves_written(player)
        extra = set(written) - set(player.acknowledged.values())
        assert set(player.acknowledged.values()) <= set(written)
        assert len(extra) <= 1


def test_a_rolling_restart_loses_no_event(postgres: PostgresServer) -> None:
    name = postgres.database()
    with Server(name) as first, Server(name) as second:
        player = seat_down(first)
        stop = threading.Event()
        player.url = second.url
        playing = threading.Thread(target=player.play, args=(stop,))
        playing.start()
        seen: list[int] = []
        stream = listen(player, first.url, 2)
        seen += [int(next(stream)[1]) for _ in range(3)]
        first.process.send_signal(signal.SIGTERM)
        seen += [int(number) for kind, number in stream if kind == "moved"]
        stream = listen(player, second.url, seen[-1])
        seen += [int(next(stream)[1]) for _ in range(3)]
        stop.set()
        playing.join()
        assert seen == list(range(3, 3 + len(seen)))
        assert first.process.wait(timeout=PATIENCE) == 0
