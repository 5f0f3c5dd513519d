"""Many tables playing in parallel over HTTP: each store, and two processes on PostgreSQL."""

import os
from collections.abc import Sequence
from statistics import median

from bench.client import LoadResult, load_warmly
from bench.report import Cell, ResultTable, progress, scaled
from bench.stores import POSTGRES, database, port_of, stores
from bench.targets import referee_load
from tests.e2e.server import Server

TABLES = 32
WARM_UP = 20
REQUESTS = 200
REPETITIONS = 5


def measure(server: Server, tables: int, requests: int) -> LoadResult:
    """Play ``requests`` moves at each table, all in parallel."""
    port = port_of(server)
    return load_warmly(port, referee_load(port, tables, WARM_UP + requests), WARM_UP)


BESIDE = ("what", "a second, alone", "a second, beside them", "time × alone", "p99 × alone")


def beside(store: str, pairs: Sequence[tuple[LoadResult, LoadResult]]) -> tuple[Cell, ...]:
    """Return the row of ``BESIDE`` for runs alone, each with one beside something."""
    return (
        store,
        round(median(alone.throughput for alone, _ in pairs)),
        round(median(other.throughput for _, other in pairs)),
        median(alone.throughput / other.throughput for alone, other in pairs),
        median(other.percentile(99) / alone.percentile(99) for alone, other in pairs),
    )


def run() -> list[ResultTable]:
    """Measure one process and two, in turn."""
    kinds = [
        (store, workers)
        for store in stores()
        for workers in ((1, 2) if store == POSTGRES else (1,))
    ]
    repetitions, requests = scaled(REPETITIONS), scaled(REQUESTS)
    results: dict[tuple[str, int], list[LoadResult]] = {kind: [] for kind in kinds}
    for turn in range(repetitions):
        for store, workers in kinds:
            progress(f"processes: {store}, {workers}, repetition {turn + 1} of {repetitions}")
            with database(store) as name, Server(name, "--workers", str(workers)) as server:
                results[store, workers].append(measure(server, TABLES, requests))
    report = ResultTable(
        f"{TABLES} tables playing in parallel",
        ("what", "a second", "p50 ms", "p99 ms", "× one process", "client busy"),
    )
    for (store, workers), runs in results.items():
        alone = results[store, 1]
        ratio = median(a.throughput / b.throughput for a, b in zip(runs, alone, strict=True))
        report.rows.append(
            (
                f"{store}, {workers} process{'es' if workers > 1 else ''}",
                round(median(run.throughput for run in runs)),
                median(run.percentile(50) for run in runs),
                median(run.percentile(99) for run in runs),
                ratio if workers > 1 else None,
                median(run.busy for run in runs),
            )
        )
    report.notes = [
        f"`referee serve`, one connection per table, {requests} moves each, every answer a durable",
        f"201; medians of {repetitions} interleaved repetitions. Target: two processes at least",
        f"1.6 × one. This machine has {os.cpu_count()} cores for client, servers and database;",
        "the target holds if each process, the client and the database have one to themselves.",
    ]
    return [report]
