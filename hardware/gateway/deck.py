"""The deck of a table: has it anything that a sensor board senses?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hardware.backends import CAMERA
from hardware.gateway.api import API, Api
from hardware.gateway.config import DeviceConfig


@dataclass(frozen=True, slots=True)
class Deck:
    """A table's deck; ``powers`` are its towers or powers, None if that is not known."""

    ruleset: str
    powers: tuple[str, ...] | None

    @property
    def has_none(self) -> bool:
        """Whether a board is of no use with it."""
        return self.powers == ()


NOTHING_TO_SEE = "this deck has neither towers nor powers: the board has nothing to do here"
UNKNOWN_DECK = Deck("", None)


def deck_at(api: Api) -> Deck:
    """Return the deck of the table of ``api``. Raises Unreachable."""
    return deck_of(api, api.get(api.table_path()).body or {})


def deck_of(api: Api, table: Mapping[str, Any]) -> Deck:
    """Return the deck of a table that was read from ``api``. Raises Unreachable."""
    ruleset = str(table.get("ruleset") or "")
    powers = (api.get(f"{API}/rulesets/{ruleset}").body or {}).get("powers") if ruleset else None
    known = isinstance(powers, list)
    return Deck(ruleset, tuple(str(power) for power in powers or ()) if known else None)


def other_deck(device: DeviceConfig, deck: Deck) -> str:
    """Say that a camera looks for the cards of another deck than the table's; empty if not."""
    ruleset = device.options.get("ruleset")
    if device.backend != CAMERA or not ruleset or deck.ruleset in ("", ruleset):
        return ""
    return f"it looks for the cards of {ruleset}, and the table plays {deck.ruleset}"
