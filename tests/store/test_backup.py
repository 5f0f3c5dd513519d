"""Copies of a store: made while it is written to, checked, put back."""

import sqlite3
import stat
import threading
from pathlib import Path

import pytest

from referee.service.access import OPERATOR
from referee.service.log.event_log import EventLog
from referee.service.log.preconditions import WriteRequest
from referee.service.people.operator import close_table, open_again
from referee.service.people.tables import create_table
from referee.store.backup import back_up, check, restore
from referee.store.database import DatabaseError, lock_file, open_database


def store(path: Path, tables: int = 2) -> EventLog:
    event_log = EventLog(open_database(str(path)))
    for _ in range(tables):
        create_table(event_log, "classic-108", {}, ("Ann", "Bo"), None, "")
    return event_log


def test_a_copy_is_whole_and_for_its_owner_alone(tmp_path: Path) -> None:
    event_log = store(tmp_path / "tables.sqlite3")
    copy = tmp_path / "copies" / "tables.backup"
    copy.parent.mkdir()
    made = back_up(str(tmp_path / "tables.sqlite3"), copy)
    assert (made.tables, made.entries) == (2, 2)
    assert check(copy) == made
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert [path.name for path in copy.parent.iterdir()] == ["tables.backup"]
    event_log.close()
    with pytest.raises(DatabaseError, match="already exists"):
        back_up(str(tmp_path / "tables.sqlite3"), copy)


def test_copies_made_while_it_is_written_to_hold_a_moment_each(tmp_path: Path) -> None:
    event_log = store(tmp_path / "tables.sqlite3", 1)
    table, *_ = create_table(event_log, "classic-108", {}, ("Ann", "Bo"), None, "")
    stop = threading.Event()

    def write() -> None:
        while not stop.is_set():
            close_table(event_log, table, WriteRequest(OPERATOR), None)
            open_again(event_log, table, WriteRequest(OPERATOR))

    writer = threading.Thread(target=write)
    writer.start()
    try:
        copies = [
            back_up(str(tmp_path / "tables.sqlite3"), tmp_path / f"copy-{number}")
            for number in range(3)
        ]
    finally:
        stop.set()
        writer.join()
        event_log.close()
    assert [copy.tables for copy in copies] == [2, 2, 2]
    assert [copy.entries for copy in copies] == sorted(copy.entries for copy in copies)


def test_a_copy_is_put_back_and_what_was_there_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "tables.sqlite3"
    event_log = store(path, 1)
    back_up(str(path), tmp_path / "copy")
    create_table(event_log, "classic-108", {}, ("Ann", "Bo"), None, "")
    event_log.close()
    checked, kept = restore(tmp_path / "copy", str(path))
    assert (checked.tables, check(path).tables) == (1, 1)
    assert kept is not None
    assert check(kept).tables == 2
    again = EventLog(open_database(str(path)))
    assert create_table(again, "classic-108", {}, ("Ann", "Bo"), None, "")[2].seq == 1
    again.close()
    assert check(path).tables == 2


def test_a_copy_becomes_a_new_store(tmp_path: Path) -> None:
    store(tmp_path / "tables.sqlite3", 3).close()
    back_up(str(tmp_path / "tables.sqlite3"), tmp_path / "copy")
    checked, kept = restore(tmp_path / "copy", str(tmp_path / "new" / "tables.sqlite3"))
    assert (checked.tables, kept) == (3, None)


def test_nothing_is_put_in_the_place_of_a_store_that_is_used(tmp_path: Path) -> None:
    path = tmp_path / "tables.sqlite3"
    store(path, 1).close()
    back_up(str(path), tmp_path / "copy")
    before = path.read_bytes()
    with lock_file(path), pytest.raises(DatabaseError, match="Another server is using"):
        restore(tmp_path / "copy", str(path))
    assert path.read_bytes() == before
    assert not list(tmp_path.glob("*.replaced-*"))


def spoil(path: Path, how: str) -> None:
    if how == "cut":
        path.write_bytes(path.read_bytes()[:-5000])
    elif how == "no store":
        path.write_text("this is no database at all, but it is long enough to look at" * 20)
    else:
        with sqlite3.connect(path) as connection:
            connection.execute(how)


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ("cut", "is damaged"),
        ("no store", "is damaged"),
        ("DELETE FROM log WHERE seq = 1", "entries are missing|no log for"),
        ("DELETE FROM log", "no log for"),
        ("DELETE FROM tables", "foreign_key_check"),
        ("DROP TABLE log", "not a readable store"),
    ],
)
def test_what_is_broken_is_not_put_back(tmp_path: Path, how: str, says: str) -> None:
    path = tmp_path / "tables.sqlite3"
    event_log = store(path, 3)
    table, *_ = create_table(event_log, "classic-108", {}, ("Ann", "Bo"), None, "")
    close_table(event_log, table, WriteRequest(OPERATOR), None)
    event_log.close()
    back_up(str(path), tmp_path / "copy")
    spoil(tmp_path / "copy", how)
    with pytest.raises(DatabaseError, match=says):
        restore(tmp_path / "copy", str(path))
    assert check(path).tables == 4


def test_other_databases_have_tools_of_their_own(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match="pg_dump"):
        back_up("postgresql://nowhere/here", tmp_path / "copy")
    with pytest.raises(DatabaseError, match="does not exist"):
        back_up(str(tmp_path / "nothing.sqlite3"), tmp_path / "copy")
    with pytest.raises(DatabaseError, match="does not exist"):
        check(tmp_path / "nothing")
