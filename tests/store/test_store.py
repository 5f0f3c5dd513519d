"""The database: migrations, durable writes in groups, one process at a time."""

import threading
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Engine, insert, inspect
from sqlalchemy.exc import IntegrityError

from referee.store.database import (
    DatabaseError,
    check_database,
    lock_database,
    open_database,
    token_secret,
)
from referee.store.reader import Reader
from referee.store.schema import metadata, tables
from referee.store.writer import Job, Writer


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    return open_database(str(tmp_path / "deep" / "store.sqlite3"))


def entry(seq: int, key: str | None = None, table: str = "t") -> dict[str, Any]:
    return {
        "table_id": table,
        "seq": seq,
        "kind": "moved",
        "at": "",
        "body": f'{{"n":{seq}}}',
        "request_key": key,
        "fingerprint": key and "print",
    }


def new_table(name: str = "t") -> Any:
    return (insert(tables), {"id": name, "code": name, "created": ""})


def test_migrations_make_the_tables_of_the_schema(engine: Engine) -> None:
    assert set(inspect(engine).get_table_names()) == {*metadata.tables, "alembic_version"}
    with engine.connect() as connection:
        differences = compare_metadata(MigrationContext.configure(connection), metadata)
    assert differences == []


def test_a_database_is_opened_again(engine: Engine) -> None:
    secret = token_secret(engine)
    again = open_database(str(engine.url.database))
    assert token_secret(again) == secret
    assert len(secret) == 32


def test_commits_are_synced_to_the_disk(engine: Engine) -> None:
    with engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2


def test_what_is_written_is_read(engine: Engine) -> None:
    writer, reader = Writer(engine), Reader(engine)
    writer.write(Job([entry(1), entry(2)], before=[new_table()]))
    writer.write(Job([entry(3, "me:k")], {"table_id": "t", "seq": 2, "body": "{}"}))
    assert [found.seq for found in reader.entries("t")] == [1, 2, 3]
    assert [found.seq for found in reader.entries("t", after=1, limit=1)] == [2]
    assert reader.snapshot("t") == (2, "{}")
    made = reader.by_request_key("t", "me:k")
    assert made is not None
    assert (made[0].seq, made[1]) == (3, "print")
    assert reader.by_request_key("t", "you:k") is None


def test_writers_at_the_same_time_all_get_through(engine: Engine) -> None:
    writer = Writer(engine)
    for n in range(8):
        writer.write(Job([entry(1, table=f"t{n}")], before=[new_table(f"t{n}")]))

    def write(n: int) -> None:
        for seq in range(2, 40):
            writer.write(Job([entry(seq, table=f"t{n}")]))

    threads = [threading.Thread(target=write, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for n in range(8):
        assert len(Reader(engine).entries(f"t{n}")) == 39


def test_one_bad_job_does_not_take_the_others_with_it(engine: Engine) -> None:
    writer = Writer(engine)
    writer.write(Job([entry(1, "k")], before=[new_table()]))
    jobs = [Job([entry(2)]), Job([entry(1)]), Job([entry(3, "k")]), Job([entry(4)])]
    writer._waiting = list(jobs[:-1])
    writer.write(jobs[-1])
    assert [job.error is None for job in jobs] == [True, False, False, True]
    assert isinstance(jobs[1].error, IntegrityError)
    assert [found.seq for found in Reader(engine).entries("t")] == [1, 2, 4]
    with pytest.raises(IntegrityError):
        writer.write(Job([entry(1)]))


def test_nobody_is_told_that_a_write_went_well_when_it_did_not(engine: Engine) -> None:
    writer = Writer(engine)
    writer.write(Job([entry(1)], before=[new_table()]))
    waiting = Job([entry(2)])
    writer._waiting = [waiting]
    with pytest.raises(OverflowError):
        writer.write(Job([entry(2**80)]))
    assert waiting.done
    assert [found.seq for found in Reader(engine).entries("t")] == [1, 2]


def test_one_server_at_a_time(engine: Engine) -> None:
    held = lock_database(engine)
    assert held is not None
    with pytest.raises(DatabaseError, match="Another server is using"):
        check_database(str(engine.url.database))
    held.close()
    check_database(str(engine.url.database))


@pytest.mark.parametrize("name", ["nothing://x", "postgresql+nodriver://x/y", "sqlite://"])
def test_a_database_that_cannot_be_used(name: str) -> None:
    with pytest.raises(DatabaseError, match="cannot be opened"):
        open_database(name)


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear referee, " * 100)
    with pytest.raises(DatabaseError, match="not a database"):
        open_database(str(path))
