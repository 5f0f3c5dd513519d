"""The recogniser that a command's flags ask for."""

import argparse
from typing import Any

from hardware.camera.cards import Recogniser
from hardware.camera.deck import cards_of
from hardware.camera.draw.cards import RULESETS
from hardware.camera.recognise import CardRecogniser, ModelError
from hardware.gateway.commands.output import complain


def add_deck_flags(parser: Any) -> None:
    """Which cards there can be."""
    parser.add_argument(
        "--deck", choices=sorted(RULESETS), help="the deck on the table (any of the five)"
    )


def recogniser_of(args: argparse.Namespace, command: str) -> Recogniser | None:
    """The recogniser; None when it cannot be had, which has then been said."""
    try:
        return CardRecogniser(cards_of(args.deck))
    except ModelError as error:
        complain(command, str(error))
        return None
