"""Opening the database: connection settings, migrations, and the one-process lock of SQLite."""

import fcntl
import secrets
from pathlib import Path
from typing import IO

from alembic import command
from alembic.config import Config
from sqlalchemy import Engine, create_engine, event, insert, select
from sqlalchemy.engine import make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry

from referee.store.schema import settings

MIGRATIONS = Path(__file__).parent / "migrations"
SECRET = "token-secret"  # noqa: S105 - the name of the setting, not its value


class DatabaseError(RuntimeError):
    """The database cannot be used; the text says why in one sentence."""


def database_url(database: str) -> str:
    """A database as the user names it, a file or a URL, as an SQLAlchemy URL."""
    return database if "://" in database else f"sqlite:///{Path(database).absolute()}"


def open_database(database: str) -> Engine:
    """Open (and create or migrate) the database. Raises DatabaseError."""
    try:
        url = make_url(database_url(database))
        if url.get_backend_name() == "sqlite" and not url.database:
            raise OSError("tables are kept in a file")
        if url.get_backend_name() == "sqlite" and url.database:
            Path(url.database).parent.mkdir(parents=True, exist_ok=True)
        engine = create_engine(url, pool_size=8, max_overflow=64)
        if engine.dialect.name == "sqlite":
            event.listen(engine, "connect", _set_up_sqlite)
        migrate(engine)
    except (ArgumentError, ImportError, OSError, SQLAlchemyError) as error:
        reason = str(getattr(error, "orig", None) or error).splitlines()[0]
        raise DatabaseError(f"The database {database} cannot be opened: {reason}.") from error
    return engine


def _set_up_sqlite(connection: DBAPIConnection, record: ConnectionPoolEntry) -> None:
    cursor = connection.cursor()
    # FULL: a commit is on the disk before it is answered, also in WAL mode.
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=10000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def migrate(engine: Engine) -> None:
    """Bring the database's tables up to date."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connectable"] = engine
    command.upgrade(config, "head")


def token_secret(engine: Engine) -> bytes:
    """The server's secret for deriving tokens, made once a database."""
    with engine.begin() as connection:
        found = connection.execute(
            select(settings.c.value).where(settings.c.name == SECRET)
        ).scalar_one_or_none()
        if found is None:
            found = secrets.token_hex(32)
            connection.execute(insert(settings).values(name=SECRET, value=found))
    return bytes.fromhex(found)


def lock_database(engine: Engine) -> IO[bytes] | None:
    """Make sure that one process alone writes an SQLite file; keep what is returned open.

    Raises DatabaseError when another server has it. Other databases need no such lock.
    """
    if engine.dialect.name != "sqlite" or not engine.url.database:
        return None
    handle = open(f"{engine.url.database}.lock", "ab")  # noqa: SIM115 - held while serving
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        handle.close()
        raise DatabaseError(
            f"Another server is using {engine.url.database}; stop it or choose another database."
        ) from None
    return handle


def check_database(database: str) -> None:
    """Open, migrate and lock the database, and let go of it again. Raises DatabaseError."""
    engine = open_database(database)
    lock = lock_database(engine)
    if lock is not None:
        lock.close()
    engine.dispose()
