"""Flags that choose the deck and the networks."""

from pathlib import Path
from typing import Any

from hardware.camera.decks import RULESETS
from hardware.camera.recognise import MODELS


def add_deck_flags(parser: Any) -> None:
    """Add the flags to a parser."""
    parser.add_argument(
        "--ruleset",
        choices=sorted(RULESETS),
        help="the deck on the table (default: any of the five)",
    )
    parser.add_argument(
        "--faces",
        type=Path,
        metavar="FILE",
        help="enrolled faces (default: those enrolled for the ruleset)",
    )
    parser.add_argument(
        "--models",
        type=Path,
        metavar="DIR",
        default=MODELS,
        help="folder of your own networks",
    )
