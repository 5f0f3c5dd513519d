"""The cost of a move in a store with 10,000 more tables."""

from bench.client import LoadResult
from bench.report import ResultTable, progress, scaled
from bench.server.processes import BESIDE, beside, measure
from bench.stores import database, stores
from referee.service.log.event_log import EventLog
from referee.service.people.tables import create_table
from referee.store.database import open_database
from tests.e2e.server import Server

STORED = 10_000
PLAYING = 16
REQUESTS = 150
REPETITIONS = 5


def fill(name: str, count: int) -> None:
    """Create ``count`` tables in a database."""
    event_log = EventLog(open_database(name))
    for number in range(count):
        create_table(event_log, "classic-108", {}, ["Ann", "Bo", "Cy"], None, "")
        if not (number + 1) % 1000:
            progress(f"crowd: {number + 1:,} tables of {count:,}")
    event_log.close()


def run() -> list[ResultTable]:
    """Measure the same moves in an empty and a full database, in turn."""
    stored, requests, repetitions = scaled(STORED), scaled(REQUESTS), scaled(REPETITIONS)
    report = ResultTable(
        f"Moves in a store with {stored:,} more tables",
        BESIDE,
    )
    for store in stores():
        with database(store) as crowded:
            fill(crowded, stored)
            pairs: list[tuple[LoadResult, LoadResult]] = []
            for turn in range(repetitions):
                progress(f"crowd: {store}, repetition {turn + 1} of {repetitions}")
                with database(store) as empty, Server(empty) as server:
                    alone = measure(server, PLAYING, requests)
                with Server(crowded) as server:
                    pairs.append((alone, measure(server, PLAYING, requests)))
        report.rows.append(beside(store, pairs))
    report.notes = [
        f"{PLAYING} tables play in parallel; each repetition starts its own server;",
        f"medians of {repetitions}. Target: time at most 1.2 × alone.",
    ]
    return [report]
