"""Read the tables of a TOML file: typed values and tokens, or one sentence about a wrong key."""

import re
import stat
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any


class ConfigError(ValueError):
    """The configuration cannot be used; the text names the key and says why."""


class Fields:
    """One table of the file. Unknown keys are an error: most are misspelt."""

    def __init__(self, table: Any, name: str = "") -> None:
        self._name = name
        if not isinstance(table, Mapping):
            raise self.wrong("", f"must be a table, not {kind_of(table)}")
        self._table = table
        self._known: list[str] = []

    def wrong(self, key: str, reason: str) -> ConfigError:
        """Return the error about a key of this table."""
        name = ".".join(part for part in (self._name, key) if part)
        return ConfigError(f"{name or 'the file'} {reason}")

    def text(self, key: str) -> str | None:
        """Return a non-empty text; None if missing."""
        value: str | None = self._take(key, str, "a text in quotes")
        if value is not None and not value.strip():
            raise self.wrong(key, "is empty")
        return value

    def path(self, key: str, home: Path) -> Path | None:
        """Return a path, relative to a folder; None if missing."""
        text = self.text(key)
        return None if text is None else home / Path(text).expanduser()

    def flag(self, key: str, default: bool) -> bool:
        """Return true or false."""
        value = self._take(key, bool, "true or false")
        return default if value is None else bool(value)

    def table(self, key: str) -> "Fields":
        """Return a nested table; an empty one if missing."""
        return Fields(self._get(key, {}), f"{self._name}.{key}" if self._name else key)

    def tables(self, key: str) -> list["Fields"]:
        """Return an array of tables."""
        value = self._get(key, [])
        if not isinstance(value, list):
            raise self.wrong(key, f"must be written as [[{key}]], an entry each")
        return [Fields(item, f"{key}[{number}]") for number, item in enumerate(value, 1)]

    def anything(self, key: str) -> Mapping[str, Any]:
        """Return a table whose keys are checked elsewhere."""
        value = self._get(key, {})
        if not isinstance(value, Mapping):
            raise self.wrong(key, f"must be a table, not {kind_of(value)}")
        return dict(value)

    def finish(self) -> None:
        """Raise ConfigError if a key is left that was not read."""
        for key in self._table:
            if key not in self._known:
                raise self.wrong(key, f"is not known here; there are {', '.join(self._known)}")

    def _get(self, key: str, default: Any) -> Any:
        self._known.append(key)
        return self._table.get(key, default)

    def _take(self, key: str, kind: type, should: str) -> Any:
        value = self._get(key, None)
        if value is not None and not isinstance(value, kind):
            raise self.wrong(key, f"must be {should}, not {kind_of(value)}")
        return value


def kind_of(value: Any) -> str:
    """Name the type of a TOML value."""
    names = {bool: "true or false", str: "a text", int: "a number", float: "a number"}
    return names.get(type(value), "a list" if isinstance(value, list) else "a table")


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
