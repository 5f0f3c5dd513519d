"""What a ruleset is: a table of data and a few hooks, one folder each under ``variants``."""

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
from referee.rules.draft import Draft
from referee.rules.events import Laid
from referee.rules.options import Options
from referee.rules.rulings import Args
from referee.rules.state import State

# A check returns None when the rule is kept, or the arguments of the sentence that says it is not.
Check = Callable[[State, Any], Args | None]
# An effect works a laid card and returns the seat that plays next, or None if something is awaited.
Effect = Callable[[Draft, Laid], int | None]
Handler = Callable[[Draft, Any], None]
Opening = Callable[[Draft, Card], None]


@dataclass(frozen=True, slots=True)
class MoveRules:
    """How one move is judged and carried out: rows of (rule id, check), then the handler.

    ``cites`` is the rule that a legal one stands on, or says which of several it is.
    """

    rows: tuple[tuple[str, Check], ...]
    handler: Handler
    cites: str | Callable[[State, Any], str]
    remedy: str | None = None


def no_follow_up(state: State, seat: int, card: Card) -> str | None:
    """No second card in one turn."""
    return None


def nothing_gained(draft: Draft, seat: int, card: Card) -> None:
    """A card that brings no tower and no power."""


def nothing_collected(draft: Draft, seat: int) -> None:
    """Nothing follows from holding powers together."""


def printed_points(card: Card, options: Options) -> int:
    """The points of the deck's table."""
    return card.points


def no_removal(card: Card, options: Options) -> bool:
    """Every card of the deck is in the pile."""
    return False


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One deck's rules, as data; a hook stands where data does not reach."""

    id: str
    name: str
    deck: Deck
    folder: Path
    effects: Mapping[str, Effect]
    openings: Mapping[str, Opening]
    moves: Mapping[type, MoveRules]
    hand: int = 7
    powers: tuple[str, ...] = ()
    # symbol of a card → the powers that block it
    protections: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    # symbol of a card → how many towers or powers of choice it lets its player take
    choices: Mapping[str, int] = field(default_factory=dict)
    # symbol of a last card → how many cards the next player still draws
    last_draws: Mapping[str, int] = field(default_factory=dict)
    # card turned up at the start → the rule under which another is turned
    replaced: Mapping[str, str] = field(default_factory=dict)
    # of the replaced ones, whether they stay in the discard pile
    replaced_stay: bool = False
    forced_draw: bool = False
    challenge_counts_wilds: bool = False
    defaults: Mapping[str, object] = field(default_factory=dict)
    options: frozenset[str] = frozenset()
    points: Callable[[Card, Options], int] = printed_points
    gain: Callable[[Draft, int, Card], None] = nothing_gained
    collected: Callable[[Draft, int], None] = nothing_collected
    follow_up: Callable[[State, int, Card], str | None] = no_follow_up
    # whether the further card that ``follow_up`` lets a player lay must be the same one again
    follow_up_is_twin: bool = False
    left_out: Callable[[Card, Options], bool] = no_removal
    custom_examples: tuple[CustomCard, ...] = ()


_extra: dict[str, Ruleset] = {}


@cache
def _shipped() -> Mapping[str, Ruleset]:
    found = {}
    for module in pkgutil.iter_modules(variants.__path__):
        if module.ispkg:
            ruleset = _ruleset_of(importlib.import_module(f"{variants.__name__}.{module.name}"))
            found[ruleset.id] = ruleset
    return MappingProxyType(found)


def _ruleset_of(module: ModuleType) -> Ruleset:
    ruleset = module.RULESET
    if not isinstance(ruleset, Ruleset):
        raise TypeError(f"{module.__name__}.RULESET is no Ruleset")
    return ruleset


def rulesets() -> Mapping[str, Ruleset]:
    """All rulesets by id: those shipped and those added with ``load_variant``."""
    return {**_shipped(), **_extra}


def find_ruleset(name: str) -> Ruleset:
    """The ruleset of this id. Raises KeyError when there is none."""
    shipped = _shipped()
    return shipped[name] if name in shipped else _extra[name]


class VariantError(ValueError):
    """A folder that holds no ruleset; the text says why."""


def load_variant(folder: Path) -> Ruleset:
    """Add a ruleset from a folder that lies outside the package. Raises VariantError."""
    name = f"referee_variant_{folder.name}"
    spec = importlib.util.spec_from_file_location(name, folder / "__init__.py")
    if spec is None or spec.loader is None:
        raise VariantError(f"{folder} holds no ruleset")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
        ruleset = _ruleset_of(module)
    # Whatever the code in the folder does wrong, it is the folder that is no ruleset.
    except Exception as error:
        raise VariantError(f"{folder} holds no ruleset: {error}") from error
    _extra[ruleset.id] = ruleset
    return ruleset
