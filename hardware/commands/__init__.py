"""The commands of ``referee-table``.

The module of a command has ``HELP``, ``DESCRIPTION`` and mostly an ``EPILOG``; ``add_flags``, which
takes its parser; and ``run``, which takes the arguments and returns the exit status or
raises CommandError.
"""

from collections.abc import Iterator
from contextlib import contextmanager


class CommandError(Exception):
    """Ends a command with an exit status; the text says why, in one sentence."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


@contextmanager
def exits(status: int, *errors: type[Exception]) -> Iterator[None]:
    """Let these errors, whose texts are sentences for people, end the command with a status."""
    try:
        yield
    except errors as error:
        raise CommandError(status, str(error)) from None


def printable(text: str) -> str:
    """Escape everything that cannot be printed."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
