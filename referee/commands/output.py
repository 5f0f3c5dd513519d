"""Print text, JSON and error messages, without control characters."""

import json
import sys
from collections.abc import Iterable
from typing import Any

from rich.console import Console

from referee.rules.notation import event_to_text
from referee.rules.position import events as ev

PIPE_WIDTH = 140
# Events that the move implies, or that nobody at the table needs.
IMPLIED = (
    *(ev.Ruled, ev.RoundOpened, ev.Played, ev.Flipped, ev.Gave, ev.Revealed),
    *(ev.Laid, ev.Acted, ev.Claimed, ev.EffectsQueued),
)


class Output(Console):
    """A console that raises when its pipe is closed."""

    def on_broken_pipe(self) -> None:
        """Raise BrokenPipeError, which ``main`` handles."""
        raise BrokenPipeError


def console() -> Console:
    """Return the console of a command, which prints text without markup or emoji codes."""
    width = None if sys.stdout.isatty() else PIPE_WIDTH
    return Output(file=sys.stdout, width=width, markup=False, emoji=False, highlight=False)


def complain(command: str, message: str) -> None:
    """Print an error message to stderr."""
    print(f"referee {command}: {printable(message)}", file=sys.stderr)  # noqa: T201


def print_json(value: Any) -> None:
    """Print a JSON document."""
    print(json.dumps(value, ensure_ascii=False, indent=2))  # noqa: T201


def printable(text: str) -> str:
    """Escape everything in the text that is not printable."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def what_followed(events: Iterable[ev.Event]) -> list[str]:
    """Return the consequences of a move, one line each."""
    return [event_to_text(event) for event in events if not isinstance(event, IMPLIED)]
