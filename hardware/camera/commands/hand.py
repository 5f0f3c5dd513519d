"""``referee-table hand``: a fan or a spread as a list, and its points."""

import argparse
from pathlib import Path
from typing import Any

from hardware.camera.cards import Found
from hardware.camera.commands.identify import as_json, save_annotated
from hardware.camera.commands.recogniser import add_deck_flags, recogniser_of
from hardware.camera.deck import points_of
from hardware.camera.source import SourceError, read_picture
from hardware.gateway.commands.output import complain, print_json, say

EPILOG = """\
Cards that are not sure are marked with "?"; look at them before the points are written down.
Points are the sheets' usual ones; a house rule may count a card otherwise.

examples:
  referee-table hand --deck classic-108 anns-hand.jpg
  referee-table hand --json *.jpg

exit status: 0 every card is sure, 1 a picture could not be read or a card is not sure, 2 flags
"""


def add_parser(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "hand",
        help="read a hand from a picture, and count it",
        description="Read the cards of a hand that is fanned out or spread on the table: the list, "
        "how many they are, and what they count.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="JPEG, PNG, WebP …")
    add_deck_flags(parser)
    parser.add_argument("--json", action="store_true", help="for programs")
    parser.add_argument("--draw", type=Path, metavar="DIR", help="save annotated pictures there")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Read each hand."""
    recogniser = recogniser_of(args, "hand")
    if recogniser is None:
        return 2
    status, documents = 0, []
    for path in args.files:
        try:
            picture = read_picture(path)
        except SourceError as error:
            complain("hand", str(error))
            status = 1
            continue
        found = recogniser.recognise(picture)
        if args.draw:
            save_annotated(picture, found, args.draw, path)
        if not all(one.sure for one in found):
            status = 1
        if args.json:
            documents.append(
                {
                    "file": str(path),
                    "hand": [one.best for one in found],
                    "points": points(found),
                    "sure": all(one.sure for one in found),
                    "cards": [as_json(one) for one in found],
                }
            )
        else:
            say(line(path, found))
    if args.json:
        print_json(documents)
    return status


def points(found: list[Found]) -> int:
    """What the cards count, the likeliest reading of each."""
    return sum(points_of(one.best) for one in found if one.best is not None)


def line(path: Path, found: list[Found]) -> str:
    """A hand for people."""
    cards = [f"{one.best or ''}{'' if one.sure else '?'}" for one in found]
    if not cards:
        return f"{path}: no card found"
    count = f"{len(cards)} card{'' if len(cards) == 1 else 's'}"
    return f"{path}: {count}, {points(found)} points: {' '.join(sorted(cards))}"
