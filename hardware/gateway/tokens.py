"""Tokens: in the configuration, in a file, or in the environment; never printed."""

import re
import stat
import sys
from pathlib import Path

from hardware.gateway.fields import Fields

TOKEN = re.compile(r"[!-~]{1,400}")
TOKEN_VARIABLE = "REFEREE_TABLE_TOKEN"  # noqa: S105 - its name, not a token


def token_of(fields: Fields, home: Path, warnings: list[str]) -> str:
    """Return the token that a table of the configuration gives, or "". Raises ConfigError."""
    text, file = fields.text("token"), fields.path("token_file", home)
    if text is not None and file is not None:
        raise fields.wrong("token_file", "is given beside token; leave one of them out")
    if file is not None:
        warnings += open_to_others(file)
        return read_token(fields, "token_file", file)
    return "" if text is None else check_token(fields, "token", text)


def read_token(fields: Fields, key: str, file: Path) -> str:
    """Read a token from a file. Raises ConfigError."""
    try:
        return check_token(fields, key, file.read_text().strip())
    except OSError as error:
        raise fields.wrong(key, f"names {file}, which cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise fields.wrong(key, f"names {file}, which holds no token") from None


def check_token(fields: Fields, key: str, token: str) -> str:
    """Return the token if it fits into a header. Raises ConfigError."""
    if not TOKEN.fullmatch(token):
        raise fields.wrong(key, "is no token: one word of letters, digits and signs")
    return token


def open_to_others(file: Path) -> list[str]:
    """Warn if anybody but the owner may read a file that holds a token.

    On Windows a mode says nothing about that: there a user's own folders are closed to others.
    """
    if sys.platform == "win32":
        return []
    try:
        mode = stat.S_IMODE(file.stat().st_mode)
    except OSError:
        return []
    if not mode & 0o077:
        return []
    return [f"{file} holds a token and others may read it: chmod 600 {file}"]
