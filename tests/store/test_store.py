"""The database: one contract for both stores, and tests of each."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, Engine, event, insert, inspect
from sqlalchemy.exc import DataError, IntegrityError

from referee.store.database import (
    DatabaseError,
    check_database,
    is_shared,
    lock_database,
    open_database,
    token_secret,
)
from referee.store.errors import StoreGone, StoreUnavailable
from referee.store.health import Condition, StoreHealth
from referee.store.reader import LogReader
from referee.store.schema import metadata, tables
from referee.store.writer import Job, LogWriter
from tests.postgres import PostgresServer
from tests.waiting import PATIENCE, until

# Processes, because Alembic cannot migrate in several threads.
OPEN = """
import sys
from referee.store.database import open_database, token_secret
from tests.waiting import until
print(token_secret(open_database(sys.argv[1])).hex())
"""


@pytest.fixture
def engine(database: str) -> Iterator[Engine]:
    engine = open_database(database)
    yield engine
    engine.dispose()


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


class TestStore:
    """The contract of both stores."""

    def test_migrations_make_the_tables_of_the_schema(self, engine: Engine) -> None:
        assert set(inspect(engine).get_table_names()) == {*metadata.tables, "alembic_version"}
        with engine.connect() as connection:
            differences = compare_metadata(MigrationContext.configure(connection), metadata)
        assert differences == []

    def test_a_database_is_opened_again(self, engine: Engine) -> None:
        secret = token_secret(engine)
        again = open_database(engine.url.render_as_string(hide_password=False))
        assert token_secret(again) == secret
        assert len(secret) == 32

    def test_what_is_written_is_read(self, engine: Engine) -> None:
        writer, reader = LogWriter(engine), LogReader(engine)
        writer.write(Job([entry(1), entry(2)], before=[new_table()]))
        writer.write(Job([entry(3, "me:k")], {"table_id": "t", "seq": 2, "body": "{}"}))
        assert [found.seq for found in reader.entries("t")] == [1, 2, 3]
        assert [found.seq for found in reader.entries("t", after=1, limit=1)] == [2]
        assert reader.snapshot("t") == (2, "{}")
        made = reader.by_request_key("t", "me:k")
        assert (made[0].seq, made[1]) == (3, "print")
        assert reader.by_request_key("t", "you:k") is None

    def test_writers_at_the_same_time_all_get_through(self, engine: Engine) -> None:
        writer = LogWriter(engine)
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
            assert len(LogReader(engine).entries(f"t{n}")) == 39

    def test_one_bad_job_does_not_take_the_others_with_it(self, engine: Engine) -> None:
        writer = LogWriter(engine)
        writer.write(Job([entry(1, "k")], before=[new_table()]))
        jobs = [Job([entry(2)]), Job([entry(1)]), Job([entry(3, "k")]), Job([entry(4)])]
        writer._waiting = list(jobs[:-1])
        writer.write(jobs[-1])
        assert [job.error is None for job in jobs] == [True, False, False, True]
        assert isinstance(jobs[1].error, IntegrityError)
        assert [found.seq for found in LogReader(engine).entries("t")] == [1, 2, 4]
        with pytest.raises(IntegrityError):
            writer.write(Job([entry(1)]))

    def test_nobody_is_told_that_a_write_went_well_when_it_did_not(self, engine: Engine) -> None:
        writer = LogWriter(engine)
        writer.write(Job([entry(1)], before=[new_table()]))
        waiting = Job([entry(2)])
        writer._waiting = [waiting]
        with pytest.raises((OverflowError, DataError)):
            writer.write(Job([entry(2**80)]))
        assert waiting.done
        assert [found.seq for found in LogReader(engine).entries("t")] == [1, 2]

    def test_many_open_a_new_database_at_once(self, database: str) -> None:
        if "://" not in database:
            pytest.skip("one process opens an SQLite file")
        command = [sys.executable, "-c", OPEN, database]
        opening = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(4)]
        said = [process.communicate(timeout=PATIENCE)[0] for process in opening]
        assert [process.returncode for process in opening] == [0] * 4
        assert len(set(said)) == 1
        assert len(said[0].strip()) == 64


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Engine]:
    engine = open_database(str(tmp_path / "store.sqlite3"))
    yield engine
    engine.dispose()


def test_commits_are_synced_to_the_disk(file: Engine) -> None:
    with file.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2


def test_one_server_at_a_time(file: Engine) -> None:
    held = lock_database(file)
    assert held is not None
    with pytest.raises(DatabaseError, match="Another server is using"):
        check_database(str(file.url.database))
    held.close()
    check_database(str(file.url.database))


@pytest.mark.parametrize("name", ["nothing://x", "postgresql+nodriver://x/y", "sqlite://", "://"])
def test_a_database_that_cannot_be_used(name: str) -> None:
    with pytest.raises(DatabaseError, match="cannot be opened"):
        open_database(name)


@pytest.mark.parametrize(
    "name",
    [
        "host=x password=cat-flap",
        "dbname = evening password = cat-flap",
        "mysql://ann:cat-flap@db/x",
        "Postgresql:/ann:cat-flap@db/x",
        " postgresql:ann:cat-flap@db",
        "file:cat-flap?mode=rwc",
    ],
)
def test_what_is_neither_a_file_nor_one_of_our_urls(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for use in (open_database, is_shared):
        with pytest.raises(DatabaseError, match="name an SQLite file") as refused:
            use(name)
        assert "cat-flap" not in str(refused.value)
    assert list(tmp_path.iterdir()) == []


def test_a_file_may_have_an_unusual_name(tmp_path: Path) -> None:
    for name in ("user=ann.sqlite3", "ten past 9:10.sqlite3"):
        open_database(str(tmp_path / name)).dispose()
        assert (tmp_path / name).is_file()


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear referee, " * 100)
    with pytest.raises(DatabaseError, match="not a database"):
        open_database(str(path))


def test_a_file_that_was_taken_away_is_written_to_no_more(file: Engine, tmp_path: Path) -> None:
    health = StoreHealth(file, interval=0.01)
    writer = LogWriter(file, health)
    writer.write(Job([entry(1)], before=[new_table()]))
    path = tmp_path / "store.sqlite3"
    path.rename(tmp_path / "elsewhere")
    with pytest.raises(StoreUnavailable) as refused:
        writer.write(Job([entry(2)]))
    assert isinstance(refused.value.__cause__, StoreGone)
    assert "No such file" in str(refused.value.__cause__)
    with pytest.raises(StoreUnavailable):
        writer.write(Job([entry(2)]))
    assert not path.exists()
    (tmp_path / "elsewhere").rename(path)
    until(lambda: health.condition is Condition.HEALTHY)
    writer.write(Job([entry(2)]))
    assert [found.seq for found in LogReader(file).entries("t")] == [1, 2]
    path.rename(tmp_path / "elsewhere")
    path.write_bytes(b"")
    with pytest.raises(StoreUnavailable) as replaced:
        writer.write(Job([entry(3)]))
    assert "another file" in str(replaced.value.__cause__)
    health.close()


@pytest.mark.parametrize(
    "who",
    ["ann:cat-flap@127.0.0.1", "ann:no/cat-flap@127.0.0.1", "ann:no@cat-flap@127.0.0.1"],
)
def test_a_password_is_not_told(postgres: PostgresServer, who: str) -> None:
    for url in (
        f"postgresql://{who}:{postgres.port}/nowhere",
        f"postgresql://ann@127.0.0.1:{postgres.port}/nowhere?password=cat-flap",
    ):
        with pytest.raises(DatabaseError, match="cannot be opened") as refused:
            open_database(url)
        assert "cat-flap" not in str(refused.value)
        assert "ann" in str(refused.value)


def test_commits_are_synced_whatever_the_database_says(postgres: PostgresServer) -> None:
    url = postgres.database()
    with psycopg.connect(url, autocommit=True) as connection:
        name = url.rpartition("/")[2]
        connection.execute(f"ALTER DATABASE {name} SET synchronous_commit = off")
    engine = open_database(url)
    with engine.connect() as checked:
        assert checked.exec_driver_sql("SHOW synchronous_commit").scalar() == "on"
    engine.dispose()


def test_a_database_that_cannot_hold_every_letter(postgres: PostgresServer) -> None:
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS latin")
        connection.execute("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    with pytest.raises(DatabaseError, match="encoding must be UTF8, not LATIN1"):
        open_database(postgres.url.removesuffix("postgres") + "latin")


class Breaking:
    """A writer on a PostgreSQL database whose connections can be cut."""

    def __init__(self, url: str) -> None:
        self.engine = open_database(url)
        self.health = StoreHealth(self.engine, interval=0.01)
        self.writer = LogWriter(self.engine, self.health)
        self.url = url

    def cut(self) -> None:
        """End all connections to the database."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )


