"""An SQLite store's files are for their owner; a store of an unknown version is refused."""

import os
import socket
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from referee.api import create_app
from referee.cli import main
from referee.commands import serve
from referee.config import NO_LIMITS, Guard, Settings
from referee.store.backup import back_up, restore
from referee.store.database import DatabaseError, lock_file, open_database
from tests.api.conftest import close, open_table

Capture = pytest.CaptureFixture[str]


def modes(folder: Path) -> dict[str, str]:
    """Return who may use the files that are not for their owner alone."""
    found = {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()}
    return {name: oct(mode) for name, mode in found.items() if mode & 0o077}


@pytest.fixture(autouse=True)
def _usual_mask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def played(database: Path) -> None:
    app = create_app(Settings(str(database), guard=Guard(limits=NO_LIMITS)))
    open_table(app.test_client())
    assert Path(f"{database}-wal").exists()
    assert modes(database.parent) == {}
    close(app)


def test_a_new_store_is_its_owner_s_alone(tmp_path: Path) -> None:
    database = tmp_path / "tables.sqlite3"
    played(database)
    back_up(str(database), database.parent / "copy")
    database.chmod(0o644)
    restore(database.parent / "copy", str(database))
    assert modes(database.parent) == {}


def test_an_old_store_is_taken_away_from_others_and_the_log_says_so(
    tmp_path: Path, capsys: Capture
) -> None:
    database = tmp_path / "tables.sqlite3"
    played(database)
    for file in tmp_path.iterdir():
        file.chmod(0o666)
    tmp_path.chmod(0o777)
    capsys.readouterr()
    played(database)
    said = capsys.readouterr().err
    assert 'event="file made private" file=tables.sqlite3 ' in said
    assert "others may replace the database" in said
    tmp_path.chmod(0o755)
    played(database)
    assert "event=" not in capsys.readouterr().err


def test_a_lock_s_file_is_no_link(tmp_path: Path) -> None:
    other = tmp_path / "other"
    (tmp_path / "tables.sqlite3.lock").symlink_to(other)
    with pytest.raises(DatabaseError, match="cannot be opened"):
        lock_file(tmp_path / "tables.sqlite3")
    assert not other.exists()


@pytest.mark.parametrize("revision", ["9999", "0003"])
def test_a_store_of_a_version_that_is_not_known_is_refused_in_one_sentence(
    database: str, revision: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serve, "listen", lambda *_: socket.socket())
    engine = open_database(database)
    with engine.begin() as connection:
        connection.execute(text(f"UPDATE alembic_version SET version_num = '{revision}'"))
    engine.dispose()
    with pytest.raises(DatabaseError, match=r"a newer version .* before the first release"):
        open_database(database)
    for command in (["serve", "--port", "0"], ["admin", "list"]):
        assert main([*command, "--database", database]) == 2
        said = capsys.readouterr().err
        assert "newer version" in said
        assert said.count("\n") == 1
