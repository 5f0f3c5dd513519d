"""The system clock jumps while tables play and streams are open."""

import tempfile
import time
from pathlib import Path

from bench.report import ResultTable, percentiles, progress, scaled
from bench.server.streams import PACE, StreamReaders, latencies, post, until_open
from bench.stores import database, port_of, stores
from tests.e2e.clock import Clock
from tests.e2e.server import Server
from tests.e2e.test_kill import seat_down

STREAMS = 100
TABLES = 20
MOVES = 100
"""Moves after each jump."""
HOUR, DAY = 3_600, 86_400
# Rate limits are on, but never reached.
COUNTED = {"REFEREE_LIMITS": "on", "REFEREE_LIMIT_ADDRESS": "10000/minute"}


def jumps() -> dict[str, int]:
    """Return the jumps in order, each with the clock's offset after it, in seconds."""
    return {
        "none": 0,
        "an hour ahead": HOUR,
        "two hours back": -HOUR,
        "400 days ahead": 400 * DAY,
        "to 1970": DAY - int(time.time()),
        "to the true time": 0,
    }


def measure(server: Server, clock: Clock, moves: int) -> dict[str, list[float]]:
    """Return ms from POST to event at each stream, for the moves after each jump.

    Raises RuntimeError if a move is refused or an event is missing.
    """
    players = [seat_down(server) for _ in range(TABLES)]
    readers = StreamReaders(port_of(server), players, scaled(STREAMS))
    took = {}
    try:
        until_open(server, readers)
        for name, ahead in jumps().items():
            clock.set(ahead)
            took[name] = latencies(readers, list(post(server, players, moves)))
    finally:
        readers.close()
    return took


def run() -> list[ResultTable]:
    """Measure each store."""
    report = ResultTable(
        "Clock jumps with open streams",
        ("store", "jump", "events", "p50 ms", "p99 ms", "longest ms"),
    )
    for store in stores():
        progress(f"clock: {store}")
        with tempfile.TemporaryDirectory() as folder, database(store) as name:
            clock = Clock(Path(folder))
            with Server(name, env=COUNTED, clock=clock) as server:
                took = measure(server, clock, scaled(MOVES))
        for jump, times in took.items():
            report.rows.append((store, jump, len(times), *percentiles(times, 50, 99, 100)))
    report.notes = [
        f"{TABLES} tables, {scaled(STREAMS)} streams, {PACE:.0f} moves a second; only the",
        "server's clock jumps. A refused move or a missing event ends the run.",
    ]
    return [report]
