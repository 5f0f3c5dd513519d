"""Databases and servers to measure."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from bench.report import progress
from tests.e2e.server import Server
from tests.postgres import MISSING, PostgresServer, binaries, private_server

SQLITE = "SQLite"
POSTGRES = "PostgreSQL"


def stores() -> tuple[str, ...]:
    """Return the stores available on this machine."""
    if binaries() is None:
        progress(MISSING)
        return (SQLITE,)
    return (SQLITE, POSTGRES)


@contextmanager
def postgres() -> Iterator[PostgresServer]:
    """Run a private PostgreSQL that syncs to disk."""
    with private_server(durable=True) as server:
        yield server


@contextmanager
def database(store: str) -> Iterator[str]:
    """Yield an empty database, as ``--database`` names it."""
    with ExitStack() as stack:
        if store == POSTGRES:
            yield stack.enter_context(postgres()).database()
        else:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            yield str(Path(folder) / "bench.sqlite3")


def port_of(server: Server) -> int:
    """Return a server's port."""
    return int(server.url.rpartition(":")[2])


def resident(server: Server) -> float:
    """Return the resident memory of the serving processes in MB."""
    pages = sum(
        int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
        for pid in server.workers()
    )
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
