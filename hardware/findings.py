"""What the doctor says: a line each, with what to do about it."""

from dataclasses import asdict, dataclass
from typing import Any, Literal

Level = Literal["ok", "warning", "problem"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One line: what was looked at, how it is, and what to do unless all is well."""

    level: Level
    about: str
    text: str
    advice: str = ""

    def to_json(self) -> dict[str, Any]:
        """It for other programs."""
        return asdict(self)


def ok(about: str, text: str) -> Finding:
    """All is well."""
    return Finding("ok", about, text)


def warning(about: str, text: str, advice: str) -> Finding:
    """It works, but not as it should."""
    return Finding("warning", about, text, advice)


def problem(about: str, text: str, advice: str) -> Finding:
    """It does not work."""
    return Finding("problem", about, text, advice)
