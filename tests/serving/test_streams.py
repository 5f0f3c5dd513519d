"""Streams that are opened and closed at once leave nothing behind."""

import re

import requests

from tests.e2e.server import PATIENCE, Server
from tests.serving.raw import connect
from tests.serving.test_watcher import within

OPENED = 300


def open_streams(server: Server) -> int:
    figures = requests.get(f"{server.url}/metrics", timeout=PATIENCE).text
    found = re.search(r"^referee_streams_open ([0-9.]+)$", figures, re.MULTILINE)
    assert found
    return int(float(found[1]))


def streams_in_time(server: Server, wanted: int) -> int:
    """Wait for so many open streams; return how many there are in the end."""
    within(PATIENCE, lambda: open_streams(server) == wanted)
    return open_streams(server)


def open_table(server: Server) -> tuple[str, dict[str, str]]:
    """The path of a new table's stream, and the headers to ask for it."""
    wanted = {"ruleset": "classic-108", "seats": ["Ann", "Bo"]}
    made = requests.post(f"{server.url}/api/v1/tables", json=wanted, timeout=PATIENCE).json()
    return f"/api/v1/tables/{made['table']['id']}/events", {
        "Accept": "text/event-stream",
        "Authorization": f"Bearer {made['token']}",
    }


def test_streams_opened_and_closed_leave_their_places(server: Server) -> None:
    path, headers = open_table(server)
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    wanted = f"GET {path}?after=0 HTTP/1.1\r\nHost: here\r\n{lines}\r\n"
    for _ in range(OPENED):
        with connect(server) as connection:
            connection.sendall(wanted.encode())
    assert streams_in_time(server, 0) == 0
    path, headers = open_table(server)
    with requests.get(
        f"{server.url}{path}", headers=headers, stream=True, timeout=PATIENCE
    ) as answer:
        assert answer.status_code == 200
        assert streams_in_time(server, 1) == 1
