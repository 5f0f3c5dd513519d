"""What there is of an enrolled deck, and handing it on as one file."""

import argparse
from collections.abc import Mapping
from pathlib import Path

from hardware.camera.enrol.deckfile import (
    DeckFileError,
    EnrolledDeck,
    faces_file,
    load_deck,
    save_deck,
)
from hardware.camera.enrol.enrolment import Enrolment, redescribe, shorten, wanted_cards
from hardware.camera.enrol.matcher import Matcher
from hardware.commands.output import say

WELL, NOT_ALL = 0, 1


def give(args: argparse.Namespace, environ: Mapping[str, str]) -> int:
    """Write the faces to a file of one's own. Raises DeckFileError."""
    if args.out is None:
        raise DeckFileError("-o FILE is needed: where to write the faces to")
    file = faces_file(environ, args.ruleset)
    deck = load_deck(file)
    save_deck(args.out, deck, pictures=args.keep_pictures)
    held = "with their pictures" if args.keep_pictures else "without pictures"
    say(f"{args.out}: {len(deck.cards)} faces of {deck.ruleset}, {held}")
    return WELL


def take_in(args: argparse.Namespace, environ: Mapping[str, str]) -> int:
    """Take in a file that somebody handed on. Raises DeckFileError."""
    if args.file is None:
        raise DeckFileError("import needs the FILE to take in")
    deck = load_deck(args.file)
    if args.ruleset not in (None, deck.ruleset):
        raise DeckFileError(f"{args.file} holds faces of {deck.ruleset}, not of {args.ruleset}")
    file = args.out or faces_file(environ, deck.ruleset)
    if file.exists() and not args.replace:
        raise DeckFileError(
            f"{file} holds faces of {deck.ruleset} already; --replace takes these instead"
        )
    # Written anew, not copied: whatever else was in the file stays behind.
    save_deck(file, deck, pictures=True)
    say(f"{file}: {len(deck.cards)} faces of {deck.ruleset}")
    return WELL


def report(args: argparse.Namespace, environ: Mapping[str, str], matcher: Matcher) -> int:
    """Say what is enrolled, missing and alike. Raises DeckFileError."""
    cards = wanted_cards(args.ruleset, args.only)
    file = args.out or faces_file(environ, args.ruleset)
    return summary(file, Enrolment(begun(file, args.ruleset, matcher), matcher), cards)


def begun(file: Path, ruleset: str, matcher: Matcher) -> EnrolledDeck:
    """The deck of a file, described by these networks. Raises DeckFileError."""
    deck = load_deck(file)
    if deck.ruleset != ruleset:
        raise DeckFileError(f"{file} holds faces of {deck.ruleset}; name another file with -o")
    try:
        return redescribe(deck, matcher)
    except DeckFileError as error:
        raise DeckFileError(f"{file} {error}, into another file (-o)") from None


def summary(file: Path, enrolment: Enrolment, cards: list[str]) -> int:
    """The same of a deck at hand."""
    deck = enrolment.deck
    missing = deck.missing(cards)
    say(f"{file}: {len(cards) - len(missing)} of {len(cards)} faces of {deck.ruleset} are enrolled")
    if missing:
        say(f"missing: {shorten(missing)}")
    for pair in enrolment.lookalikes():
        say(f"{pair}; show one of them again, or give the camera more light")
    return NOT_ALL if missing else WELL
