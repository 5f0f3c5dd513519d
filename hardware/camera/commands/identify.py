"""``referee-table identify``: which cards are on a picture."""

import argparse
from collections.abc import Iterator
from typing import Any

from hardware.camera.commands.pictures import (
    NOT_ALL,
    WELL,
    DrawError,
    Read,
    Reader,
    add_picture_flags,
    as_json,
    not_understood,
    others,
    percent,
)
from hardware.camera.recognise import ModelError
from hardware.gateway.commands.output import print_json, say

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
    documents: list[dict[str, Any]] = []
    try:
        reader = Reader(args, "identify")
        for read in reader:
            if args.json:
                documents.append(document(read))
            else:
                for line in lines(read):
                    say(line)
    except (ModelError, DrawError) as error:
        return not_understood("identify", error)
    if args.json:
        documents += [{"file": str(path), "error": why} for path, why in reader.faults]
        print_json(documents)
    return NOT_ALL if reader.faults else WELL


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
