"""The files of an SQLite store are for the server's own user alone.

They hold hands that were shown, hashes of tokens, and the secret that tokens are derived from.
"""

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

OWNER_ONLY = 0o600
# The folder of a store that is restored elsewhere.
FOLDER = 0o700
OTHERS = stat.S_IRWXG | stat.S_IRWXO
BESIDE = ("", "-wal", "-shm", "-journal", ".lock", ".operator")


def check_permission(file: Path) -> None:
    """Check that this user may write to a file, if there is one, and beside it. Raises OSError."""
    if file.parent.is_dir() and not os.access(file.parent, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, f"this user may not write in {file.parent}")
    if file.exists() and not os.access(file, os.R_OK | os.W_OK):
        raise PermissionError(errno.EACCES, "this user may not write to it")


def create(file: Path) -> None:
    """Create an empty file unless it exists. Raises OSError."""
    if not file.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, f"there is no folder {file.parent}")
    os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, OWNER_ONLY))


def tighten(database: Path) -> Iterator[tuple[str, str]]:
    """Take a store's files away from other users.

    Yields what was done, or has to be done, and to which file.
    """
    for suffix in BESIDE:
        file = Path(f"{database}{suffix}")
        try:
            mode = stat.S_IMODE(file.stat().st_mode)
            if mode & OTHERS:
                file.chmod(mode & ~OTHERS)
                yield "file made private", file.name
        except FileNotFoundError:
            continue
        except OSError:
            yield "file can be read by others", file.name
    mode = database.parent.stat().st_mode
    if mode & stat.S_IWOTH and not mode & stat.S_ISVTX:
        yield "others may replace the database: its folder is open to all", database.parent.name
