"""Enrols faces from photos, and lists, exports and imports enrolled decks."""

import argparse
import re
from collections.abc import Mapping
from pathlib import Path

from hardware.camera.enrol.capture import FaceCapturer, NotTakenError
from hardware.camera.enrol.deckfile import (
    DeckFileError,
    EnrolledDeck,
    faces_file,
    load_deck,
    save_deck,
)
from hardware.camera.enrol.enrolment import Enrolment, redescribe, shorten, wanted_cards
from hardware.camera.enrol.matcher import Matcher
from hardware.camera.source import SourceError, read_picture
from hardware.camera.source.files import pictures_in
from hardware.commands.output import complain, say

WELL, NOT_ALL = 0, 1
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
    photos: dict[str, list[tuple[int, Path]]] = {}
    for path in pictures_in(folder):
        name = _NAME.fullmatch(path.stem)
        card = name and spelt.get(re.sub(r"[^a-z0-9!-]", "_", name["card"].lower()))
        if name and card:
            number = int(name["dot"] or name["bracket"] or 1)
            photos.setdefault(card, []).append((number, path))
    return {card: [path for _, path in sorted(photos[card])] for card in cards if card in photos}


def give(args: argparse.Namespace, environ: Mapping[str, str]) -> int:
    """Export the faces to a file. Raises DeckFileError."""
    if args.out is None:
        raise DeckFileError("-o FILE is needed: the file to write")
    file = faces_file(environ, args.ruleset)
    deck = load_deck(file)
    save_deck(args.out, deck, pictures=args.keep_pictures)
    held = "with their pictures" if args.keep_pictures else "without pictures"
    say(f"{args.out}: {len(deck.cards)} faces of {deck.ruleset}, {held}")
    return WELL


def take_in(args: argparse.Namespace, environ: Mapping[str, str]) -> int:
    """Import a file of faces. Raises DeckFileError."""
    if args.file is None:
        raise DeckFileError("import needs a FILE")
    deck = load_deck(args.file)
    if args.ruleset not in (None, deck.ruleset):
        raise DeckFileError(f"{args.file} contains faces of {deck.ruleset}, not of {args.ruleset}")
    file = args.out or faces_file(environ, deck.ruleset)
    if file.exists() and not args.replace:
        raise DeckFileError(
            f"{file} already contains faces of {deck.ruleset}; --replace overwrites them"
        )
    # Rewrite it instead of copying, which drops anything else in the file.
    save_deck(file, deck, pictures=True)
    say(f"{file}: {len(deck.cards)} faces of {deck.ruleset}")
    return WELL


def report(args: argparse.Namespace, environ: Mapping[str, str], matcher: Matcher) -> int:
    """List enrolled, missing and similar faces. Raises DeckFileError."""
    cards = wanted_cards(args.ruleset, args.only)
    file = args.out or faces_file(environ, args.ruleset)
    return summary(file, Enrolment(begun(file, args.ruleset, matcher), matcher), cards)


def begun(file: Path, ruleset: str, matcher: Matcher) -> EnrolledDeck:
    """Load a deck, described by these networks. Raises DeckFileError."""
    deck = load_deck(file)
    if deck.ruleset != ruleset:
        raise DeckFileError(f"{file} contains faces of {deck.ruleset}; name another file with -o")
    try:
        return redescribe(deck, matcher)
    except DeckFileError as error:
        raise DeckFileError(f"{file} {error}, into another file (-o)") from None


def summary(file: Path, enrolment: Enrolment, cards: list[str]) -> int:
    """Print enrolled, missing and similar faces; return the exit status."""
    deck = enrolment.deck
    missing = deck.missing(cards)
    say(f"{file}: {len(cards) - len(missing)} of {len(cards)} faces of {deck.ruleset} are enrolled")
    if missing:
        say(f"missing: {shorten(missing)}")
    once = enrolment.shown_once()
    for pair in enrolment.lookalikes():
        again = [card for card in (pair.card, pair.other) if card in once]
        if again:
            say(f"{pair}: show {' and '.join(again)} once more, near and in even light")
        else:
            say(f"{pair}: often it will ask which of them it sees")
    return NOT_ALL if missing else WELL
