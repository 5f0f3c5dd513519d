"""Durable moves a second over HTTP, compared with a server without a referee."""

import os
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from bench.client import LoadResult, load_warmly
from bench.report import ResultTable, progress
from bench.targets import FLOOR, TARGETS, THREADS, Target, on_gunicorn, on_one_core
from referee.commands.server import CAN_PIN
from tests.e2e.server import free_port

CONNECTIONS = 16
WARM_UP = 40
REQUESTS = 300
REPETITIONS = 5
START = 30
# Rate limits are on, but never reached.
COUNTED = {f"REFEREE_LIMIT_{name}": "1000000000/minute" for name in ("ADDRESS", "TOKEN", "TABLES")}


@contextmanager
def served(target: Target) -> Iterator[int]:
    """Run a target on an empty database; yield its port."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, **COUNTED, target.database: str(Path(folder) / "bench.sqlite3")}
        with subprocess.Popen(target.command(port), env=env) as server:
            if target.pinned:
                # The worker that it starts later inherits this.
                os.sched_setaffinity(server.pid, {max(os.sched_getaffinity(0))})
            try:
                _wait_for(port, server)
                yield port
            finally:
                server.terminate()
                server.wait(START)


def _wait_for(port: int, server: "subprocess.Popen[bytes]") -> None:
    until = time.monotonic() + START
    while time.monotonic() < until and server.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise RuntimeError("the server did not start")


def measure(target: Target) -> LoadResult:
    """Start the target, warm it up, and put it under load."""
    with served(target) as port:
        return load_warmly(port, target.prepare(port, CONNECTIONS, WARM_UP + REQUESTS), WARM_UP)


def run() -> list[ResultTable]:
    """Measure all targets in turn, several times, and compare with the floor."""
    targets = [*TARGETS, *(on_one_core(target) for target in TARGETS if CAN_PIN)]
    results: dict[str, list[LoadResult]] = {target.name: [] for target in targets}
    for turn in range(REPETITIONS):
        for target in targets:
            progress(f"http: {target.name}, repetition {turn + 1} of {REPETITIONS}")
            results[target.name].append(measure(target))
    report = ResultTable(
        f"Durable moves over HTTP, {CONNECTIONS} connections",
        ("what", "a second", "p50 ms", "p99 ms", "× floor", "p99 × floor", "client busy"),
    )
    for target in targets:
        runs = results[target.name]
        floor = on_gunicorn(FLOOR) if target.before else FLOOR
        floor = on_one_core(floor) if target.pinned else floor
        pairs = list(zip(runs, results[floor.name], strict=True))
        report.rows.append(
            (
                target.name,
                round(median(run.throughput for run in runs)),
                median(run.percentile(50) for run in runs),
                median(run.percentile(99) for run in runs),
                median(ours.throughput / theirs.throughput for ours, theirs in pairs),
                median(ours.percentile(99) / theirs.percentile(99) for ours, theirs in pairs),
                median(run.busy for run in runs),
            )
        )
    report.notes = [
        "Each runs in one process of the referee's server, with an empty database (SQLite, WAL,",
        f"synchronous=FULL): {CONNECTIONS * WARM_UP} requests to warm up, then",
        f"{CONNECTIONS * REQUESTS} measured; medians of {REPETITIONS} interleaved repetitions.",
        "Client busy: the client's share of a core; near 1, the client would be the bottleneck.",
        "One core: the server's process is pinned to one (referee serve --pin). Gunicorn, where it",
        f"is installed: the server before, gthread with {THREADS} threads (ADR 23).",
        "Target: throughput at least 0.7 × floor, p99 at most 2 × floor.",
    ]
    return [report]
