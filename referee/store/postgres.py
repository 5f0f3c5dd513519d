"""What PostgreSQL is told, beyond what every database is."""

from typing import Any

from sqlalchemy import Connection, Dialect, Engine, create_engine, event, func, select, text
from sqlalchemy.engine import URL
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry

OLDEST = 15
MIGRATING = 0x5EFE_7EE0
# Sixteen connections of a process read and write, one listens, one tells.
POOL_SIZE = 8
POOL_OVERFLOW = 8
POOL_SECONDS = 10
# A host that is gone is noticed within seconds, not when the kernel gives up after minutes.
CONNECT_ARGS = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
    "application_name": "referee",
}
# A statement is ended by the server before the server is given up (``patient.PATIENCE``).
# A process that hangs within a transaction must not hold a table for ever, and what is acknowledged
# is on the disk even where the server's own default says otherwise.
SESSION = """
    SELECT set_config('statement_timeout', '12s', false),
        set_config('idle_in_transaction_session_timeout', '15s', false),
        CASE current_setting('synchronous_commit')
            WHEN 'off' THEN set_config('synchronous_commit', 'on', false)
        END
"""


def with_driver(url: URL) -> URL:
    """The URL with the driver that is used, psycopg, where it names none."""
    if url.drivername in ("postgresql", "postgres"):
        return url.set(drivername="postgresql+psycopg")
    return url


def postgres_engine(url: URL) -> Engine:
    """An engine for PostgreSQL. Raises ImportError when psycopg is not installed."""
    try:
        from referee.store.timeouts import PatientConnection
    except ModuleNotFoundError as error:
        if error.name != "psycopg":
            raise
        raise ImportError("install the extra table-referee[postgres] first") from error
    engine = create_engine(
        url,
        # What a failed statement was given can be hands and names: nothing for a log.
        hide_parameters=True,
        pool_size=POOL_SIZE,
        max_overflow=POOL_OVERFLOW,
        pool_timeout=POOL_SECONDS,
        connect_args=CONNECT_ARGS,
    )

    @event.listens_for(engine, "do_connect")
    def connect(
        dialect: Dialect, record: ConnectionPoolEntry, args: list[str], named: dict[str, Any]
    ) -> PatientConnection:
        return PatientConnection.connect(*args, **named)

    event.listen(engine, "connect", _set_up)
    return engine


def _set_up(connection: DBAPIConnection, record: ConnectionPoolEntry) -> None:
    cursor = connection.cursor()
    cursor.execute(SESSION)
    cursor.close()
    connection.commit()


def check_server(engine: Engine) -> None:
    """Whether the server is one that holds what is written. Raises OSError."""
    with engine.connect() as connection:
        version = connection.execute(text("SHOW server_version_num")).scalar_one()
        encoding = connection.execute(text("SHOW server_encoding")).scalar_one()
    if int(version) < OLDEST * 10_000:
        raise OSError(f"PostgreSQL {OLDEST} or later is needed, this is {int(version) // 10_000}")
    if encoding != "UTF8":
        raise OSError(f"its encoding has to be UTF8, not {encoding}")


def one_migrates(connection: Connection) -> None:
    """Wait until no other process migrates; the transaction that follows has the database alone.

    It may take as long as it takes. The connection is good for nothing else afterwards.
    """
    if connection.dialect.name == "postgresql":
        driver: Any = connection.connection.driver_connection
        driver.patience = None
        connection.detach()
        connection.execute(text("SET LOCAL statement_timeout = 0"))
        connection.execute(select(func.pg_advisory_xact_lock(MIGRATING)))
