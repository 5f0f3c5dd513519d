"""``referee-table identify``: which cards are on a picture."""

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import cv2

from hardware.camera.cards import Found, Picture
from hardware.camera.commands.recogniser import add_deck_flags, recogniser_of
from hardware.camera.picture import annotated
from hardware.camera.source import SourceError, read_picture
from hardware.gateway.commands.output import complain, print_json, say

EPILOG = """\
examples:
  referee-table identify pile.jpg
  referee-table identify --deck power-grab --draw seen table/*.jpg     seen/… shows what was found

exit status: 0 every picture was looked at, 1 one could not be, 2 it was not understood
"""


def add_parser(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "identify",
        help="read the cards on a picture",
        description="Find the cards on pictures and read them: each with its probability, what "
        "else it may be, and its corners. Nothing leaves this computer.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="JPEG, PNG, WebP …")
    add_deck_flags(parser)
    parser.add_argument("--json", action="store_true", help="for programs, corners included")
    parser.add_argument("--draw", type=Path, metavar="DIR", help="save annotated pictures there")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Look at each picture."""
    recogniser = recogniser_of(args, "identify")
    if recogniser is None:
        return 2
    status, documents = 0, []
    for path in args.files:
        try:
            picture = read_picture(path)
        except SourceError as error:
            complain("identify", str(error))
            status = 1
            continue
        found = recogniser.recognise(picture)
        if args.draw:
            save_annotated(picture, found, args.draw, path)
        if args.json:
            documents.append({"file": str(path), "cards": [as_json(one) for one in found]})
        else:
            for line in lines(path, found):
                say(line)
    if args.json:
        print_json(documents)
    return status


def as_json(one: Found) -> dict[str, Any]:
    """A card for programs."""
    return {
        "card": one.best,
        "sure": one.sure,
        "probabilities": {card: round(chance, 4) for card, chance in one.probabilities.items()},
        "corners": [[round(float(v), 1) for v in corner] for corner in one.corners],
    }


def lines(path: Path, found: list[Found]) -> Iterable[str]:
    """What was found, for people."""
    if not found:
        yield f"{path}: no card found"
    for one in found:
        (card, chance), *others = one.probabilities.items() or [("a card, unread", 0.0)]
        mark = "" if one.sure else "?"
        rest = ", ".join(f"{other} {share:.0%}" for other, share in others[:3])
        yield f"{path}: {card}{mark} {chance:.0%}" + (f" (or {rest})" if rest else "")


def save_annotated(picture: Picture, found: list[Found], folder: Path, path: Path) -> None:
    """Save the picture with what was found drawn in."""
    folder.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(folder / f"{path.stem}.jpg"), annotated(picture, found))
