"""A phone as the camera: card down to the ruling on another phone, bytes, and CPU a table.

Server and worker are processes of their own; drawn films are played in real time to imitations of
the page (``bench.devices.phone_page``), which post their frames over HTTP.
"""

import itertools
import json
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import requests

from bench.devices.phone_page import PhonePage, Shot, Tally, shots
from bench.report import ResultTable, percentiles, progress, scaled
from lab.films.ground_truth import TrueEvent
from lab.virtual_camera.camera import VirtualCamera
from lab.virtual_camera.mat_setting import random_mat_setting
from lab.virtual_camera.steps import lay, pause
from referee.demo.http.server_process import running_server

DECK, OPENING = "classic-112", "red-7"
# Each matches the one before it, and none changes whose turn is next.
CARDS = ("red-4", "green-4", "green-1", "blue-1", "blue-8", "yellow-8", "yellow-2", "red-2")
# Seconds to find the pile in, and between cards.
BEFORE, BETWEEN = 9.0, 1.2
REST = 30.0
# Where the two players' hands come from, in degrees; the first card is the first player's.
ARMS = (60.0, 240.0)
PATIENCE = 60.0
SIZE, RATE = (1280, 720), 30.0
COLUMNS = (
    *("phones", "cards", "ruled", "down p50 ms", "down p95 ms", "free p50 ms", "free p95 ms"),
    *("CPU a table %", "play MB/min", "worker MB"),
)


@dataclass
class Film:
    """What a phone's camera sees, and when each card was down and free of hands."""

    shots: list[Shot]
    laid: list[TrueEvent]


@dataclass
class Trial:
    """One phone at its table."""

    table: str
    page: PhonePage
    film: Film
    # When each card's ruling reached the other phone, by card.
    ruled: dict[str, float] = field(default_factory=dict)
    began: float = 0.0
    seconds: float = 0.0


def run() -> list[ResultTable]:
    """Measure one phone, and five at once."""
    report = ResultTable("A phone as the camera: card down to the ruling on another phone", COLUMNS)
    films = [film(seed, CARDS[: scaled(len(CARDS))]) for seed in (4, 5, 6, 7, 8)]
    with running_server() as server:
        for count in (1, 5):
            progress(f"phone-camera: {count} at once")
            report.rows.append(_row(server.url, films[:count]))
        rest = _at_rest(server.url, films[0])
    report.notes += [
        "down: from the card lying there; free: from no hand hiding it any more.",
        "The page is imitated in Python: its movement detection, rhythm and queue, JPEG 80.",
        "Films are drawn at 1280 x 720 with sensor noise, which makes pictures larger.",
        "CPU is the worker's, of one core; MB of memory are the worker's in all.",
        f"At rest a phone sends {rest.bytes / REST * 60 / 1e6:.1f} MB a minute:",
        f"{rest.pictures} pictures and {rest.signs} signs in {REST:.0f} s.",
    ]
    return [report]


def film(seed: int, cards: Sequence[str] = CARDS, before: float = BEFORE) -> Film:
    """Draw a film in which cards are laid."""
    script = [pause(before)]
    for card, arm in zip(cards, itertools.cycle(ARMS), strict=False):
        script += [lay(card, seat=arm), pause(BETWEEN)]
    setting = random_mat_setting(seed, SIZE, RATE, paper=False)
    camera = VirtualCamera(replace(setting, pile=("blue-3", OPENING)))
    seen = list(shots((frame.picture, frame.time) for frame in camera.film(*script)))
    return Film(seen, [event for event in camera.shooting.happened if event.kind == "placed"])


def table_of(server: str) -> tuple[str, str, str]:
    """Make a table with a round begun and a camera; return its id, the host's and its token."""
    api = f"{server}/api/v1"
    answer = requests.post(
        f"{api}/tables", json={"ruleset": DECK, "seats": ["Ann", "Bo"]}, timeout=20
    ).json()
    table, host = answer["table"]["id"], {"Authorization": f"Bearer {answer['token']}"}
    camera = {"name": "Phone", "kind": "camera"}
    device = requests.post(
        f"{api}/tables/{table}/devices", json=camera, headers=host, timeout=20
    ).json()
    opened = {"dealer": 2, "opening": [OPENING]}
    requests.post(
        f"{api}/tables/{table}/rounds", json=opened, headers=host, timeout=20
    ).raise_for_status()
    return table, answer["token"], device["token"]


