"""Findings of the doctor: what was checked, the result, and advice."""

from dataclasses import asdict, dataclass
from typing import Any, Literal

Level = Literal["ok", "warning", "problem"]


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check; ``advice`` says what to do unless the level is "ok"."""

    level: Level
    about: str
    text: str
    advice: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the finding as JSON."""
        return asdict(self)


def ok(about: str, text: str) -> Finding:
    """Report that all is well."""
    return Finding("ok", about, text)


def warning(about: str, text: str, advice: str) -> Finding:
    """Report what works, but not as it should."""
    return Finding("warning", about, text, advice)


def problem(about: str, text: str, advice: str) -> Finding:
    """Report what does not work."""
    return Finding("problem", about, text, advice)
