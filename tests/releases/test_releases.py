"""Later versions read what a release wrote: its databases in either store, and its records."""

import json
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
from tests.releases.kept import FOLDER, FRAMES, Release, answers, fill, imported, read

FILES = sorted(FOLDER.glob("*.json.gz"))
Serve = Callable[[Release], InProcess]


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


@both_stores
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


@both_stores
def test_its_records_are_ruled_on_as_before(serve: Serve, release: Release) -> None:
    nobody = serve(release)
    for record, before in release.records:
        assert not list(lost(before, imported(nobody, record)))


@pytest.mark.parametrize("kind", sorted(read(FILES[-1]).frames))
def test_its_boards_are_understood(release: Release, kind: str) -> None:
    """The golden frames, which the tests of the board hold the code to, still have all of its."""
    present = json.loads(FRAMES.read_text(encoding="utf-8"))[kind]
    assert [one for one in release.frames[kind] if one not in present] == []
