"""``referee-table identify``: read the cards on pictures."""

import argparse
from collections.abc import Iterator
from typing import Any

from hardware.camera.reading.other_deck import stranger
from hardware.camera.types import percent
from hardware.commands.camera.pictures import (
    ReadPicture,
    add_picture_flags,
    as_json,
    others,
    report_each,
)

HELP = "read the cards on a picture"
DESCRIPTION = (
    "Find and read the cards on pictures: each with its probability, alternatives, "
    "and with --json its corners."
)
EPILOG = """\
Uncertain cards are marked with "?" and followed by the alternatives. Nothing leaves this computer.

examples:
  referee-table identify pile.jpg
  referee-table identify --ruleset power-grab --draw seen.jpg pile.jpg
  referee-table identify --draw seen/ photos/           a whole folder; seen/ shows the result

exit status: 0 every picture was read, 1 one could not be read, 2 usage error
"""


add_flags = add_picture_flags


def run(args: argparse.Namespace) -> int:
    """Read each picture."""
    return report_each(args, "identify", document, lines)


def document(read: ReadPicture) -> dict[str, Any]:
    """Describe a picture for programs."""
    cards = [as_json(card) for card in read.cards]
    return {"file": str(read.path), "ms": round(read.ms, 1), "cards": cards}


def lines(read: ReadPicture) -> Iterator[str]:
    """Describe a picture for people."""
    if not read.cards:
        yield f"{read.path}: no card found"
    for card in read.cards:
        foreign = stranger(card)
        if foreign is not None:
            yield f"{read.path}: {foreign} {percent(card.strange[foreign])}, not of this deck"
            continue
        if card.best is None:
            yield f"{read.path}: a card that cannot be read"
            continue
        name = f"{card.best} {percent(card.probabilities[card.best])}"
        else_ = others(card)
        if card.sure:
            yield f"{read.path}: {name}"
        else:
            yield f"{read.path}: {name}?" + (f" (or {else_})" if else_ else "")
