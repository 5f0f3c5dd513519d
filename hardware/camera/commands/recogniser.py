"""The recogniser that a command's flags ask for."""

import argparse
import os
from pathlib import Path
from typing import Any

from hardware.camera.deck import cards_of
from hardware.camera.draw.cards import RULESETS
from hardware.camera.enrol.deckfile import DeckFileError, load_deck
from hardware.camera.enrol.known import KnownFaces
from hardware.camera.enrol.matcher import COMPARES, DESCRIBES, Matcher
from hardware.camera.enrol.place import deck_file
from hardware.camera.recognise import MODELS, CardRecogniser, ModelError


def add_deck_flags(parser: Any) -> None:
    """Which cards there can be, and what reads them."""
    parser.add_argument(
        "--ruleset",
        choices=sorted(RULESETS),
        help="whose deck is on the table; without it, a card may be of any of the five",
    )
    parser.add_argument(
        "--faces",
        type=Path,
        metavar="FILE",
        help="enrolled faces; without it those that 'referee-table enroll' keeps for the ruleset",
    )
    parser.add_argument(
        "--models", type=Path, metavar="DIR", default=MODELS, help="networks of your own training"
    )


def recogniser_of(args: argparse.Namespace) -> CardRecogniser:
    """The recogniser, with what was enrolled. Raises ModelError."""
    ruleset, file = args.ruleset, args.faces
    if file is None and ruleset is not None:
        kept = deck_file(os.environ, ruleset)
        file = kept if kept.exists() else None
    if file is None:
        return CardRecogniser(cards_of(ruleset), args.models)
    try:
        enrolled = load_deck(file)
        if ruleset not in (None, enrolled.ruleset):
            raise ModelError(f"{file} holds faces of {enrolled.ruleset}, not of {ruleset}")
        deck = cards_of(enrolled.ruleset)
        known = KnownFaces(matcher_of(args.models), enrolled, deck)
        return CardRecogniser(deck, args.models, known)
    except DeckFileError as error:
        text = str(error)
        raise ModelError(text if str(file) in text else f"{file} {text}") from None


def matcher_of(models: Path) -> Matcher:
    """The networks that know enrolled faces. Raises ModelError."""
    for network in (models / DESCRIBES, models / COMPARES):
        if not network.is_file():
            raise ModelError(f"the network {network} is not there; enrolled faces need it")
    return Matcher(models)
