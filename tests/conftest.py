"""Databases for tests: SQLite files and PostgreSQL databases."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.postgres import MISSING, PostgresServer, binaries, private_server

STORES = ("sqlite", "postgresql")
both_stores = pytest.mark.parametrize("store", STORES)


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL server for this worker; skips if none is installed."""
    if binaries() is None:
        pytest.skip(MISSING)
    with private_server() as server:
        yield server


@pytest.fixture(params=STORES)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of each kind, as the command line names it."""
    if request.param == "sqlite":
        return str(tmp_path / "deep" / "store.sqlite3")
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.database()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--album``, the folder for screenshots of the page."""
    parser.addoption("--album", metavar="DIR", help="keep the screenshots of the page there")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Try a browser test once more if Chromium, beside others on a busy machine, was too slow."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.flaky(reruns=1, only_rerun=["TimeoutError"]))
