"""Enrols faces from a folder of pictures, each named by its card."""

import argparse
import re
from pathlib import Path

from hardware.camera.enrol.capture import FaceCapturer, NotTakenError
from hardware.camera.enrol.deckfile import DeckFileError, save_deck
from hardware.camera.enrol.enrolment import Enrolment
from hardware.camera.source import SourceError, read_picture
from hardware.camera.source.files import pictures_in
from hardware.commands.camera.enroll_share import summary
from hardware.commands.output import complain

NOT_ALL = 1
# red-7.jpg; for further faces of the card, red-7.2.jpg or "red-7 (2).jpg"
_NAME = re.compile(r"(?P<card>[^.() ]+?)(?:\.(?P<dot>[0-9]+)| ?\((?P<bracket>[0-9]+)\))?")


def take_photos(
    args: argparse.Namespace,
    cards: list[str],
    camera: FaceCapturer,
    enrolment: Enrolment,
    file: Path,
) -> int:
    """Enrol the cards on the pictures. Raises SourceError, DeckFileError."""
    named = photos_of(args.photos, cards)
    if not named:
        raise DeckFileError(
            f"{args.photos} contains no picture named by a card, such as {cards[0]}.jpg"
        )
    refused = False
    for card, paths in named.items():
        if card in enrolment.deck.cards and not args.redo:
            continue
        further = False
        for path in paths:
            try:
                capture = camera.capture(read_picture(path))
            except (NotTakenError, SourceError) as error:
                complain(
                    "enroll", f"{path.name}: {error}" if path.name not in str(error) else str(error)
                )
                refused = True
                continue
            enrolment.add(card, capture, further=further)
            further = True
    if enrolment.deck.faces:
        save_deck(file, enrolment.deck, pictures=args.keep_pictures)
    status = summary(file, enrolment, cards)
    return NOT_ALL if refused else status


def photos_of(folder: Path, cards: list[str]) -> dict[str, list[Path]]:
    """Return a folder's pictures by card, further faces after the first. Raises SourceError.

    Characters that some file systems forbid may be written ``_``: ``red-7_U.jpg``.
    """
    spelt = {re.sub(r"[^a-z0-9!-]", "_", card.lower()): card for card in cards}
    found: dict[str, list[tuple[int, Path]]] = {}
    for path in pictures_in(folder):
        name = _NAME.fullmatch(path.stem)
        card = name and spelt.get(re.sub(r"[^a-z0-9!-]", "_", name["card"].lower()))
        if name and card:
            number = int(name["dot"] or name["bracket"] or 1)
            found.setdefault(card, []).append((number, path))
    return {card: [path for _, path in sorted(found[card])] for card in cards if card in found}
