"""What other tables notice while one of them imports, replays and corrects the longest game."""

import http.client
import json
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.report import ResultTable, percentiles, progress, scaled
from tests.e2e.server import Server, free_port

API = "/api/v1"
MOVES = 28_000
# Moves of the other tables while nothing else happens, and seconds between two of one table.
OTHERS = 4
LIMITS = {"REFEREE_LIMITS": "off"}
Json = dict[str, Any]


def longest_record(moves: int) -> Json:
    """Return a record of rounds of nothing but drawing, as long as is allowed."""
    drawn = [
        {"seat": 2 - number // 2 % 2, "move": ("draw", "pass")[number % 2]}
        for number in range(moves)
    ]
    game: Json = {"ruleset": "classic-108", "options": {"target": 1000}, "seats": ["Ann", "Bo"]}
    rounds = [{"dealer": 1, "opening": ["red-7"], "moves": drawn}]
    return {"format": "referee-record/1", **game, "rounds": rounds}


@dataclass
class Client:
    """A keep-alive connection."""

    port: int
    token: str = ""
    connection: http.client.HTTPConnection = field(init=False)

    def __post_init__(self) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)

    def send(self, method: str, path: str, body: Any = None) -> tuple[Json, int]:
        """Send a request; return the answer and its size."""
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        text = None if body is None else json.dumps(body)
        self.connection.request(method, API + path, text, headers)
        answer = self.connection.getresponse()
        data = answer.read()
        if answer.status >= 300:
            raise RuntimeError(f"{method} {path}: {answer.status} {data[:300]!r}")
        return json.loads(data), len(data)


class OtherTable(threading.Thread):
    """A table at which somebody moves all the time; keeps how long each move took."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self.client = Client(port)
        new = {"ruleset": "classic-108", "seats": ["Ann", "Bo"], "options": {}}
        opened, _ = self.client.send("POST", "/tables", new)
        self.client.token, self.table = opened["token"], opened["table"]["id"]
        opening = {"opening": ["red-7"], "dealer": 1}
        self.client.send("POST", f"/tables/{self.table}/rounds", opening)
        self.latencies: list[float] = []
        self.stopped = threading.Event()

    def run(self) -> None:
        """Draw and pass until it is stopped."""
        number = 0
        while not self.stopped.wait(0.005):
            move = {"seat": 2 - number // 2 % 2, "move": ("draw", "pass")[number % 2]}
            number += 1
            begin = time.perf_counter()
            self.client.send("POST", f"/tables/{self.table}/moves", move)
            self.latencies.append(time.perf_counter() - begin)


def beside(port: int, work: Callable[[], int]) -> tuple[float, int, list[float]]:
    """Do the work beside other tables; return its seconds, its answer's size, their latencies."""
    others = [OtherTable(port) for _ in range(OTHERS)]
    for other in others:
        other.start()
    time.sleep(0.5)
    for other in others:
        other.latencies.clear()
    begin = time.perf_counter()
    size = work()
    seconds = time.perf_counter() - begin
    for other in others:
        other.stopped.set()
    for other in others:
        other.join()
    return seconds, size, [latency for other in others for latency in other.latencies]


def run() -> list[ResultTable]:
    """Import, replay, export and correct the longest game, beside other tables."""
    report = ResultTable(
        f"Work on a game of {MOVES:,} moves beside {OTHERS} other tables",
        ("what", "s", "answer kB", "others' moves", "p50 ms", "p99 ms", "most ms"),
    )
    record = longest_record(scaled(MOVES))
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        database = Path(folder) / "bench.sqlite3"
        with Server(database, "--port", str(port), env=LIMITS):
            host = Client(port)
            table = ""

            def imported() -> int:
                nonlocal table
                opened, size = host.send("POST", "/records", record)
                host.token, table = opened["token"], opened["table"]["id"]
                return size

            def sent(method: str, path: str, body: Any = None) -> Callable[[], int]:
                return lambda: host.send(method, path.format(table=table), body)[1]

            def nothing() -> int:
                time.sleep(3)
                return 0

            overrule = {"kind": "overrule", "round": 1, "move": 1, "verdict": "illegal"}
            corrections = "/tables/{table}/corrections"
            work: list[tuple[str, Callable[[], int]]] = [
                ("nothing", nothing),
                ("import", imported),
                ("replay", sent("POST", "/records/replay", record)),
                ("overrule move 1", sent("POST", corrections, overrule)),
                ("redo", sent("POST", corrections, {"kind": "redo"})),
                ("undo the last move", sent("POST", corrections, {"kind": "undo"})),
                ("export", sent("GET", "/tables/{table}/record")),
            ]
            for name, do in work:
                progress(f"hold: {name}")
                seconds, size, waits = beside(port, do)
                p50, p99 = percentiles(waits, 50, 99)
                times = (1000 * p50, 1000 * p99, 1000 * max(waits))
                report.rows.append((name, seconds, size // 1000, len(waits), *times))
    return [report]
