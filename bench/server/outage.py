"""The store fails under load and returns: answers meanwhile, and the log afterwards."""

import json
import resource
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import requests

from bench.report import ResultTable, progress, scaled
from bench.stores import POSTGRES, SQLITE, database, postgres, resident, stores
from tests.e2e.server import Server
from tests.e2e.test_kill import Player, check, seat_down

OUTAGES = 5
TABLES = 8
STREAMS = 24
SECONDS = 3.0
PAUSE = 0.1


@dataclass
class Patient:
    """Keeps playing through outages, retrying refused moves with the same key."""

    player: Player
    answers: Counter[int] = field(default_factory=Counter)

    def play(self, stop: threading.Event) -> None:
        """Draw and pass until ``stop`` is set."""
        headers = {"Authorization": f"Bearer {self.player.token}"}
        url = f"{self.player.url}/api/v1/tables/{self.player.table}/moves"
        state, number = self.player.get("")["state"], 0
        while not stop.is_set():
            key = f"{self.player.table}-{number}"
            move = "draw" if state["awaiting"][0]["need"] == "play" else "pass"
            body = {"seat": state["turn"], "move": move}
            answer = requests.post(
                url, json=body, headers={**headers, "Idempotency-Key": key}, timeout=60
            )
            self.answers[answer.status_code] += 1
            if answer.status_code != 201:
                # Only this problem is acceptable.
                problem = answer.json()
                if (answer.status_code, problem["type"]) != (503, "/problems/store-unavailable"):
                    raise RuntimeError(answer.text)
                time.sleep(PAUSE)
                continue
            self.player.acknowledged[key] = answer.json()["id"]
            state = answer.json()["state"]
            number += 1


@dataclass
class Listener:
    """An event stream, and what arrived on it."""

    player: Player
    kinds: Counter[str] = field(default_factory=Counter)
    seen: list[int] = field(default_factory=list)

    def listen(self) -> None:
        """Read until the server ends the stream."""
        url = f"{self.player.url}/api/v1/tables/{self.player.table}/events"
        headers = {"Authorization": f"Bearer {self.player.token}", "Accept": "text/event-stream"}
        with requests.get(url, headers=headers, stream=True, timeout=60) as answer:
            for line in answer.iter_lines(chunk_size=1):
                if line.startswith(b"event: "):
                    self.kinds[line[7:].decode()] += 1
                elif line.startswith(b"data: {") and b'"id"' in line:
                    self.seen.append(json.loads(line[6:])["id"])


def outages(
    server: Server, count: int, break_it: Callable[[], None], mend_it: Callable[[], None]
) -> tuple[Counter[int], list[float], int, int, float]:
    """Break and mend the store ``count`` times under load.

    Returns the answers by status, the seconds until it was ready each time, the number of streams
    that missed nothing, the number of all streams, and the server's growth in MB.
    """
    patients = [Patient(seat_down(server)) for _ in range(TABLES)]
    listeners = [Listener(patients[n % TABLES].player) for n in range(STREAMS)]
    stop = threading.Event()
    threads = [threading.Thread(target=patient.play, args=(stop,)) for patient in patients]
    ears = [threading.Thread(target=listener.listen) for listener in listeners]
    for thread in (*threads, *ears):
        thread.start()
    time.sleep(SECONDS)
    before = resident(server)
    back = []
    for number in range(count):
        progress(f"outage: {number + 1} of {count}")
        break_it()
        time.sleep(SECONDS)
        mend_it()
        back.append(until_ready(server))
        time.sleep(SECONDS)
    stop.set()
    for thread in threads:
        thread.join()
    grown = resident(server) - before
    for patient in patients:
        check(patient.player)
    time.sleep(1)
    server.stop()
    for ear in ears:
        ear.join()
    total: Counter[int] = sum((patient.answers for patient in patients), Counter())
    whole = sum(
        listener.kinds["unavailable"] == listener.kinds["available"] == count
        and listener.seen == list(range(1, len(listener.seen) + 1))
        for listener in listeners
    )
    return total, back, whole, STREAMS, grown


def until_ready(server: Server) -> float:
    """Return the seconds until the server is ready."""
    began = time.monotonic()
    while time.monotonic() < began + 60:
        if requests.get(f"{server.url}/ready", timeout=60).status_code == 200:
            return time.monotonic() - began
        time.sleep(0.02)
    raise RuntimeError("the server did not get ready again")


def _stopped(count: int) -> tuple[Counter[int], list[float], int, int, float]:
    with postgres() as store, Server(store.database()) as server:
        return outages(server, count, store.stop, store.start)


def _full(count: int) -> tuple[Counter[int], list[float], int, int, float]:
    with database(SQLITE) as name, Server(name) as server:

        def fill() -> None:
            # No file of the server may grow, so writes fail as on a full disk.
            for pid in server.workers():
                resource.prlimit(pid, resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))

        def clear() -> None:
            unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
            for pid in server.workers():
                resource.prlimit(pid, resource.RLIMIT_FSIZE, unlimited)

        return outages(server, count, fill, clear)


def run() -> list[ResultTable]:
    """Fill the disk under SQLite; stop and start PostgreSQL."""
    count = scaled(OUTAGES)
    report = ResultTable(
        f"Store outages under load, {count} each",
        ("what", "201", "503", "other", "back within s", "streams whole", "MB grown"),
    )
    for store in stores():
        named = "PostgreSQL stopped and started" if store == POSTGRES else "SQLite, no room"
        total, back, whole, streams, grown = (_stopped if store == POSTGRES else _full)(count)
        others = sum(total.values()) - total[201] - total[503]
        kept = f"{whole} of {streams}"
        report.rows.append((named, total[201], total[503], others, max(back), kept, grown))
    report.notes = [
        f"{TABLES} tables play, {STREAMS} streams are open; {SECONDS:.0f} s each way.",
        "Refused moves are retried with the same key. At the end the log is compared with the",
        "acknowledged moves: a lost or duplicated move ends the run. Streams whole: every outage",
        "and return reported, every event once. Back: from mending the store until /ready answers",
        "200. Target: only 201 and 503, all streams whole.",
    ]
    return [report]
