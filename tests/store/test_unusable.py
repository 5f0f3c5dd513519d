"""Databases that cannot be used are refused in one sentence, and left as they are."""

import os
import socket
import sqlite3
import stat
import sys
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Engine, create_engine, text

from referee.api import close_app, create_app
from referee.cli import main
from referee.commands import serve
from referee.config import Settings
from referee.store import migration
from referee.store.database import DatabaseError, check_database, open_database, using
from referee.store.local_key import key_file

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _no_port(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "listen", lambda *_: socket.socket())


def overwrite(database: str, table: str) -> None:
    """Make a database whose pages of a table are overwritten."""
    open_database(database).dispose()
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        query = "SELECT rootpage FROM sqlite_master WHERE tbl_name = ?"
        roots = [page for (page,) in connection.execute(query, (table,))]
    with Path(database).open("r+b") as file:
        for page in roots:
            file.seek((page - 1) * size)
            file.write(b"\xff" * size)


def refused(capsys: Capture, *command: str) -> str:
    """Return the sentence with which a command refuses."""
    assert main(command) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    return error


@pytest.mark.parametrize("spoilt", ["log", "settings", "alembic_version", None])
def test_damage_is_told_in_one_way(tmp_path: Path, capsys: Capture, spoilt: str | None) -> None:
    database = tmp_path / "tables.sqlite3"
    if spoilt is None:
        database.write_text("this is no database" * 100)
    else:
        overwrite(str(database), spoilt)
    copy = str(tmp_path / "copy")
    told = {
        refused(capsys, "admin", *job, "--database", str(database))
        for job in (["list"], ["check"], ["backup", copy], ["restore", str(database)])
    }
    (error,) = told
    assert error.startswith(f"referee admin: {database} is damaged (")
    assert "'referee admin restore' brings a copy back; without one, move the database" in error
    database.rename(tmp_path / "elsewhere")
    for more in tmp_path.glob("tables.sqlite3*"):
        more.unlink()
    open_database(str(database)).dispose()


@pytest.mark.parametrize("spoilt", ["webhooks", "settings"])
def test_a_damaged_database_stays_as_it_is(tmp_path: Path, capsys: Capture, spoilt: str) -> None:
    database = tmp_path / "tables.sqlite3"
    overwrite(str(database), spoilt)
    database.chmod(0o644)
    with pytest.raises(DatabaseError, match=r"is damaged \(.*malformed\)"), using(str(database)):
        create_app(Settings(str(database)))
    assert stat.S_IMODE(database.stat().st_mode) == 0o644
    assert not key_file(database).exists()
    assert "made private" not in capsys.readouterr().err


def test_a_server_that_stops_takes_its_key_along(tmp_path: Path) -> None:
    database = tmp_path / "tables.sqlite3"
    app = create_app(Settings(str(database)))
    assert key_file(database).exists()
    close_app(app)
    assert not key_file(database).exists()
    check_database(str(database))


def test_a_folder_and_an_empty_file_are_called_so(tmp_path: Path, capsys: Capture) -> None:
    empty = tmp_path / "empty.sqlite3"
    empty.touch()
    for place, reason in ((tmp_path, "it is a folder"), (empty, "nothing was written to it yet")):
        assert reason in refused(capsys, "admin", "list", "--database", str(place))
    assert f"{tmp_path} is a folder." in refused(
        capsys, "admin", "check", "--database", str(tmp_path)
    )


@pytest.mark.parametrize("job", [["list"], ["close", "t"]])
def test_managing_tables_makes_no_database(tmp_path: Path, capsys: Capture, job: list[str]) -> None:
    error = refused(capsys, "admin", *job, "--database", str(tmp_path / "tables.sqlite3"))
    assert error.endswith("cannot be opened: there is no such file.\n")
    assert list(tmp_path.iterdir()) == []


def test_another_program_s_file_is_left_alone(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "photos.sqlite3"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE photos (name TEXT)")
        connection.commit()
    file.chmod(0o644)
    before = file.read_bytes()
    for command in (["serve", "--port", "0"], ["admin", "list"]):
        error = refused(capsys, *command, "--database", str(file))
        assert "another program has written it; --database, or REFEREE_DATABASE, names" in error
    for job in (["check"], ["backup", str(tmp_path / "copy")]):
        error = refused(capsys, "admin", *job, "--database", str(file))
        assert error.startswith(f"referee admin: {file} is not a readable store: ")
        assert error.endswith("another program has written it.\n")
    assert file.read_bytes() == before
    assert stat.S_IMODE(file.stat().st_mode) == 0o644
    assert [found.name for found in tmp_path.iterdir()] == ["photos.sqlite3"]


def test_a_folder_is_not_made(tmp_path: Path, capsys: Capture) -> None:
    folder = tmp_path / "no" / "such"
    error = refused(capsys, "serve", "--port", "0", "--database", str(folder / "x.sqlite3"))
    assert f"there is no folder {folder}; --database, or REFEREE_DATABASE, names another" in error
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("there", [True, False])
def test_a_folder_that_is_not_writable_is_named(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch, there: bool
) -> None:
    database = str(tmp_path / "tables.sqlite3")
    if there:
        check_database(database)
    access = os.access
    monkeypatch.setattr(os, "access", lambda path, how: path != tmp_path and access(path, how))
    for command in (["serve", "--port", "0"], ["admin", "list"]):
        assert refused(capsys, *command, "--database", database).endswith(
            f"cannot be opened: this user may not write in {tmp_path}; --database, or "
            "REFEREE_DATABASE, names another place.\n"
        )


def test_a_file_that_is_not_writable_is_named(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = tmp_path / "tables.sqlite3"
    check_database(str(database))
    monkeypatch.setattr(os, "access", lambda path, how: path != database)
    error = refused(capsys, "serve", "--port", "0", "--database", str(database))
    assert "this user may not write to it; --database, or REFEREE_DATABASE, names" in error


def test_what_reads_the_database_asks_no_server(tmp_path: Path, capsys: Capture) -> None:
    database = str(tmp_path / "tables.sqlite3")
    check_database(database)
    error = refused(capsys, "admin", "list", "--database", database, "--server", "http://x")
    assert "--server is for commands that change a table" in error


@pytest.mark.parametrize("job", ["list", "show", "audit", "export", "backup", "restore", "check"])
def test_the_help_offers_a_server_where_one_is_asked(capsys: Capture, job: str) -> None:
    for name, offered in ((job, False), ("close", True)):
        with pytest.raises(SystemExit):
            main(["admin", name, "--help"])
        assert ("--server" in capsys.readouterr().out) == offered


def test_packages_that_are_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    monkeypatch.delitem(sys.modules, "referee.store.postgres.timeouts", raising=False)
    with pytest.raises(DatabaseError, match=r"it needs the postgres packages \(psycopg\): pip"):
        open_database("postgresql://db/referee")


def schema(engine: Engine) -> dict[str, str]:
    """Return the statements that a database was made by."""
    with engine.connect() as connection:
        found = connection.execute(text("SELECT type || name, sql FROM sqlite_master")).all()
    return {name: " ".join((sql or "").split()) for name, sql in found}


def test_a_new_database_is_as_one_that_took_every_step(tmp_path: Path) -> None:
    made = create_engine(f"sqlite:///{tmp_path}/made")
    migration.migrate(made)
    taken = create_engine(f"sqlite:///{tmp_path}/taken")
    migration.upgrade(taken)
    assert schema(made) == schema(taken)
    for engine in (made, taken):
        with engine.connect() as connection:
            revision = connection.execute(migration.revisions.select()).scalar_one()
        assert revision == migration.REVISIONS[-1]
