"""Later versions read what a release wrote: its databases in either store, and its records."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import create_engine

from referee.api import close_app, create_app
from referee.config import NO_LIMITS, Guard, Settings
from referee.store.database import database_url
from tests.conftest import both_stores
from tests.random_tables.transports import InProcess
from tests.releases.kept import FOLDER, Release, answers, fill, read

FILES = sorted(FOLDER.glob("*.json.gz"))
Serve = Callable[[Release], InProcess]
pytestmark = both_stores


@pytest.fixture(params=FILES, ids=lambda file: file.name.removesuffix(".json.gz"))
def release(request: pytest.FixtureRequest) -> Release:
    return read(request.param)


@pytest.fixture
def serve(
    request: pytest.FixtureRequest, store: str, tmp_path: Path
) -> Iterator[Callable[[Release], InProcess]]:
    """Serve a database as the release has left it."""
    database = str(tmp_path / "tables.sqlite3")
    if store == "postgresql":
        database = request.getfixturevalue("postgres").database()
    served: list[Flask] = []

    def serve(release: Release) -> InProcess:
        engine = create_engine(database_url(database))
        fill(engine, release)
        engine.dispose()
        served.append(create_app(Settings(database, guard=Guard(limits=NO_LIMITS))))
        return InProcess(served[-1])

    yield serve
    for app in served:
        close_app(app)


def lost(before: Any, now: Any, where: str = "") -> Iterator[str]:
    """Yield what is another now; what has been added is none."""
    if isinstance(before, dict) and isinstance(now, dict):
        for name, value in before.items():
            if name not in now:
                yield f"{where}/{name} is gone"
            else:
                yield from lost(value, now[name], f"{where}/{name}")
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for at, (one, other) in enumerate(zip(before, now, strict=True)):
            yield from lost(one, other, f"{where}/{at}")
    elif before != now:
        yield f"{where} is {now!r}, and was {before!r}"


@pytest.mark.parametrize("snapshots", [True, False], ids=("snapshots", "log"))
def test_nothing_is_lost_nor_ruled_otherwise_and_play_goes_on(
    serve: Serve, release: Release, snapshots: bool
) -> None:
    """Without snapshots, every table is computed from its log."""
    assert release.rows["snapshots"]
    if not snapshots:
        release.rows["snapshots"].clear()
    nobody = serve(release)
    for path, token, before in release.kept:
        assert not list(lost(before, answers(nobody, path, token), path))
        if path.startswith("/tables/"):
            body = {"name": "Eye", "kind": "camera"}
            made = nobody.as_(token).send("POST", f"{path}/devices", body)
            assert made.status == 201, made.data
            table = nobody.as_(token).send("GET", path).json
            assert table["version"] == before["version"] + 1


def test_its_records_are_imported(serve: Serve, release: Release) -> None:
    nobody = serve(release)
    for record in [one for kept in release.kept for one in kept.answers.get("records", ())]:
        if not record["rounds"]:
            continue
        made = nobody.send("POST", "/records", record)
        assert made.status == 201, made.data
        path = f"/tables/{made.json['table']['id']}/record"
        again = nobody.as_(made.json["token"]).send("GET", path).json
        assert not list(lost(record, again, path))
