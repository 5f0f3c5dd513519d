"""Printing: plain text to the reader, complaints to stderr, nothing that steers a terminal."""

import json
import sys
from collections.abc import Iterable
from typing import Any

from rich.console import Console

from referee.rules import events as ev
from referee.rules.notation import event_to_text

PIPE_WIDTH = 140
# Said by the move itself, or of no interest at the table.
UNSAID = (
    *(ev.Ruled, ev.RoundOpened, ev.Played, ev.Flipped, ev.Gave, ev.Revealed),
    *(ev.Laid, ev.Acted, ev.Claimed, ev.EffectsQueued),
)


class Output(Console):
    """A console that leaves it to the command line what a closed pipe means."""

    def on_broken_pipe(self) -> None:
        """Whoever was reading has gone."""
        raise BrokenPipeError


def console() -> Console:
    """Where a command prints. Text is taken as it is: no markup, no emoji codes."""
    width = None if sys.stdout.isatty() else PIPE_WIDTH
    return Output(file=sys.stdout, width=width, markup=False, emoji=False, highlight=False)


def complain(command: str, message: str) -> None:
    """One readable sentence on stderr."""
    print(f"referee {command}: {printable(message)}", file=sys.stderr)  # noqa: T201


def print_json(value: Any) -> None:
    """A document for other programs."""
    print(json.dumps(value, ensure_ascii=False, indent=2))  # noqa: T201


def printable(text: str) -> str:
    """The text with everything that is no letter, sign or space written as an escape."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def what_followed(events: Iterable[ev.Event]) -> list[str]:
    """What a move brought beside the move itself, a line each."""
    return [event_to_text(event) for event in events if not isinstance(event, UNSAID)]
