"""``referee-table hand``: list a fan or spread, and count its points."""

import argparse
from collections.abc import Iterator
from typing import Any

from hardware.camera.decks import all_cards
from hardware.camera.reading.hand_order import in_hand_order
from hardware.camera.reading.other_deck import stranger
from hardware.camera.types import Detection
from hardware.commands.camera.pictures import (
    ReadPicture,
    add_picture_flags,
    as_json,
    others,
    report_each,
)

HELP = "read a hand from a picture and count its points"
DESCRIPTION = (
    "Read the cards of a hand, fanned out or spread on the table: list them in "
    "order, with their points."
)
EPILOG = """\
Cards are listed from the left of a fan, and row by row in a spread. Uncertain cards are marked with
"?": check them before writing down the points. Points are those of the deck's own rule sheet; house
rules may differ.

examples:
  referee-table hand --ruleset classic-108 anns-hand.jpg
  referee-table hand --json --draw seen/ hands/

exit status: 0 every card is certain, 1 a picture could not be read or a card is uncertain, 2 usage
error
"""


add_flags = add_picture_flags


def run(args: argparse.Namespace) -> int:
    """Read each hand."""
    return report_each(args, "hand", document, lines, sure)


def document(read: ReadPicture) -> dict[str, Any]:
    """Describe a hand for programs."""
    hand = in_hand_order(read.cards)
    return {
        "file": str(read.path),
        "ms": round(read.ms, 1),
        "hand": [card.best for card in hand],
        "points": points(hand),
        "sure": sure(read),
        "cards": [{**as_json(card), "points": points([card])} for card in hand],
    }


def sure(read: ReadPicture) -> bool:
    """Return whether every card is certain."""
    return all(card.sure for card in read.cards)


def points(hand: list[Detection]) -> int:
    """Add up the points of the cards' likeliest readings."""
    return sum(all_cards()[card.best].points for card in hand if card.best is not None)


def lines(read: ReadPicture) -> Iterator[str]:
    """Describe a hand for people."""
    hand = in_hand_order(read.cards)
    if not hand:
        yield f"{read.path}: no card found"
        return
    count = f"{len(hand)} card{'' if len(hand) == 1 else 's'}"
    doubtful = sum(not card.sure for card in hand)
    rest = f", {doubtful} of them uncertain" if doubtful else ""
    yield f"{read.path}: {count}, {points(hand)} points{rest}"
    for card in hand:
        name = f"{card.best or 'unread'}{'' if card.sure else '?'}"
        else_ = "" if card.sure else others(card)
        foreign = stranger(card)
        if foreign is not None:
            name, else_ = "unread?", f"{foreign}, not of this deck"
        yield f"  {name:22} {points([card]):3}" + (f"  or {else_}" if else_ else "")
