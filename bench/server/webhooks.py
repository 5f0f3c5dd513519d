"""The cost of a move beside webhooks whose receivers are dead, and with one that works."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager

import requests

from bench.client import LoadResult
from bench.report import ResultTable, progress, scaled
from bench.server.processes import BESIDE, beside, measure
from bench.stores import SQLITE, database
from tests.e2e.server import Server

NEAR = {"REFEREE_WEBHOOK_NETWORKS": "127.0.0.0/8"}
# Nothing listens there.
CLOSED = 1024
TABLES, HOOKS = 200, 5
PLAYING = 16
REQUESTS = 300
REPETITIONS = 5


@contextmanager
def silent_port() -> Iterator[int]:
    """Listen at every address of this machine, and never accept."""
    with socket.create_server(("0.0.0.0", 0), backlog=4096) as listener:
        yield int(listener.getsockname()[1])


def fill(server: Server, tables: int, port: int) -> None:
    """Make tables with webhooks, each table's at an address of its own, and all that failed due.

    Two of five receivers are silent, two refuse the connection, one has a name that is none.
    """
    for number in range(tables):
        new = {"ruleset": "classic-108", "seats": ["Ann", "Bo"]}
        opened = requests.post(f"{server.url}/api/v1/tables", json=new, timeout=60).json()
        path = f"{server.url}/api/v1/tables/{opened['table']['id']}/webhooks"
        near = f"http://127.1.{number // 250}.{number % 250 + 1}"
        urls = [f"{near}:{port}/{i}" for i in range(2)] + [f"{near}:{CLOSED}/{i}" for i in range(2)]
        for url in [*urls, f"https://table-{number}.invalid/"]:
            added = requests.post(
                path,
                json={"url": url, "after": 0},
                headers={"Authorization": f"Bearer {opened['token']}"},
                timeout=60,
            )
            added.raise_for_status()


def run() -> list[ResultTable]:
    """Measure the same moves on a server without webhooks and on one with dead ones, in turn."""
    tables, count, repetitions = scaled(TABLES), scaled(REQUESTS), scaled(REPETITIONS)
    pairs: list[tuple[LoadResult, LoadResult]] = []
    for turn in range(repetitions):
        progress(f"webhooks: repetition {turn + 1} of {repetitions}")
        with database(SQLITE) as empty, Server(empty, env=NEAR) as server:
            alone = measure(server, PLAYING, count)
        with (
            silent_port() as port,
            database(SQLITE) as name,
            Server(name, env=NEAR) as server,
        ):
            fill(server, tables, port)
            pairs.append((alone, measure(server, PLAYING, count)))
    report = ResultTable(
        f"Moves beside {HOOKS * tables:,} webhooks whose receivers are dead",
        BESIDE,
    )
    report.rows.append(beside(SQLITE, pairs))
    report.notes = [
        f"{PLAYING} tables play; {tables} others have {HOOKS} webhooks each: silent, refused, or",
        f"without an address; medians of {repetitions}. Target: time at most 1.2 × alone.",
    ]
    return [report]
