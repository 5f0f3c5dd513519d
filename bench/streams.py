"""A thousand open streams on one process: from a POST to the event at whoever streams."""

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

from bench.report import ResultTable, progress, scaled
from bench.stores import POSTGRES, database, port_of, resident, stores
from tests.e2e.server import Server

STREAMS = 1_000
TABLES = 250
MOVES = 500
# So many a second: what is measured is the way, not a queue.
PACE = 20.0
ID = re.compile(rb"^id: (\d+)\r?$", re.MULTILINE)
AHEAD = 2.0


@dataclass
class SeatedTable:
    """A table to move at."""

    id: str
    token: str
    version: int


@dataclass
class OpenStream:
    """A stream of a table, and when each event came."""

    table: SeatedTable
    socket: socket.socket
    came: dict[int, float] = field(default_factory=dict)
    rest: bytes = b""
    open: bool = False

    def read(self) -> None:
        """Read what is there; note the events that are in it."""
        now = time.perf_counter()
        data = self.rest + self.socket.recv(65536)
        lines, _, self.rest = data.rpartition(b"\n")
        # A stream begins with a line of its own.
        self.open = self.open or b"retry: " in lines
        for found in ID.finditer(lines):
            self.came[int(found[1])] = now


class StreamReaders:
    """All streams, read by one thread."""

    def __init__(self, port: int, tables: Sequence[SeatedTable], count: int) -> None:
        self.readings = [_open(port, table) for table, _ in zip(cycle(tables), range(count))]
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


def _open(port: int, table: SeatedTable) -> OpenStream:
    connection = socket.create_connection(("127.0.0.1", port), timeout=60)
    lines = [
        f"GET /api/v1/tables/{table.id}/events HTTP/1.1",
        "Host: 127.0.0.1",
        f"Authorization: Bearer {table.token}",
        "Accept: text/event-stream",
        f"Last-Event-ID: {table.version}",
    ]
    connection.sendall("\r\n".join([*lines, "", ""]).encode())
    return OpenStream(table, connection)


def seat(url: str) -> SeatedTable:
    """A table at which anybody may call at any time."""
    new = {"ruleset": "classic-108", "seats": ["Ann", "Bo"]}
    made = requests.post(f"{url}/api/v1/tables", json=new, timeout=60).json()
    table = made["table"]["id"]
    headers = {"Authorization": f"Bearer {made['token']}"}
    begun = {"opening": ["red-7"], "dealer": 1}
    path = f"{url}/api/v1/tables/{table}/rounds"
    answer = requests.post(path, json=begun, headers=headers, timeout=60)
    answer.raise_for_status()
    return SeatedTable(table, made["token"], answer.json()["id"])


def measure(
    posted: Server, streamed: Server, streams: int, moves: int
) -> tuple[list[float], float]:
    """Milliseconds from POST to event, for each stream and move; megabytes of the streams' server.

    Raises RuntimeError for an event that did not come.
    """
    tables = [seat(posted.url) for _ in range(min(TABLES, streams))]
    readers = StreamReaders(port_of(streamed), tables, streams)
    try:
        until_open(streamed, readers)
        sent = list(post(posted, tables, moves))
        return latencies(readers, sent), resident(streamed)
    finally:
        readers.close()


def latencies(
    readers: StreamReaders, sent: Sequence[tuple[SeatedTable, int, float]]
) -> list[float]:
    """Milliseconds from each POST to its event, at each who streams from the table, in order.

    Raises RuntimeError for an event that did not come.
    """
    until = time.monotonic() + 30
    took: list[float] = []
    for table, number, at in sent:
        for reading in readers.readings:
            if reading.table is not table:
                continue
            while number not in reading.came:
                if time.monotonic() > until:
                    raise RuntimeError("an event did not come")
                time.sleep(0.01)
            took.append(1000 * (reading.came[number] - at))
    return took


def until_open(server: Server, readers: StreamReaders) -> None:
    """Wait until every stream has been opened."""
    until = time.monotonic() + 120
    while not all(reading.open for reading in readers.readings):
        if time.monotonic() > until:
            raise RuntimeError("not all streams were opened")
        time.sleep(0.1)
    requests.get(f"{server.url}/ready", timeout=60).raise_for_status()
    time.sleep(AHEAD)


def post(
    server: Server, tables: Sequence[SeatedTable], moves: int
) -> Iterator[tuple[SeatedTable, int, float]]:
    """Call at one table after the other: the table, the event's number, when it was sent.

    Raises RuntimeError for a call that is refused.
    """
    session = requests.Session()
    due = time.perf_counter()
    for table, _ in zip(cycle(tables), range(moves)):
        due += 1 / PACE
        time.sleep(max(0.0, due - time.perf_counter()))
        url = f"{server.url}/api/v1/tables/{table.id}/moves"
        headers = {"Authorization": f"Bearer {table.token}", "Content-Type": "application/json"}
        body = json.dumps({"seat": 2, "move": "uno"})
        at = time.perf_counter()
        answer = session.post(url, data=body, headers=headers, timeout=60)
        if answer.status_code != 201:
            raise RuntimeError(answer.text)
        yield table, answer.json()["id"], at


@contextmanager
def servers(store: str, apart: bool) -> Iterator[tuple[Server, Server]]:
    """Where moves are posted, and where they are streamed: one process, or two."""
    with ExitStack() as stack:
        name = stack.enter_context(database(store))
        first = stack.enter_context(Server(name))
        yield first, stack.enter_context(Server(name)) if apart else first


def run() -> list[ResultTable]:
    """On the process that is written to, and on another one."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 8192)), hard))
    streams, moves = scaled(STREAMS), scaled(MOVES)
    report = ResultTable(
        f"From POST to event, {streams:,} streams open on one process",
        ("what", "events", "p50 ms", "p99 ms", "longest ms", "MB of the process"),
    )
    for store in stores():
        for apart in (False, True) if store == POSTGRES else (False,):
            named = f"{store}, {'posted at another process' if apart else 'one process'}"
            progress(f"streams: {named}")
            with servers(store, apart) as (posted, streamed):
                took, size = measure(posted, streamed, streams, moves)
            took.sort()
            middle, high = took[len(took) // 2], took[int(len(took) * 0.99)]
            report.rows.append((named, len(took), middle, high, took[-1], size))
    report.notes = [
        f"{min(TABLES, streams)} tables, {moves} moves, {PACE:.0f} a second, one after another.",
        "From the moment before the POST is sent to the event being read from each stream of the",
        "table; client, servers and database share the machine. To reach: p99 at most 100 ms.",
    ]
    return [report]
