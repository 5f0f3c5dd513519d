"""kill -9 under load, many times: every acknowledged move is in the log once."""

from statistics import median

from bench.report import ResultTable, progress, scaled
from bench.stores import POSTGRES, database, stores
from tests.e2e.server import Server
from tests.e2e.test_kill import TABLES, kill_once, seat_down

KILLS = 100
UNDER_LOAD = 0.4


def loop(database_name: str, kills: int, *flags: str) -> tuple[int, list[float]]:
    """Kill a server ``kills`` times; return the moves acknowledged and the seconds of each restart.

    Raises AssertionError for a lost or duplicated move.
    """
    with Server(database_name, *flags) as server:
        players = [seat_down(server) for _ in range(TABLES)]
        restarts = []
        for number in range(1, kills + 1):
            restarts.append(kill_once(server, players, UNDER_LOAD))
            progress(f"kill: {number} of {kills}")
        return sum(len(player.acknowledged) for player in players), restarts


def run() -> list[ResultTable]:
    """Measure each store, and PostgreSQL also with two processes."""
    kills = scaled(KILLS)
    report = ResultTable(
        f"kill -9 under load, {kills} times each",
        ("what", "moves acknowledged", "lost", "twice", "restart p50 s", "restart longest s"),
    )
    for store in stores():
        for flags in ((), ("--workers", "2")) if store == POSTGRES else ((),):
            with database(store) as name:
                moves, restarts = loop(name, kills, *flags)
            named = f"{store}, {' '.join(flags) or '1 process'}".replace(
                "--workers 2", "2 processes"
            )
            report.rows.append((named, moves, 0, 0, median(restarts), max(restarts)))
    report.notes = [
        f"{TABLES} tables play throughout, each move with an Idempotency-Key. All processes are",
        "killed together and restarted. After each kill the log is compared with the acknowledged",
        "moves and the unanswered move is retried; a lost or duplicated move ends the run.",
        "Restart: from starting the program until /ready answers 200.",
        "Target: none lost, none twice, restart under 2 s.",
    ]
    return [report]
