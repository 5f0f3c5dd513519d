"""``referee-table identify``: which cards are on a picture."""

import argparse
from collections.abc import Iterator
from typing import Any

from hardware.camera.types import percent
from hardware.commands.camera.pictures import (
    Read,
    add_picture_flags,
    as_json,
    others,
    tell_each,
)

EPILOG = """\
A card that is not sure is marked with "?", and what else it may be stands behind it. Nothing leaves
this computer.

examples:
  referee-table identify pile.jpg
  referee-table identify --ruleset power-grab --draw seen.jpg pile.jpg
  referee-table identify --draw seen/ photos/           all of a folder; seen/ shows what was found

exit status: 0 every picture was looked at, 1 one could not be, 2 it was not understood
"""


def add_parser(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "identify",
        help="read the cards on a picture",
        description="Find the cards on pictures and read them: each with its probability, what "
        "else it may be, and with --json its corners.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_picture_flags(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Look at each picture."""
    return tell_each(args, "identify", document, lines)


def document(read: Read) -> dict[str, Any]:
    """A picture for programs."""
    cards = [as_json(one) for one in read.found]
    return {"file": str(read.path), "ms": round(read.ms, 1), "cards": cards}


def lines(read: Read) -> Iterator[str]:
    """What was found, for people."""
    if not read.found:
        yield f"{read.path}: no card found"
    for one in read.found:
        if one.best is None:
            yield f"{read.path}: a card that cannot be read"
            continue
        name = f"{one.best} {percent(one.probabilities[one.best])}"
        else_ = others(one)
        if one.sure:
            yield f"{read.path}: {name}"
        else:
            yield f"{read.path}: {name}?" + (f" (or {else_})" if else_ else "")
