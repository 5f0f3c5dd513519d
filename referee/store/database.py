"""Open the database: connection settings, migrations and SQLite's single-process lock."""

import fcntl
import os
import re
import secrets
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO

from sqlalchemy import Engine, create_engine, event, insert, select
from sqlalchemy.engine import URL, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, IntegrityError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import DatabaseError as SQLAlchemyDatabaseError
from sqlalchemy.pool import ConnectionPoolEntry

from referee.store import private_files
from referee.store.migration import OURS, ForeignError, NewerError, migrate
from referee.store.postgres.connection import check_server, postgres_engine, with_driver
from referee.store.schema import settings

# A URL's scheme; a drive's letter is none.
SCHEME = re.compile(r"\s*[a-z][a-z0-9+.-]+:|.*://", re.IGNORECASE)
SCHEMES = re.compile(r"(sqlite|postgres|postgresql)(\+[a-z0-9_]+)?://")
# What PostgreSQL's own tools take: "host=db user=ann password=…".
KEYWORDS = re.compile(
    r"(^|\s)(host|hostaddr|port|dbname|user|password|passfile|service|sslmode)\s*=", re.IGNORECASE
)
SECRET = "token-secret"  # noqa: S105 - a setting's name, not its value


class DatabaseError(RuntimeError):
    """The database cannot be used; the message is one sentence for the user."""


class LockedError(DatabaseError):
    """Another server is using the database."""


def database_url(database: str) -> URL:
    """Return the URL of a database given as a file or a URL.

    Raises ArgumentError, and DatabaseError for what is neither.
    """
    is_url = SCHEMES.match(database) is not None
    if not is_url and (SCHEME.match(database) or KEYWORDS.search(database)):
        # It may hold a password, so none of it is told.
        raise DatabaseError(
            "The database cannot be opened: name an SQLite file, or a URL that begins with "
            "postgresql:// or sqlite:///."
        )
    path = f"sqlite:///{Path(database).absolute()}"
    return with_driver(make_url(database if is_url else path))


def is_shared(database: str) -> bool:
    """Return whether several processes may serve this database. Raises DatabaseError."""
    try:
        return database_url(database).get_backend_name() == "postgresql"
    except ArgumentError:
        raise _cannot_open(database, "not a database URL") from None


def private_folder(database: str, name: str, environ: Mapping[str, str]) -> Path:
    """Return where a server of this database keeps files of its own, beside an SQLite file.

    The folder may not be there yet. Raises DatabaseError.
    """
    url = database_url(database)
    if url.get_backend_name() == "sqlite" and url.database:
        return Path(f"{url.database}.{name}")
    state = environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "referee" / name


def open_database(database: str, create: bool = True) -> Engine:
    """Open the database, migrating it if needed. Raises DatabaseError.

    ``create``: make an SQLite file that is not there.
    """
    try:
        url = database_url(database)
        if url.get_backend_name() == "postgresql":
            engine = postgres_engine(url)
            check_server(engine)
        else:
            engine = _sqlite_engine(url, create)
        migrate(engine)
    except NewerError:
        raise _cannot_open(
            database,
            "a newer version of the referee has written it, or one from before the first release; "
            "use that one, or another database",
        ) from None
    except ForeignError:
        raise _cannot_open(
            database,
            "another program has written it; --database, or REFEREE_DATABASE, names another place",
        ) from None
    except (ArgumentError, ImportError, OSError, SQLAlchemyError, sqlite3.Error) as error:
        if is_damage(error):
            raise damaged(database, _reason(error)) from error
        if isinstance(error, OSError) and error.strerror and "://" not in database:
            raise DatabaseError(_no_file(database, error)) from None
        raise _cannot_open(database, _reason(error)) from error
    return engine


@contextmanager
def using(database: str) -> Iterator[None]:
    """Raise DatabaseError where a database that was opened turns out to be damaged or gone."""
    try:
        yield
    except SQLAlchemyDatabaseError as error:
        if type(error) not in (SQLAlchemyDatabaseError, OperationalError):
            raise
        if is_damage(error):
            raise damaged(database, _reason(error)) from error
        raise _cannot_open(database, _reason(error)) from error


