"""House rules of a table: the record's ``options``."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Annotated, Any, Literal, get_type_hints

from referee.rules.custom import CustomCard, parse_custom_cards
from referee.rules.message import Message, sent
from referee.rules.rulings import RuleError
from referee.rules.suggestions import hinted, must_be_one_of

HIGHEST_TARGET = 1_000_000
Teams = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Option:
    """What a table may choose: one of ``choices``, or one of ``numbers``.

    Attributes:
        rule: The rule that it is about.
        letter: Its own in the codes of ``presets``. Never give it to another option: codes are
            passed on. Teams and custom cards have none, as they belong to one table.
        decks: Where it means something: in "some" decks, which name it, in "all", or in all as a
            "house" rule.
        optional: Whether it may be null: no teams, no last round, no target.
    """

    rule: str
    letter: str = ""
    choices: tuple[object, ...] = ()
    numbers: range = range(0)
    decks: Literal["some", "all", "house"] = "house"
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Options:
    """House rules, with the defaults of every deck, each with what it may be.

    ``target`` is None where only the number of rounds ends the game. ``teams`` lists the seats of
    each team, nothing if everybody plays alone.
    """

    scoring: Annotated[
        str,
        Option("score.winner", "C", ("winner", "low", "hand", "elimination"), decks="all"),
    ] = "winner"
    target: Annotated[
        int | None,
        Option(
            "score.winner", "T", numbers=range(1, HIGHEST_TARGET + 1), decks="all", optional=True
        ),
    ] = 500
    two_player_reverse: Annotated[
        str, Option("card.reverse", "V", ("skip", "pass"), decks="all")
    ] = "skip"
    wild_tower_points: Annotated[
        int, Option("card.wild-take-tower", "P", (50, 20), decks="some")
    ] = 50
    shuffle_hands: Annotated[
        str, Option("card.wild-shuffle", "X", ("others", "all"), decks="some")
    ] = "others"
    tower_claim: Annotated[
        str, Option("tower.take", "M", ("automatic", "must-move"), decks="some")
    ] = "automatic"
    custom_cards: Annotated[tuple[CustomCard, ...], Option("card.wild-custom", decks="some")] = ()
    stacking: Annotated[str, Option("house.stacking", "S", ("off", "same", "any"))] = "off"
    jump_in: Annotated[str, Option("house.jump-in", "J", ("off", "on"))] = "off"
    seven_zero: Annotated[str, Option("house.seven", "Z", ("off", "on"))] = "off"
    draw_until: Annotated[str, Option("house.draw-until", "D", ("one", "playable"))] = "one"
    forced_play: Annotated[str, Option("draw.forced", "F", ("off", "drawn", "any"))] = "off"
    wild_draw_four: Annotated[str, Option("house.free-wild", "W", ("challenge", "free"))] = (
        "challenge"
    )
    identical_cards: Annotated[bool, Option("house.identical", "I", (False, True))] = False
    hand_size: Annotated[int, Option("house.hand-size", "H", numbers=range(1, 21))] = 7
    uno_penalty: Annotated[int, Option("house.uno-penalty", "U", numbers=range(11))] = 2
    rounds: Annotated[
        int | None, Option("house.rounds", "R", numbers=range(1, 51), optional=True)
    ] = None
    teams: Annotated[Teams, Option("house.teams", optional=True)] = ()


OPTIONS: Mapping[str, Option] = {
    name: hint.__metadata__[0]
    for name, hint in get_type_hints(Options, include_extras=True).items()
}
# House rules, which every deck can be played with.
HOUSE_RULES = {name: option.rule for name, option in OPTIONS.items() if option.decks == "house"}
IN_EVERY_DECK = frozenset(name for name, option in OPTIONS.items() if option.decks != "some")
# A house rule → the option by which a table agrees on it, and the value that means it: None for any
# other than the usual one.
OPTION_OF_RULE: Mapping[str, tuple[str, str | None]] = {
    **{rule: (option, None) for option, rule in HOUSE_RULES.items()},
    "house.zero": ("seven_zero", None),
    "house.elimination": ("scoring", "elimination"),
}


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
        if name not in OPTIONS:
            reason = hinted("unknown option", name, OPTIONS)
            raise RuleError("setup.options", f"options.{name}", reason)
        if name not in supported | IN_EVERY_DECK and not _is_default(value, getattr(base, name)):
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
    option = OPTIONS[name]
    if value is None and option.optional:
        return () if name == "teams" else None
    if name == "custom_cards":
        return parse_custom_cards(value)
    if name == "teams":
        return _teams(value)
    if option.numbers:
        return _parse_number(name, value)
    for choice in option.choices:
        if value == choice and type(value) is type(choice):
            return choice
    choices = [str(choice).lower() for choice in option.choices]
    raise RuleError(option.rule, f"options.{name}", must_be_one_of(value, choices))


def _parse_number(name: str, value: Any) -> int:
    option = OPTIONS[name]
    if type(value) is not int or value not in option.numbers:
        least, most = option.numbers[0], option.numbers[-1]
        reason = Message("must be a whole number from {least} to {most}", least=least, most=most)
        raise RuleError(option.rule, f"options.{name}", sent(reason, value))
    return value


def _teams(value: Any) -> Teams:
    def seats(team: Any) -> bool:
        return isinstance(team, list | tuple) and all(type(seat) is int for seat in team)

    if not isinstance(value, list | tuple) or not all(seats(team) for team in value):
        reason = sent("must be lists of seats, such as [[1, 3], [2, 4]]", value)
        raise RuleError(OPTIONS["teams"].rule, "options.teams", reason)
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
