"""Several serving processes: one that dies is replaced, none outlives the one that started it."""

import os
import signal
import socket
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import requests

from tests.e2e.server import PATIENCE, Server
from tests.postgres import PostgresServer


def within(seconds: float, what: Callable[[], bool]) -> bool:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if what():
            return True
        time.sleep(0.05)
    return False


def is_alive(process: int) -> bool:
    try:
        state = (
            Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
        )
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def test_a_process_that_dies_is_replaced(postgres: PostgresServer) -> None:
    with Server(postgres.database(), "--workers", "2") as server:
        first, second = server.workers()
        os.kill(first, signal.SIGKILL)
        assert within(PATIENCE, lambda: len({*server.workers()} - {first}) == 2)
        assert second in server.workers()
        assert requests.get(f"{server.url}/ready", timeout=PATIENCE).status_code == 200


def test_no_process_outlives_its_parent(postgres: PostgresServer) -> None:
    with Server(postgres.database(), "--workers", "2") as server:
        workers = server.workers()
        assert server.process is not None
        server.process.kill()
        assert within(PATIENCE, lambda: not any(map(is_alive, workers)))


def test_a_killed_server_leaves_its_file_at_once(tmp_path: Path) -> None:
    path = tmp_path / "killed.sqlite3"
    server = Server(path)
    server.start()
    assert server.process is not None
    server.process.kill()
    server.process.wait(PATIENCE)
    with Server(path) as again:
        assert requests.get(f"{again.url}/ready", timeout=PATIENCE).status_code == 200


@pytest.mark.skipif(not socket.has_ipv6, reason="this machine has no IPv6")
def test_one_listener_serves_both_kinds_of_addresses(tmp_path: Path) -> None:
    with Server(tmp_path / "both.sqlite3", "--host", "::") as server:
        port = server.url.rpartition(":")[2]
        for host in ("127.0.0.1", "[::1]"):
            # Only this machine reads the figures, whichever way it comes.
            figures = requests.get(f"http://{host}:{port}/metrics", timeout=PATIENCE)
            assert figures.status_code == 200
