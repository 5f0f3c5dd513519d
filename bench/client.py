"""The load client: many keep-alive connections in one thread, with requests prepared beforehand.

It does as little as possible: it sends bytes and reads only status and length of each answer.
"""

import re
import selectors
import socket
import time
from collections.abc import Sequence
from dataclasses import dataclass

from bench.report import percentiles

LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
STATUS = re.compile(rb"HTTP/1.1 201 ")
LONGEST_WAIT = 30


class AnswerError(RuntimeError):
    """The server did not answer, or not with 201."""


@dataclass(frozen=True, slots=True)
class LoadResult:
    """A run: total seconds, seconds of each request, the client's share of a core."""

    seconds: float
    latencies: tuple[float, ...]
    busy: float

    @property
    def throughput(self) -> float:
        """Answers per second."""
        return len(self.latencies) / self.seconds

    def percentile(self, percent: float) -> float:
        """Return a percentile of the latencies in ms."""
        return 1000 * percentiles(self.latencies, percent)[0]


class Connection:
    """One connection and its remaining requests, sent one at a time."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=LONGEST_WAIT)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.waiting: list[bytes] = []
        self._answer = b""
        self._sent = 0.0

    def send_next(self) -> bool:
        """Send the next request; return False if there is none."""
        if not self.waiting:
            return False
        request = self.waiting.pop()
        self._answer = b""
        self._sent = time.perf_counter()
        self.socket.sendall(request)
        return True

    def receive(self) -> float | None:
        """Read on; return the latency once the answer is complete. Raises AnswerError."""
        data = self.socket.recv(65536)
        if not data:
            raise AnswerError("the server closed the connection")
        self._answer += data
        head, end, body = self._answer.partition(b"\r\n\r\n")
        length = LENGTH.search(head) if end else None
        if length is None or len(body) < int(length[1]):
            return None
        if not STATUS.match(head):
            raise AnswerError(self._answer.decode())
        return time.perf_counter() - self._sent


def load(connections: Sequence[Connection], requests: Sequence[Sequence[bytes]]) -> LoadResult:
    """Send all requests, with all connections in parallel, and measure."""
    latencies = []
    begin, processor = time.perf_counter(), time.process_time()
    with selectors.DefaultSelector() as selector:
        for connection, due in zip(connections, requests, strict=True):
            connection.waiting = list(reversed(due))
            if connection.send_next():
                selector.register(connection.socket, selectors.EVENT_READ, connection)
        while selector.get_map():
            ready = selector.select(LONGEST_WAIT)
            if not ready:
                raise AnswerError(f"no answer within {LONGEST_WAIT} s")
            for key, _ in ready:
                took = key.data.receive()
                if took is None:
                    continue
                latencies.append(took)
                if not key.data.send_next():
                    selector.unregister(key.fileobj)
    seconds = time.perf_counter() - begin
    return LoadResult(seconds, tuple(latencies), (time.process_time() - processor) / seconds)


def load_warmly(port: int, requests: Sequence[Sequence[bytes]], warm_up: int) -> LoadResult:
    """Send each connection's requests; measure those after the first ``warm_up``."""
    connections = [Connection(port) for _ in requests]
    load(connections, [due[:warm_up] for due in requests])
    measured = load(connections, [due[warm_up:] for due in requests])
    for connection in connections:
        connection.socket.close()
    return measured
