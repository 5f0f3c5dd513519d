"""Requests byte by byte."""

import json
import socket
from dataclasses import dataclass
from typing import Any

from tests.e2e.server import PATIENCE, Server


@dataclass(frozen=True)
class Answer:
    """What came back, and whether the server closed the connection after it."""

    status: int
    headers: dict[str, str]
    body: bytes

    def problem(self) -> dict[str, Any]:
        assert self.headers["content-type"] == "application/problem+json", self
        problem = json.loads(self.body)
        assert problem["status"] == self.status
        assert problem["request_id"] == self.headers["x-request-id"]
        assert self.headers["x-content-type-options"] == "nosniff"
        return dict(problem)


def connect(server: Server) -> socket.socket:
    host, _, port = server.url.removeprefix("http://").rpartition(":")
    return socket.create_connection((host, int(port)), PATIENCE)


def receive(connection: socket.socket) -> Answer:
    """Read one answer with a length."""
    data = b""
    while b"\r\n\r\n" not in data:
        part = connection.recv(65536)
        assert part, f"closed after {data!r}"
        data += part
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {n.lower(): v for n, _, v in (line.partition(": ") for line in lines)}
    while len(body) < int(headers["content-length"]):
        part = connection.recv(65536)
        assert part, f"closed after {body!r}"
        body += part
    return Answer(int(first.split()[1]), headers, body)


def ask(server: Server, *parts: bytes) -> Answer:
    """Send bytes and read the answer; the server must not have closed before."""
    with connect(server) as connection:
        for part in parts:
            connection.sendall(part)
        return receive(connection)


def is_closed(connection: socket.socket) -> bool:
    """Wait for the end."""
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True
