"""A thousand open streams on one process: latency from a POST to the event on each stream."""

import json
import re
import resource
import selectors
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import cycle

import requests

from bench.report import ResultTable, percentiles, progress, scaled
from bench.stores import POSTGRES, database, port_of, resident, stores
from tests.e2e.server import Server
from tests.e2e.test_kill import Player, seat_down

STREAMS = 1_000
TABLES = 250
MOVES = 500
PACE = 20.0
"""Moves a second; slow enough that none has to queue."""
ID = re.compile(rb"^id: (\d+)\r?$", re.MULTILINE)
AHEAD = 2.0
ROUND_OPENED = 2
"""The entry after which streams begin."""


@dataclass
class OpenStream:
    """An event stream, and the arrival time of each event."""

    player: Player
    socket: socket.socket
    came: dict[int, float] = field(default_factory=dict)
    rest: bytes = b""
    open: bool = False

    def read(self) -> None:
        """Read what has arrived, and note its events."""
        came = time.perf_counter()
        data = self.rest + self.socket.recv(65536)
        lines, _, self.rest = data.rpartition(b"\n")
        # Every stream begins with a retry line.
        self.open = self.open or b"retry: " in lines
        for match in ID.finditer(lines):
            self.came[int(match[1])] = came


class StreamReaders:
    """All open streams, read by one thread."""

    def __init__(self, port: int, players: Sequence[Player], count: int) -> None:
        self.readings = [_open(port, player) for player, _ in zip(cycle(players), range(count))]
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._read)
        self._thread.start()

    def close(self) -> None:
        """Stop reading."""
        self._stop.set()
        self._thread.join()
        for reading in self.readings:
            reading.socket.close()

    def _read(self) -> None:
        with selectors.DefaultSelector() as selector:
            for reading in self.readings:
                selector.register(reading.socket, selectors.EVENT_READ, reading)
            while not self._stop.is_set():
                for key, _ in selector.select(0.2):
                    key.data.read()


def _open(port: int, player: Player) -> OpenStream:
    connection = socket.create_connection(("127.0.0.1", port), timeout=60)
    lines = [
        f"GET /api/v1/tables/{player.table}/events HTTP/1.1",
        "Host: 127.0.0.1",
        f"Authorization: Bearer {player.token}",
        "Accept: text/event-stream",
        f"Last-Event-ID: {ROUND_OPENED}",
    ]
    connection.sendall("\r\n".join([*lines, "", ""]).encode())
    return OpenStream(player, connection)


def measure(
    posted: Server, streamed: Server, streams: int, moves: int
) -> tuple[list[float], float]:
    """Return ms from POST to event for each stream and move, and MB of the streaming server.

    Raises RuntimeError if an event is missing.
    """
    players = [seat_down(posted) for _ in range(min(TABLES, streams))]
    readers = StreamReaders(port_of(streamed), players, streams)
    try:
        until_open(streamed, readers)
        sent = list(post(posted, players, moves))
        return latencies(readers, sent), resident(streamed)
    finally:
        readers.close()


def latencies(readers: StreamReaders, sent: Sequence[tuple[Player, int, float]]) -> list[float]:
    """Return ms from each POST to its event on each stream of the table, in order.

    Raises RuntimeError if an event is missing.
    """
    until = time.monotonic() + 30
    took: list[float] = []
    for player, number, at in sent:
        for reading in readers.readings:
            if reading.player is not player:
                continue
            while number not in reading.came:
                if time.monotonic() > until:
                    raise RuntimeError("an event is missing")
                time.sleep(0.01)
            took.append(1000 * (reading.came[number] - at))
    return took


def until_open(server: Server, readers: StreamReaders) -> None:
    """Wait until all streams are open."""
    until = time.monotonic() + 120
    while not all(reading.open for reading in readers.readings):
        if time.monotonic() > until:
            raise RuntimeError("not all streams were opened")
        time.sleep(0.1)
    requests.get(f"{server.url}/ready", timeout=60).raise_for_status()
    time.sleep(AHEAD)


def post(
    server: Server, players: Sequence[Player], moves: int
) -> Iterator[tuple[Player, int, float]]:
    """Call UNO at one table after the other; yield player, event number and time of sending.

    Raises RuntimeError if a call is refused.
    """
    session = requests.Session()
    due = time.perf_counter()
    for player, _ in zip(cycle(players), range(moves)):
        due += 1 / PACE
        time.sleep(max(0.0, due - time.perf_counter()))
        url = f"{server.url}/api/v1/tables/{player.table}/moves"
        headers = {"Authorization": f"Bearer {player.token}", "Content-Type": "application/json"}
        body = json.dumps({"seat": 2, "move": "uno"})
        at = time.perf_counter()
        answer = session.post(url, data=body, headers=headers, timeout=60)
        if answer.status_code != 201:
            raise RuntimeError(answer.text)
        yield player, answer.json()["id"], at


@contextmanager
def servers(store: str, apart: bool) -> Iterator[tuple[Server, Server]]:
    """Yield the server for moves and the one for streams; the same unless ``apart``."""
    with ExitStack() as stack:
        name = stack.enter_context(database(store))
        first = stack.enter_context(Server(name))
        yield first, stack.enter_context(Server(name)) if apart else first


def run() -> list[ResultTable]:
    """Measure streams on the process that takes the moves, and on another one."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 8192)), hard))
    streams, moves = scaled(STREAMS), scaled(MOVES)
    report = ResultTable(
        f"From POST to event, {streams:,} streams open on one process",
        ("what", "events", "p50 ms", "p99 ms", "longest ms", "MB of the process"),
    )
    for store in stores():
        for apart in (False, True) if store == POSTGRES else (False,):
            named = f"{store}, {'posted to another process' if apart else 'one process'}"
            progress(f"streams: {named}")
            with servers(store, apart) as (posted, streamed):
                took, size = measure(posted, streamed, streams, moves)
            report.rows.append((named, len(took), *percentiles(took, 50, 99, 100), size))
    report.notes = [
        f"{min(TABLES, streams)} tables, {moves} moves, {PACE:.0f} a second, one after another.",
        "Timed from before the POST is sent until the event is read from each stream of the table.",
        "Client, servers and database share the machine. Target: p99 at most 100 ms.",
    ]
    return [report]
