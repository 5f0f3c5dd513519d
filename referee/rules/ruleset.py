"""Rulesets: tables of data and a few hooks, one folder each under ``variants``."""

import importlib
import importlib.util
import pkgutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any

from referee.rules import variants
from referee.rules.cards import Card
from referee.rules.custom import CustomCard
from referee.rules.deck import Deck
from referee.rules.options import IN_EVERY_DECK, Options, parse_options
from referee.rules.position.draft import Draft
from referee.rules.position.events import Laid
from referee.rules.position.state import State
from referee.rules.rulings import Args

# Returns None if the rule is kept, else the arguments of the sentence that explains why not.
Check = Callable[[State, Any], Args | None]
# Applies a laid card and returns the seat that plays next, or None if something is awaited.
Effect = Callable[[Draft, Laid], int | None]
Handler = Callable[[Draft, Any], None]
Opening = Callable[[Draft, Card], None]


@dataclass(frozen=True, slots=True)
class MoveRules:
    """The rules of one move: rows of (rule id, check), and the handler of a legal move.

    ``cites`` is the rule that a legal move cites, or returns it. ``remedy`` is the instruction
    after an illegal one, and ``remedies`` has those of rules with another one, or with none.
    """

    rows: tuple[tuple[str, Check], ...]
    handler: Handler
    cites: str | Callable[[State, Any], str]
    remedy: str | None = None
    remedies: Mapping[str, str | None] = field(default_factory=dict[str, str | None])

    def remedy_for(self, rule: str) -> str | None:
        """Return what to put right after a move that breaks ``rule``."""
        return self.remedies.get(rule, self.remedy)


def no_follow_up(state: State, seat: int, card: Card) -> str | None:
    """Allow no second card in a turn."""
    return None


def nothing_gained(draft: Draft, seat: int, card: Card) -> None:
    """Gain nothing from a card."""


def nothing_collected(draft: Draft, seat: int) -> None:
    """Gain nothing from holding several powers."""


def nothing_lapses(draft: Draft, seat: int, before: State) -> None:
    """Go on as before when a seat leaves."""


def printed_points(card: Card, options: Options) -> int:
    """Return the points in the deck's table."""
    return card.points


def no_removal(card: Card, options: Options) -> bool:
    """Leave out no card."""
    return False


@dataclass(frozen=True, slots=True, eq=False)
class Ruleset:
    """The rules of one deck as data, with hooks for what data cannot express.

    ``house.as_played`` returns a ruleset with a table's house rules in it.
    """

    id: str
    name: str
    deck: Deck
    folder: Path
    effects: Mapping[str, Effect]
    moves: Mapping[type, MoveRules]
    # symbol of a card turned up at the start → what it does; numbers need none
    openings: Mapping[str, Opening] = field(default_factory=dict)
    most_seats: int = 10
    hand: int = 7
    powers: tuple[str, ...] = ()
    # power → the colour that its tower or stand has
    power_colors: Mapping[str, str] = field(default_factory=dict)
    # power → the rule that says what it does
    power_rules: Mapping[str, str] = field(default_factory=dict)
    # symbol of a card → the powers that block it
    protections: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    # symbol of a card → how many towers or powers of choice it lets its player take
    choices: Mapping[str, int] = field(default_factory=dict)
    # symbol of a card → how many cards it makes the next player draw
    draws: Mapping[str, int] = field(default_factory=dict)
    # symbols of the cards that can be challenged, as they claim something about the hand
    challenged: frozenset[str] = frozenset({"wild-draw-four"})
    # symbol of a last card → how many cards the next player still draws
    last_draws: Mapping[str, int] = field(default_factory=dict)
    # symbol of a card turned up at the start → the rule by which another is turned up
    replaced: Mapping[str, str] = field(default_factory=dict)
    # symbols of opening cards that the first player has to match by colour
    matched_by_color: frozenset[str] = frozenset()
    # whether the replaced cards stay in the discard pile
    replaced_stay: bool = False
    challenge_counts_wilds: bool = False
    defaults: Mapping[str, object] = field(default_factory=dict)
    options: frozenset[str] = frozenset()
    points: Callable[[Card, Options], int] = printed_points
    gain: Callable[[Draft, int, Card], None] = nothing_gained
    collected: Callable[[Draft, int], None] = nothing_collected
    # called with the state before, when a seat has left in a round that goes on
    seat_left: Callable[[Draft, int, State], None] = nothing_lapses
    follow_up: Callable[[State, int, Card], str | None] = no_follow_up
    # the rule under which the second card that ``follow_up`` allows must equal the first
    twin: str | None = None
    # id of a sentence → the one that is said instead under a house rule, both as ``section.id``
    wordings: Mapping[str, str] = field(default_factory=dict)
    left_out: Callable[[Card, Options], bool] = no_removal
    # the cards that a table may write on, what may be written, and what a table has written
    custom: tuple[str, ...] = ()
    custom_examples: tuple[CustomCard, ...] = ()
    written: tuple[CustomCard, ...] = ()

    @property
    def all_options(self) -> list[str]:
        """The options that mean something for the deck, by name."""
        return sorted({*self.options, *IN_EVERY_DECK})

    @property
    def usual(self) -> Options:
        """The options where a table chooses none."""
        return self.parse_options({})

    def parse_options(self, given: Mapping[str, Any]) -> Options:
        """Parse the options of a table. Raises RuleError naming the invalid one."""
        defaults = {"hand_size": self.hand, **self.defaults}
        return parse_options(given, defaults, self.options)


_extra: dict[str, Ruleset] = {}


@cache
def _shipped() -> Mapping[str, Ruleset]:
    rulesets = {}
    for module in pkgutil.iter_modules(variants.__path__):
        if module.ispkg:
            ruleset = _ruleset_of(importlib.import_module(f"{variants.__name__}.{module.name}"))
            rulesets[ruleset.id] = ruleset
    return MappingProxyType(rulesets)


def _ruleset_of(module: ModuleType) -> Ruleset:
    ruleset = module.RULESET
    if not isinstance(ruleset, Ruleset):
        raise TypeError(f"{module.__name__}.RULESET is not a Ruleset")
    return ruleset


def rulesets() -> Mapping[str, Ruleset]:
    """Return all rulesets by id, those added with ``load_variant`` included."""
    return {**_shipped(), **_extra}


def most_seats() -> int:
    """Return how many seats a table has at most, whichever its deck."""
    return max(ruleset.most_seats for ruleset in rulesets().values())


def find_ruleset(name: str) -> Ruleset:
    """Return the ruleset of this id. Raises KeyError."""
    shipped = _shipped()
    return shipped[name] if name in shipped else _extra[name]


class VariantError(ValueError):
    """A folder does not contain a ruleset; the message says why."""


def load_variant(folder: Path) -> Ruleset:
    """Add a ruleset from a folder outside the package. Raises VariantError."""
    if not (folder / "__init__.py").is_file():
        why = "there is no __init__.py in it" if folder.is_dir() else "there is no such folder"
        raise VariantError(f"{folder} does not contain a ruleset: {why}")
    name = f"referee_variant_{folder.name}"
    spec = importlib.util.spec_from_file_location(name, folder / "__init__.py")
    if spec is None or spec.loader is None:
        raise VariantError(f"{folder} does not contain a ruleset")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
        ruleset = _ruleset_of(module)
    # The folder's code may raise anything.
    except Exception as error:
        raise VariantError(f"{folder} does not contain a ruleset: {error}") from error
    _extra[ruleset.id] = ruleset
    return ruleset
