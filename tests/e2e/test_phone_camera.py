"""A phone is the camera: server, worker and phone as processes and threads of their own."""

import itertools
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import requests

from bench.devices.phone_camera import CARDS, Film, film, table_of, worker_of
from bench.devices.phone_page import PhonePage, Shot
from tests.e2e.server import PATIENCE, Server
from tests.e2e.test_orphans import children
from tests.postgres import PostgresServer

# Shots at a part's end, in which nothing moves.
LAST = 5


@pytest.fixture(scope="module")
def seen() -> Film:
    return film(4, CARDS[:4], before=1.5)


class Viewer:
    """A phone that watches a film, part by part, and as long as one likes what its end shows."""

    def __init__(self, server: str, seen: Film, page: type[PhonePage] = PhonePage) -> None:
        self.table, self.host, self.token = table_of(server)
        self.page = page(server, self.table, self.token)
        self._parts = self._cut(seen)
        self._still: Iterator[Shot] = iter(())

    def _cut(self, seen: Film) -> Iterator[list[Shot]]:
        """Yield the shots until the first hand comes, and after each card until the next one."""
        ends = [1.4, *((event.gone or event.at) + 0.7 for event in seen.laid)]
        for began, ended in itertools.pairwise([-1.0, *ends]):
            yield [shot for shot in seen.shots if began < shot.time <= ended]

    def play(self) -> None:
        """Watch the next part, in real time; where this is late, the rest comes as much later."""
        part = next(self._parts)
        began = time.monotonic() - part[0].time
        for one in part:
            late = time.monotonic() - began - one.time
            began += max(0.0, late)
            time.sleep(max(0.0, -late))
            self.page.see(one)
        self._still = itertools.cycle(part[-LAST:])

    def rest(self, until: Callable[[], object]) -> None:
        """Look at what lies there until something is true."""
        end = time.monotonic() + PATIENCE
        while not until():
            assert time.monotonic() < end, (self.page.view, self.page.tally, self.log())
            self.page.see(next(self._still))
            time.sleep(0.1)

    def card(self) -> str | None:
        return self.page.view.get("card")

    def log(self) -> list[dict[str, Any]]:
        answer = requests.get(
            f"{self.page.server}/api/v1/tables/{self.table}/events?limit=200",
            headers={"Authorization": f"Bearer {self.host}"},
            timeout=PATIENCE,
        )
        return answer.json()["items"]

    def rulings(self) -> list[tuple[str, int, str]]:
        return [
            (entry["move"]["card"], entry["move"]["seat"], entry["ruling"]["verdict"])
            for entry in self.log()
            if entry["kind"] == "moved"
        ]


class Reconnecting(PhonePage):
    """A phone whose every request is a new connection, as some proxies make them."""

    def _send(self, session: requests.Session, frame: Any) -> float:
        session.headers["Connection"] = "close"
        return super()._send(session, frame)


def processor_time(process: int) -> int:
    """Ticks of the clock that a process has used."""
    words = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(") ")[2].split()
    return int(words[11]) + int(words[12])


def works_anew(server: str, dead: int) -> bool:
    """Whether a server has another worker than the one that died."""
    try:
        return worker_of(server) != dead
    except ValueError:
        return False


RULED = [(card, 1 + number % 2, "legal") for number, card in enumerate(CARDS[:4])]


def test_cards_under_a_phone_are_ruled_on_though_worker_and_server_die(
    tmp_path: Path, seen: Film
) -> None:
    with Server(tmp_path / "tables.sqlite3", watcher=True) as server:
        viewer = Viewer(server.url, seen)
        page = viewer.page
        viewer.play()
        viewer.rest(lambda: viewer.card() == "red-7")
        viewer.play()
        viewer.rest(lambda: viewer.rulings() == RULED[:1])

        # The worker dies: another one finds the top again, and what is laid then counts.
        first = worker_of(server.url)
        os.kill(first, signal.SIGKILL)
        viewer.rest(lambda: works_anew(server.url, first))
        # An answer of the one that died may have come after its death.
        page.view = {}
        viewer.rest(lambda: viewer.card() == CARDS[0])
        viewer.play()
        viewer.rest(lambda: viewer.rulings() == RULED[:2])

        # The server dies, and its worker with it.
        second = worker_of(server.url)
        server.kill()
        viewer.rest(lambda: not Path(f"/proc/{second}").exists())
        server.start()
        page.server = server.url
        page.view = {}
        viewer.rest(lambda: viewer.card() == CARDS[1])
        for number in (3, 4):
            viewer.play()
            viewer.rest(lambda number=number: viewer.rulings() == RULED[:number])
        log = viewer.log()
        page.stop()
    assert not [one for one in log if one["kind"] == "asked"]
    seen_numbers = [
        entry["observation"]["number"]
        for entry in log
        if entry["kind"] == "observed" and entry["observation"]["kind"] == "pile"
    ]
    # They go on after both deaths, and the top is told again after each.
    assert seen_numbers == list(range(1, len(seen_numbers) + 1))
    told = [
        one["observation"]["event"]
        for one in log
        if one["kind"] == "observed" and one["observation"]["kind"] == "pile"
    ]
    assert told.count("found") == 3
    # Where few pictures come, on a busy machine, it may not be sure that a card was laid.
    assert told.count("placed") + told.count("unsure") == 4
    assert page.tally.statuses[200]
    # Nothing of a picture was left anywhere.
    kept = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert all(b"\xff\xd8\xff" not in file.read_bytes() for file in kept)
    assert (tmp_path / "tables.sqlite3.watcher").stat().st_mode & 0o777 == 0o700


def test_frames_may_reach_any_of_several_processes(postgres: PostgresServer, seen: Film) -> None:
    with Server(postgres.database(), "--workers", "2", watcher=True) as server:
        assert len(server.workers()) == 3
        viewer = Viewer(server.url, seen, Reconnecting)
        viewer.play()
        viewer.rest(lambda: viewer.card() == "red-7")
        # Two serve, and one has started the worker.
        serving = [worker for worker in server.workers() if not children(worker)]
        assert len(serving) == 2
        before = {process: processor_time(process) for process in serving}
        for number in (1, 2, 3):
            viewer.play()
            viewer.rest(lambda number=number: viewer.rulings() == RULED[:number])
        # Both had frames to pass on.
        viewer.rest(lambda: all(processor_time(one) > before[one] + 5 for one in serving))
        viewer.page.stop()
        log = viewer.log()
    assert not [entry for entry in log if entry["kind"] == "asked"]
    assert viewer.page.tally.statuses.keys() == {200}


def test_a_server_without_a_watcher_says_so(tmp_path: Path, seen: Film) -> None:
    with Server(tmp_path / "tables.sqlite3") as server:
        table, _, token = table_of(server.url)
        answer = requests.post(
            f"{server.url}/api/v1/tables/{table}/frames?captured=0&sent=0",
            data=seen.shots[0].jpeg,
            headers={"Authorization": f"Bearer {token}", "Content-Type": "image/jpeg"},
            timeout=PATIENCE,
        )
    assert (answer.status_code, answer.json()["type"]) == (503, "/problems/no-watcher")
    assert answer.headers["Retry-After"] == "60"
