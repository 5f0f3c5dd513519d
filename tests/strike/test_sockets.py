"""Nobody's socket keeps others out: a normal table plays beside each attack on the sockets.

How long its moves take is told by ``python -m tests.strike.sockets``.
"""

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.e2e.server import PATIENCE, Server
from tests.serving.raw import connect, is_closed, receive
from tests.strike.sockets import ATTACKS, BIG, POST, strike

# Of gunicorn's threads, these two stopped the server for 40 s.
WORST = ("left open", "unfinished bodies")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    path: Path = tmp_path_factory.mktemp("struck") / "tables.sqlite3"
    with Server(path) as running:
        yield running


def check(server: Server, name: str, moves: int) -> None:
    beside = strike(server.url, name, PATIENCE, moves)
    assert not beside.failed
    assert len(beside.took) == moves


@pytest.mark.parametrize("name", WORST)
def test_a_table_plays_beside_the_worst(server: Server, name: str) -> None:
    check(server, name, 50)


@pytest.mark.parametrize("name", [name for name in ATTACKS if name not in WORST])
def test_a_table_plays_beside(server: Server, name: str) -> None:
    check(server, name, 100)


def send_on(connection: socket.socket) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        connection.sendall(b"\r")
        time.sleep(0.5)


def test_who_keeps_the_server_waiting_is_sent_away(server: Server) -> None:
    with ExitStack() as stack:
        silent, slow, unfinished, unread = (stack.enter_context(connect(server)) for _ in range(4))
        slow.sendall(b"GET / HTTP/1.1\r\nX-Slow: ")
        unfinished.sendall(POST + b"{")
        unread.sendall(BIG * 20)
        assert receive(unfinished).problem()["type"] == "/problems/too-slow"
        assert receive(slow).problem()["type"] == "/problems/too-slow"
        for one in (unfinished, slow, silent):
            assert is_closed(one)
        with pytest.raises(OSError):
            send_on(unread)