def rulings(server: str, table: str, token: str) -> Iterator[tuple[float, dict[str, Any]]]:
    """Follow a table as another phone does; yield when each entry arrived."""
    headers = {"Authorization": f"Bearer {token}", "Accept": "text/event-stream"}
    url = f"{server}/api/v1/tables/{table}/events"
    with requests.get(url, headers=headers, stream=True, timeout=PATIENCE) as answer:
        # Line by line: a larger read would wait for more bytes.
        for line in answer.iter_lines(chunk_size=1):
            if line.startswith(b"data:"):
                yield time.monotonic(), json.loads(line[5:])


def play(trial: Trial, began: float) -> None:
    """Show the film to the page, in real time."""
    trial.began = began
    for shot in trial.film.shots:
        time.sleep(max(0.0, began + shot.time - time.monotonic()))
        trial.page.see(shot)
    trial.seconds = time.monotonic() - began


def _row(server: str, films: Sequence[Film]) -> tuple[Any, ...]:
    trials = [_trial(server, shown) for shown in films]
    began = time.monotonic() + 0.5
    threads = [threading.Thread(target=play, args=(trial, began)) for trial in trials]
    for thread in threads:
        thread.start()
    time.sleep(max(0.0, began + BEFORE - time.monotonic()))
    worker = worker_of(server)
    spent, since = _cpu(worker), time.monotonic()
    sent = sum(trial.page.tally.bytes for trial in trials)
    for thread in threads:
        thread.join()
    spent, lasted = _cpu(worker) - spent, time.monotonic() - since
    sent = sum(trial.page.tally.bytes for trial in trials) - sent
    time.sleep(3)
    for trial in trials:
        trial.page.stop()
        progress(f"phone-camera: {trial.page.tally}")
    down, free = [], []
    for trial, event in ((t, e) for t in trials for e in t.film.laid):
        at = trial.ruled.get(event.card or "")
        if at is not None:
            down.append(1000 * (at - trial.began - event.at))
            free.append(1000 * (at - trial.began - (event.clear or event.at)))
    return (
        len(films),
        sum(len(trial.film.laid) for trial in trials),
        len(down),
        *percentiles(down, 50, 95),
        *percentiles(free, 50, 95),
        100 * spent / lasted / len(films),
        sent / lasted * 60 / 1e6 / len(films),
        _memory(worker),
    )


def _trial(server: str, film: Film) -> Trial:
    table, host, camera = table_of(server)
    trial = Trial(table, PhonePage(server, table, camera), film)

    def listen() -> None:
        for at, entry in rulings(server, table, host):
            if entry.get("kind") == "moved" and "card" in entry["move"]:
                trial.ruled.setdefault(entry["move"]["card"], at)

    threading.Thread(target=listen, name="other phone", daemon=True).start()
    return trial


def _at_rest(server: str, film: Film) -> Tally:
    """Return what a phone sends while nothing happens."""
    table, _, camera = table_of(server)
    page = PhonePage(server, table, camera)
    still = itertools.cycle([shot for shot in film.shots if shot.time < BEFORE])
    began, before = time.monotonic(), Tally()
    while (now := time.monotonic() - began) < REST + 5:
        page.see(next(still))
        if now < 5:
            before = Tally(page.tally.pictures, page.tally.signs, page.tally.bytes)
        time.sleep(0.075)
    page.stop()
    after = page.tally
    return Tally(
        after.pictures - before.pictures, after.signs - before.signs, after.bytes - before.bytes
    )


def worker_of(server: str) -> int:
    """Return the process id of a server's worker. Raises ValueError if there is none."""
    workers = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if words[1:4] == [b"-m", b"hardware", b"worker"] and server.encode() in words:
            workers.append(int(folder.name))
    if not workers:
        raise ValueError("the server has no worker")
    return workers[0]


def _cpu(pid: int) -> float:
    """Return the seconds of processor time that a process has taken."""
    words = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / 100


def _memory(pid: int) -> float:
    """Return a process's resident memory in MB."""
    words = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()
    return int(words[1]) * 4096 / 1e6
