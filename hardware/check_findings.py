"""Findings of the doctor: what was checked, the result, and advice."""

from dataclasses import asdict, dataclass
from typing import Any, Literal

Level = Literal["ok", "warning", "problem"]


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check; ``advice`` says what to do unless the level is "ok".

    ``code`` names it for programs that have words of their own; empty for most.
    """

    level: Level
    about: str
    text: str
    advice: str = ""
    code: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the finding as JSON."""
        fields = asdict(self)
        return fields if self.code else {key: fields[key] for key in fields if key != "code"}


def ok(about: str, text: str) -> Finding:
    """Report that all is well."""
    return Finding("ok", about, text)


def warning(about: str, text: str, advice: str, code: str = "") -> Finding:
    """Report what works, but not as it should."""
    return Finding("warning", about, text, advice, code)


def problem(about: str, text: str, advice: str, code: str = "") -> Finding:
    """Report what does not work."""
    return Finding("problem", about, text, advice, code)
