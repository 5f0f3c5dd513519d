"""Connection settings of PostgreSQL, and the lock that lets one process migrate at a time."""

from typing import Any

from sqlalchemy import Connection, Dialect, Engine, create_engine, event, func, select, text
from sqlalchemy.engine import URL
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry

from referee.extras import needs

OLDEST_VERSION = 15
MIGRATION_LOCK = 0x5EFE_7EE0
# Up to sixteen connections per process read and write; two more listen and notify.
POOL_SIZE = 8
POOL_OVERFLOW = 8
POOL_TIMEOUT = 10
# Notices a dead host within seconds; the kernel alone would take minutes.
CONNECT_ARGS = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
    "application_name": "referee",
}
# The server ends a slow statement before the client gives up on the server (``timeouts.TIMEOUT``).
# A process that hangs within a transaction must not lock a table for ever. Commits are synced even
# where the server's default says otherwise.
SESSION = """
    SELECT set_config('statement_timeout', '12s', false),
        set_config('idle_in_transaction_session_timeout', '15s', false),
        CASE current_setting('synchronous_commit')
            WHEN 'off' THEN set_config('synchronous_commit', 'on', false)
        END
"""


def with_driver(url: URL) -> URL:
    """Return the URL with psycopg as its driver unless it names another."""
    if url.drivername in ("postgresql", "postgres"):
        return url.set(drivername="postgresql+psycopg")
    return url


def postgres_engine(url: URL) -> Engine:
    """Create an engine for PostgreSQL. Raises ImportError when psycopg is not installed."""
    try:
        from referee.store.postgres.timeouts import TimeoutConnection
    except ModuleNotFoundError as error:
        if error.name != "psycopg":
            raise
        raise ImportError(f"it {needs('postgres', error.name)}") from error
    engine = create_engine(
        url,
        # A failed statement can carry hands and names, which no log may show.
        hide_parameters=True,
        pool_size=POOL_SIZE,
        max_overflow=POOL_OVERFLOW,
        pool_timeout=POOL_TIMEOUT,
        connect_args=CONNECT_ARGS,
    )

    @event.listens_for(engine, "do_connect")
    def connect(
        dialect: Dialect, record: ConnectionPoolEntry, args: list[str], named: dict[str, Any]
    ) -> TimeoutConnection:
        return TimeoutConnection.connect(*args, **named)

    event.listen(engine, "connect", _set_up)
    return engine


def _set_up(connection: DBAPIConnection, record: ConnectionPoolEntry) -> None:
    cursor = connection.cursor()
    cursor.execute(SESSION)
    cursor.close()
    connection.commit()


def check_server(engine: Engine) -> None:
    """Raise OSError unless the server's version and encoding are supported."""
    with engine.connect() as connection:
        version = connection.execute(text("SHOW server_version_num")).scalar_one()
        encoding = connection.execute(text("SHOW server_encoding")).scalar_one()
    if int(version) < OLDEST_VERSION * 10_000:
        major = int(version) // 10_000
        raise OSError(f"PostgreSQL {OLDEST_VERSION} or later is needed, this is {major}")
    if encoding != "UTF8":
        raise OSError(f"its encoding must be UTF8, not {encoding}")


def lock_for_migration(connection: Connection) -> None:
    """Wait, without a time limit, until no other process migrates.

    The lock lasts for the transaction. Do not use the connection for anything else afterwards.
    """
    if connection.dialect.name == "postgresql":
        driver: Any = connection.connection.driver_connection
        driver.timeout = None
        connection.detach()
        connection.execute(text("SET LOCAL statement_timeout = 0"))
        connection.execute(select(func.pg_advisory_xact_lock(MIGRATION_LOCK)))