def is_damage(error: BaseException) -> bool:
    """Return whether SQLite reads the file, and finds it damaged."""
    code = getattr(getattr(error, "orig", error), "sqlite_errorcode", 0)
    # The lowest byte of what may be an extended code.
    return code & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def damaged(file: object, reason: str) -> DatabaseError:
    """Return the error for a damaged SQLite file, or copy of one."""
    return DatabaseError(
        f"{file} is damaged ({reason}): 'referee admin restore' brings a copy back; without one, "
        "move the database away with the files beside it, and the next start makes a new one."
    )


def _reason(error: Exception) -> str:
    return str(getattr(error, "orig", None) or error).splitlines()[0].rstrip(".")


def _no_file(name: str, error: OSError) -> str:
    return (
        f"The database's file {name} cannot be opened: {error.strerror}; "
        "--database, or REFEREE_DATABASE, names another place."
    )


def _cannot_open(database: str, reason: str) -> DatabaseError:
    # The URL may contain a password, also one whose characters are not escaped as they should be.
    named = re.sub(r"(://[^:@/]*):.*@", r"\1:…@", database)
    named = re.sub(r"(password=)[^&]*", r"\1…", named, flags=re.IGNORECASE)
    reason = re.sub(r"[^\s'\"]*@", "…@", reason) if "://" in database else reason
    return DatabaseError(f"The database {named} cannot be opened: {reason}.")


def _sqlite_engine(url: URL, create: bool) -> Engine:
    if url.get_backend_name() != "sqlite":
        raise OSError("only SQLite and PostgreSQL are supported")
    if not url.database:
        raise OSError("SQLite needs a file")
    path = Path(url.database).absolute()
    private_files.check_permission(path)
    if path.is_file() and path.stat().st_size:
        check_writer(path)
    elif create:
        private_files.create(path)
    else:
        there = "it is a folder" if path.is_dir() else "nothing was written to it yet"
        raise OSError(there if path.exists() else "there is no such file")

    def connect() -> sqlite3.Connection:
        # mode=rw: without it SQLite would silently recreate a file deleted under a running server.
        return sqlite3.connect(f"{path.as_uri()}?mode=rw", uri=True, check_same_thread=False)

    # hide_parameters: a failed statement can carry hands, names and hashes, which no log may show.
    engine = create_engine(url, creator=connect, pool_size=8, max_overflow=64, hide_parameters=True)
    event.listen(engine, "connect", _set_up_sqlite)
    return engine


def check_writer(path: Path) -> None:
    """Raise ForeignError for another program's file, without changing anything about it."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        query = "SELECT name FROM sqlite_master WHERE type = 'table'"
        names = {name for (name,) in connection.execute(query)}
    if names and not names >= OURS:
        raise ForeignError


def _set_up_sqlite(connection: DBAPIConnection, record: ConnectionPoolEntry) -> None:
    cursor = connection.cursor()
    # FULL: in WAL mode too, a commit is on disk before it is answered.
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=10000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def token_secret(engine: Engine) -> bytes:
    """Return the secret that tokens are derived from, creating it in a new database."""
    query = select(settings.c.value).where(settings.c.name == SECRET)
    while True:
        try:
            with engine.begin() as connection:
                secret = connection.execute(query).scalar_one_or_none()
                if secret is None:
                    secret = secrets.token_hex(32)
                    connection.execute(insert(settings).values(name=SECRET, value=secret))
        except IntegrityError:  # another process has just created it
            continue
        return bytes.fromhex(secret)


def lock_database(engine: Engine) -> IO[bytes] | None:
    """Lock an SQLite file against other servers for as long as the returned handle stays open.

    Returns None for other databases, which need no lock. Raises LockedError.
    """
    if engine.dialect.name != "sqlite" or not engine.url.database:
        return None
    return lock_file(Path(engine.url.database))


def lock_file(database: Path) -> IO[bytes]:
    """Lock an SQLite file until the returned handle is closed. Raises DatabaseError."""
    # Whoever could open the file could hold its lock.
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        descriptor = os.open(f"{database}.lock", flags, private_files.OWNER_ONLY)
    except OSError as error:
        raise DatabaseError(_no_file(f"{database}.lock", error)) from None
    handle = os.fdopen(descriptor, "r+b")
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        handle.close()
        raise LockedError(
            f"Another server is using {database}; stop it or choose another database."
        ) from None
    return handle


def check_database(database: str) -> None:
    """Open, migrate and lock the database, then release it. Raises DatabaseError."""
    engine = open_database(database)
    lock = lock_database(engine)
    if lock is not None:
        lock.close()
    engine.dispose()