def test_a_connection_that_broke_while_idle_is_replaced(postgres: PostgresServer) -> None:
    broken = Breaking(postgres.database())
    reader = LogReader(broken.engine)
    broken.writer.write(Job([entry(1)], before=[new_table()]))
    assert reader.newest(["t"]) == {"t": 1}
    broken.cut()
    broken.writer.write(Job([entry(2)]))
    broken.cut()
    assert reader.newest(["t"]) == {"t": 2}
    broken.engine.dispose()


def test_a_commit_of_which_nothing_was_heard_is_not_repeated(postgres: PostgresServer) -> None:
    broken = Breaking(postgres.database())
    broken.writer.write(Job([entry(1)], before=[new_table()]))

    @event.listens_for(broken.engine, "commit", once=True)
    def cut(connection: Connection) -> None:
        broken.cut()

    jobs = [Job([entry(2)]), Job([entry(3)])]
    broken.writer._waiting = list(jobs[:-1])
    with pytest.raises(StoreUnavailable) as lost:
        broken.writer.write(jobs[-1])
    assert lost.value.__cause__ is jobs[0].error is jobs[1].error
    until(lambda: broken.health.condition is Condition.HEALTHY)
    broken.writer.write(Job([entry(2)]))
    assert LogReader(broken.engine).newest(["t"]) == {"t": 2}
    broken.engine.dispose()
