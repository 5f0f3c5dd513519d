"""House rules of a table: the record's ``options``."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from referee.rules.custom import CustomCard, parse_custom_cards
from referee.rules.message import Message, sent
from referee.rules.rulings import RuleError
from referee.rules.suggestions import hinted, must_be_one_of

CHOICES: dict[str, tuple[object, ...]] = {
    "scoring": ("winner", "low", "hand"),
    "two_player_reverse": ("skip", "pass"),
    "wild_tower_points": (50, 20),
    "shuffle_hands": ("others", "all"),
    "tower_claim": ("automatic", "must-move"),
    "identical_cards": (False, True),
}
COMMON = frozenset({"scoring", "target", "two_player_reverse"})
RULES = {
    "scoring": "score.winner",
    "target": "score.winner",
    "two_player_reverse": "card.reverse",
    "wild_tower_points": "card.wild-take-tower",
    "shuffle_hands": "card.wild-shuffle",
    "tower_claim": "tower.take",
    "identical_cards": "house.identical",
    "custom_cards": "card.wild-custom",
}
HIGHEST_TARGET = 1_000_000


@dataclass(frozen=True, slots=True)
class Options:
    """House rules, with the defaults of RULES.md section 8."""

    scoring: str = "winner"
    target: int = 500
    two_player_reverse: str = "skip"
    wild_tower_points: int = 50
    shuffle_hands: str = "others"
    tower_claim: str = "automatic"
    identical_cards: bool = False
    custom_cards: tuple[CustomCard, ...] = ()


def parse_options(
    given: Mapping[str, Any], defaults: Mapping[str, object], supported: frozenset[str]
) -> Options:
    """Parse the options of a table. Raises RuleError naming the invalid option.

    ``defaults`` are the ruleset's own. Options that are not ``supported`` have no meaning in the
    ruleset and are accepted only at their defaults.
    """
    values: dict[str, Any] = dict(defaults)
    base = Options()
    for name, value in given.items():
        if name not in RULES:
            reason = hinted("unknown option", name, (f.name for f in fields(Options)))
            raise RuleError("setup.options", f"options.{name}", reason)
        if name not in supported | COMMON and not _is_default(value, getattr(base, name)):
            raise RuleError("setup.options", f"options.{name}", "has no meaning in this ruleset")
        values[name] = _parse(name, value)
    return Options(**values)


def _is_default(value: Any, default: object) -> bool:
    if isinstance(default, tuple):
        return isinstance(value, list | tuple) and tuple(value) == default
    return type(value) is type(default) and value == default


def _parse(name: str, value: Any) -> object:
    if name == "custom_cards":
        return parse_custom_cards(value)
    if name == "target":
        if type(value) is not int or not 1 <= value <= HIGHEST_TARGET:
            reason = Message(
                "must be a whole number from {least} to {most}", least=1, most=HIGHEST_TARGET
            )
            raise RuleError(RULES[name], "options.target", sent(reason, value))
        return value
    for choice in CHOICES[name]:
        if value == choice and type(value) is type(choice):
            return choice
    choices = [str(choice).lower() for choice in CHOICES[name]]
    raise RuleError(RULES[name], f"options.{name}", must_be_one_of(value, choices))


def options_to_json(options: Options, defaults: Options) -> dict[str, object]:
    """Return the options that differ from the ruleset's defaults, as in a record."""
    stated: dict[str, object] = {}
    for field in fields(Options):
        value = getattr(options, field.name)
        if value != getattr(defaults, field.name):
            stated[field.name] = (
                [card.to_json() for card in value] if field.name == "custom_cards" else value
            )
    return stated
