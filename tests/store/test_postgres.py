"""How long the store waits for PostgreSQL."""

import threading

import psycopg
import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import OperationalError

from referee.store.database import open_database
from referee.store.errors import is_unavailable
from referee.store.postgres.connection import MIGRATION_LOCK
from referee.store.postgres.timeouts import TIMEOUT, TimeoutConnection
from tests.postgres import PostgresServer
from tests.waiting import PATIENCE, until


def test_a_statement_without_an_answer_times_out(
    postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = open_database(postgres.database())
    with engine.connect() as connection:
        with monkeypatch.context() as patch:
            patch.setattr(TimeoutConnection, "timeout", 0.2)
            with pytest.raises(OperationalError, match=r"no answer for 0\.2 s") as given_up:
                connection.execute(text("SELECT pg_sleep(600)"))
        assert is_unavailable(given_up.value)
        assert connection.invalidated
    with engine.connect() as connection:
        assert connection.execute(text("SELECT 1")).scalar_one() == 1
    engine.dispose()


def test_a_healthy_server_ends_a_statement_before_the_client_gives_up(
    postgres: PostgresServer,
) -> None:
    engine = open_database(postgres.database())
    with engine.connect() as connection:
        limit = connection.execute(
            text("SELECT setting::int FROM pg_settings WHERE name = 'statement_timeout'")
        ).scalar_one()
    assert 0 < limit < 1000 * TIMEOUT
    engine.dispose()


def test_a_migration_waits_without_a_time_limit(
    postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = postgres.database()
    opened: list[Engine] = []
    waiting = threading.Thread(target=lambda: opened.append(open_database(url)))
    with psycopg.connect(url) as other:

        def waits() -> bool:
            found = other.execute("SELECT count(*) FROM pg_locks WHERE NOT granted").fetchone()
            return found is not None and found[0] > 0

        other.execute("SELECT pg_advisory_xact_lock(%s)", (MIGRATION_LOCK,))
        waiting.start()
        until(waits)
        with monkeypatch.context() as patch:
            patch.setattr(TimeoutConnection, "timeout", 0.2)
            waiting.join(1.0)
        assert waiting.is_alive()
        assert not opened
    waiting.join(PATIENCE)
    assert len(opened) == 1
    opened[0].dispose()
