"""Reading the tables of a TOML file: a value of the right kind, or one sentence about its key."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any


class ConfigError(ValueError):
    """A configuration that cannot be used; the text names the key and says what is wrong."""


class Fields:
    """One table of the file. Keys that nobody asked for are an error: they are mostly misspelt."""

    def __init__(self, table: Any, name: str = "") -> None:
        self._name = name
        if not isinstance(table, Mapping):
            raise self.wrong("", f"must be a table, not {kind_of(table)}")
        self._table = table
        self._known: list[str] = []

    def wrong(self, key: str, reason: str) -> ConfigError:
        """The error about a key of this table."""
        name = ".".join(part for part in (self._name, key) if part)
        return ConfigError(f"{name or 'the file'} {reason}")

    def text(self, key: str) -> str | None:
        """A text that is not empty; None when it is not there."""
        value: str | None = self._take(key, str, "a text in quotes")
        if value is not None and not value.strip():
            raise self.wrong(key, "is empty")
        return value

    def path(self, key: str, home: Path) -> Path | None:
        """A path, seen from a folder; None when it is not there."""
        text = self.text(key)
        return None if text is None else home / Path(text).expanduser()

    def flag(self, key: str, default: bool) -> bool:
        """Yes or no."""
        value = self._take(key, bool, "true or false")
        return default if value is None else bool(value)

    def table(self, key: str) -> "Fields":
        """A table inside; an empty one when it is not there."""
        return Fields(self._get(key, {}), f"{self._name}.{key}" if self._name else key)

    def tables(self, key: str) -> list["Fields"]:
        """An array of tables."""
        value = self._get(key, [])
        if not isinstance(value, list):
            raise self.wrong(key, f"must be written as [[{key}]], an entry each")
        return [Fields(item, f"{key}[{number}]") for number, item in enumerate(value, 1)]

    def anything(self, key: str) -> Mapping[str, Any]:
        """A table whose keys are somebody else's affair."""
        value = self._get(key, {})
        if not isinstance(value, Mapping):
            raise self.wrong(key, f"must be a table, not {kind_of(value)}")
        return dict(value)

    def finish(self) -> None:
        """Nothing else may be there. Raises ConfigError."""
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
    """What a TOML value is, in words."""
    names = {bool: "true or false", str: "a text", int: "a number", float: "a number"}
    return names.get(type(value), "a list" if isinstance(value, list) else "a table")
