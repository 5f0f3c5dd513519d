"""The recogniser that a command's flags ask for."""

import argparse
from pathlib import Path
from typing import Any

from hardware.camera.deck import cards_of
from hardware.camera.draw.cards import RULESETS
from hardware.camera.recognise import MODELS, CardRecogniser


def add_deck_flags(parser: Any) -> None:
    """Which cards there can be, and what reads them."""
    parser.add_argument(
        "--ruleset",
        choices=sorted(RULESETS),
        help="whose deck is on the table; without it, a card may be of any of the five",
    )
    parser.add_argument(
        "--models", type=Path, metavar="DIR", default=MODELS, help="networks of your own training"
    )


def recogniser_of(args: argparse.Namespace) -> CardRecogniser:
    """The recogniser. Raises ModelError."""
    return CardRecogniser(cards_of(args.ruleset), args.models)
