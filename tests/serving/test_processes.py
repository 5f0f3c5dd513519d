"""Several serving processes: one that dies is replaced, the others go on."""

import os
import signal
import socket
from pathlib import Path

import pytest
import requests

from tests.e2e.server import PATIENCE, Server
from tests.postgres import PostgresServer
from tests.waiting import until


def test_a_process_that_dies_is_replaced(postgres: PostgresServer) -> None:
    with Server(postgres.database(), "--workers", "2") as server:
        first, second = server.workers()
        os.kill(first, signal.SIGKILL)
        until(lambda: len({*server.workers()} - {first}) == 2)
        assert second in server.workers()
        assert requests.get(f"{server.url}/ready", timeout=PATIENCE).status_code == 200


@pytest.mark.skipif(not socket.has_ipv6, reason="this machine has no IPv6")
def test_one_listener_serves_both_kinds_of_addresses(tmp_path: Path) -> None:
    with Server(tmp_path / "both.sqlite3", "--host", "::") as server:
        port = server.url.rpartition(":")[2]
        for host in ("127.0.0.1", "[::1]"):
            # Only this machine reads the figures, whichever way it comes.
            figures = requests.get(f"http://{host}:{port}/metrics", timeout=PATIENCE)
            assert figures.status_code == 200
