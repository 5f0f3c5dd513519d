"""The time of day is set while tables play and streams are open: by hours, by days, back again."""

import tempfile
import time
from pathlib import Path

from bench.report import ResultTable, progress, scaled
from bench.stores import database, port_of, stores
from bench.streams import PACE, StreamReaders, latencies, post, seat, until_open
from tests.e2e.clock import Clock
from tests.e2e.server import Server

STREAMS = 100
TABLES = 20
# After each of them so many moves; then the next one.
MOVES = 100
HOUR, DAY = 3_600, 86_400
# Limits are counted as ever, and never reached.
COUNTED = {"REFEREE_LIMITS": "on", "REFEREE_LIMIT_ADDRESS": "10000/minute"}


def jumps() -> dict[str, int]:
    """What happens to the clock, in this order: by how many seconds it is ahead then."""
    return {
        "as it is": 0,
        "an hour on": HOUR,
        "two hours back": -HOUR,
        "400 days on": 400 * DAY,
        "to 1970": DAY - int(time.time()),
        "to the true time": 0,
    }


def measure(server: Server, clock: Clock, moves: int) -> dict[str, list[float]]:
    """Milliseconds from POST to event at each stream, for the moves after each jump.

    Raises RuntimeError for a move that is refused, and for an event that does not come.
    """
    tables = [seat(server.url) for _ in range(TABLES)]
    readers = StreamReaders(port_of(server), tables, scaled(STREAMS))
    took = {}
    try:
        until_open(server, readers)
        for name, ahead in jumps().items():
            clock.set(ahead)
            took[name] = latencies(readers, list(post(server, tables, moves)))
    finally:
        readers.close()
    return took


def run() -> list[ResultTable]:
    """On both stores."""
    report = ResultTable(
        "The time of day is set, with streams open",
        ("store", "jump", "events", "p50 ms", "p99 ms", "longest ms"),
    )
    for store in stores():
        progress(f"clock: {store}")
        with tempfile.TemporaryDirectory() as folder, database(store) as name:
            clock = Clock(Path(folder))
            with Server(name, env=COUNTED, clock=clock) as server:
                took = measure(server, clock, scaled(MOVES))
        for jump, times in took.items():
            times.sort()
            middle, high = times[len(times) // 2], times[int(len(times) * 0.99)]
            report.rows.append((store, jump, len(times), middle, high, times[-1]))
    report.notes = [
        f"{TABLES} tables, {scaled(STREAMS)} streams, {PACE:.0f} moves a second; the server alone",
        "has that time of day. A refused move, or an event that does not come, ends the run.",
    ]
    return [report]
