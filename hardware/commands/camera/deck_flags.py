"""The flags that tell a command which cards there can be."""

from pathlib import Path
from typing import Any

from hardware.camera.decks import RULESETS
from hardware.camera.recognise import MODELS


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
