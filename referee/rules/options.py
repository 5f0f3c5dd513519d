"""House rules of a table: the record's ``options``."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from referee.rules.custom import CustomCard, parse_custom_cards
from referee.rules.message import Message, sent
from referee.rules.rulings import RuleError
from referee.rules.suggestions import hinted, must_be_one_of

CHOICES: dict[str, tuple[object, ...]] = {
    "scoring": ("winner", "low", "hand", "elimination"),
    "two_player_reverse": ("skip", "pass"),
    "wild_tower_points": (50, 20),
    "shuffle_hands": ("others", "all"),
    "tower_claim": ("automatic", "must-move"),
    "stacking": ("off", "same", "any"),
    "jump_in": ("off", "on"),
    "seven_zero": ("off", "on"),
    "draw_until": ("one", "playable"),
    "forced_play": ("off", "drawn", "any"),
    "wild_draw_four": ("challenge", "free"),
    "identical_cards": (False, True),
}
HIGHEST_TARGET = 1_000_000
# Whole numbers: the lowest and the highest.
NUMBERS: Mapping[str, tuple[int, int]] = {
    "target": (1, HIGHEST_TARGET),
    "hand_size": (1, 20),
    "uno_penalty": (0, 10),
    "rounds": (1, 50),
}
# House rules, which every deck can be played with.
HOUSE_RULES: Mapping[str, str] = {
    "stacking": "house.stacking",
    "jump_in": "house.jump-in",
    "seven_zero": "house.seven",
    "draw_until": "house.draw-until",
    "forced_play": "draw.forced",
    "wild_draw_four": "house.free-wild",
    "identical_cards": "house.identical",
    "hand_size": "house.hand-size",
    "uno_penalty": "house.uno-penalty",
    "rounds": "house.rounds",
    "teams": "house.teams",
}
# A house rule → the option by which a table agrees on it, and the value that means it: None for any
# other than the usual one.
OPTION_OF_RULE: Mapping[str, tuple[str, str | None]] = {
    **{rule: (option, None) for option, rule in HOUSE_RULES.items()},
    "house.zero": ("seven_zero", None),
    "house.elimination": ("scoring", "elimination"),
}
COMMON = frozenset({"scoring", "target", "two_player_reverse", *HOUSE_RULES})
RULES = {
    "scoring": "score.winner",
    "target": "score.winner",
    "two_player_reverse": "card.reverse",
    "wild_tower_points": "card.wild-take-tower",
    "shuffle_hands": "card.wild-shuffle",
    "tower_claim": "tower.take",
    "custom_cards": "card.wild-custom",
    **HOUSE_RULES,
}
# Options that may be null: without them there are no teams, no last round and no target.
NONE_ALLOWED = frozenset({"teams", "rounds", "target"})
Teams = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Options:
    """House rules, with the defaults of every deck.

    ``target`` is None where only the number of rounds ends the game. ``teams`` lists the seats of
    each team, nothing if everybody plays alone.
    """

    scoring: str = "winner"
    target: int | None = 500
    two_player_reverse: str = "skip"
    wild_tower_points: int = 50
    shuffle_hands: str = "others"
    tower_claim: str = "automatic"
    identical_cards: bool = False
    custom_cards: tuple[CustomCard, ...] = ()
    stacking: str = "off"
    jump_in: str = "off"
    seven_zero: str = "off"
    draw_until: str = "one"
    forced_play: str = "off"
    wild_draw_four: str = "challenge"
    hand_size: int = 7
    uno_penalty: int = 2
    rounds: int | None = None
    teams: Teams = ()


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
    if _has_no_target(values):
        values["target"] = given.get("target")
    elif values.get("target", base.target) is None:
        _parse_number("target", None)
    return Options(**values)


def _has_no_target(values: Mapping[str, Any]) -> bool:
    """Whether the rounds alone end a game whose table has named no target (R51)."""
    return values.get("rounds") is not None and values.get("scoring") != "elimination"


def _is_default(value: Any, default: object) -> bool:
    if isinstance(default, tuple):
        return isinstance(value, list | tuple) and tuple(value) == default
    return type(value) is type(default) and value == default


def _parse(name: str, value: Any) -> object:
    if value is None and name in NONE_ALLOWED:
        return () if name == "teams" else None
    if name == "custom_cards":
        return parse_custom_cards(value)
    if name == "teams":
        return _teams(value)
    if name in NUMBERS:
        return _parse_number(name, value)
    for choice in CHOICES[name]:
        if value == choice and type(value) is type(choice):
            return choice
    choices = [str(choice).lower() for choice in CHOICES[name]]
    raise RuleError(RULES[name], f"options.{name}", must_be_one_of(value, choices))


def _parse_number(name: str, value: Any) -> int:
    least, most = NUMBERS[name]
    if type(value) is not int or not least <= value <= most:
        reason = Message("must be a whole number from {least} to {most}", least=least, most=most)
        raise RuleError(RULES[name], f"options.{name}", sent(reason, value))
    return value


def _teams(value: Any) -> Teams:
    def seats(team: Any) -> bool:
        return isinstance(team, list | tuple) and all(type(seat) is int for seat in team)

    if not isinstance(value, list | tuple) or not all(seats(team) for team in value):
        reason = sent("must be lists of seats, such as [[1, 3], [2, 4]]", value)
        raise RuleError(RULES["teams"], "options.teams", reason)
    if not value:
        # No teams are null; a list has to cover all seats (R55).
        reason = Message("must be two teams at least, of two seats at least, and of equal size")
        raise RuleError("house.options", "options.teams", reason)
    return tuple(tuple(team) for team in value)


def options_to_json(options: Options, defaults: Options) -> dict[str, object]:
    """Return the options that differ from the ruleset's defaults, as in a record."""
    stated: dict[str, object] = {}
    for field in fields(Options):
        value = getattr(options, field.name)
        if value != getattr(defaults, field.name):
            stated[field.name] = option_to_json(field.name, value)
    if options.rounds is not None:
        # What is not stated means something else beside a number of rounds.
        values = {"rounds": options.rounds, "scoring": options.scoring}
        stated.pop("target", None)
        if options.target != (None if _has_no_target(values) else defaults.target):
            stated["target"] = options.target
    return stated


def option_to_json(name: str, value: Any) -> object:
    """Return the value of an option as in a record."""
    if name == "custom_cards":
        return [card.to_json() for card in value]
    if name == "teams":
        return [list(team) for team in value] or None
    return value
