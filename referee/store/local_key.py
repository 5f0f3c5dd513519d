"""The key with which commands on the server's own machine speak to it.

Only one process writes an SQLite file, so what an operator does while a server runs goes through
that server. It writes its address, and a key made for this run, into a file beside the database,
which only its own user can read: whoever can read the file can read the database as well.
"""

import json
import os
import secrets
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class LocalKey:
    """A running server's key; ``url``: where this machine reaches it, ``phones``: where others do.

    Either is None if the server does not know.
    """

    url: str | None = None
    phones: str | None = None
    key: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)


def key_file(database: Path) -> Path:
    """Return where a database's server writes its key."""
    return Path(f"{database}.operator")


def write_local_key(database: Path, key: LocalKey) -> None:
    """Write the key of the server that holds the lock. Raises OSError."""
    path = key_file(database)
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    with suppress(FileNotFoundError):
        fresh.unlink()
    with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        json.dump(asdict(key), file)
    fresh.replace(path)


def remove_local_key(database: Path) -> None:
    """Remove the key of the server that holds the lock, and stops."""
    with suppress(OSError):
        key_file(database).unlink()


def read_local_key(database: Path) -> LocalKey | None:
    """Return the key of the server that uses the database; None if it left none for this user."""
    try:
        return LocalKey(**json.loads(key_file(database).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
