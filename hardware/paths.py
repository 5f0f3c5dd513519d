"""File locations of the table's programs, and private, atomic writes."""

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import platformdirs

NAME = "referee-table"
SYSTEM_FILE = Path("/etc/referee-table/table.toml")


def default_file(environ: Mapping[str, str]) -> Path:
    """Return the default configuration file: the user's, or else the machine's."""
    folder = _own_folder(environ, "XDG_CONFIG_HOME", ".config", platformdirs.user_config_path)
    own = folder / "table.toml"
    # Not own.exists(): that raises where a home is closed, as a systemd service's is.
    return SYSTEM_FILE if SYSTEM_FILE.exists() and not os.path.exists(own) else own


def state_folder(environ: Mapping[str, str]) -> Path:
    """Return the folder of what the gateway keeps, unless the configuration names another."""
    return _own_folder(environ, "XDG_STATE_HOME", ".local/state", platformdirs.user_state_path)


def _own_folder(
    environ: Mapping[str, str], variable: str, fallback: str, usual: Callable[..., Path]
) -> Path:
    """Return our folder where this system has such folders; one that is there is kept."""
    folder = xdg_folder(environ, variable, fallback) / NAME
    if environ.get(variable) or sys.platform.startswith("linux") or folder.exists():
        return folder
    return usual(NAME, appauthor=False)


def xdg_folder(environ: Mapping[str, str], variable: str, fallback: str) -> Path:
    """Return the folder of an XDG variable, or ``fallback`` below the home folder."""
    given = environ.get(variable, "")
    return Path(given) if os.path.isabs(given) else Path.home() / fallback


def write_whole(file: Path, data: bytes) -> None:
    """Write the file whole or not at all. Raises OSError."""
    beside = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        beside.write_bytes(data)
        beside.replace(file)
    finally:
        beside.unlink(missing_ok=True)


def write_private(file: Path, text: str) -> None:
    """Write the file whole or not at all, readable by its owner only. Raises OSError."""
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    target = file.resolve()
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            if hasattr(os, "geteuid") and os.geteuid() == 0 and target.exists():
                # Pairing with sudo must not take the file from the account the gateway runs as.
                owner = target.stat()
                os.fchown(out.fileno(), owner.st_uid, owner.st_gid)
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        beside.replace(target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
