"""House rules that any deck can be played with.

A house rule is a module that adds a table's option to a ruleset: it replaces rows of checks,
effects, handlers and hooks, and knows no deck. What is off leaves the ruleset as it is.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache

from referee.rules.house import (
    draw_until,
    forced_play,
    free_wild,
    identical,
    jump_in,
    seven_zero,
    stacking,
    uno_penalty,
)
from referee.rules.options import Options
from referee.rules.ruleset import Ruleset

# option → adds it to a ruleset, in this order: a wild-draw-four that nobody challenges may stack,
# and who jumps in with a 7 or onto a stack swaps or stacks.
HOUSE_RULES: Mapping[str, Callable[[Ruleset, Options], Ruleset]] = {
    "wild_draw_four": free_wild.add,
    "jump_in": jump_in.add,
    "stacking": stacking.add,
    "identical_cards": identical.add,
    "seven_zero": seven_zero.add,
    "draw_until": draw_until.add,
    "forced_play": forced_play.add,
    "uno_penalty": uno_penalty.add,
}
USUAL = Options()
MOST_KEPT = 512


def as_played(ruleset: Ruleset, options: Options) -> Ruleset:
    """Return a ruleset with the house rules of a table in it, and what it wrote on its cards."""
    chosen = tuple(name for name in HOUSE_RULES if getattr(options, name) != getattr(USUAL, name))
    own = options.custom_cards
    return _with_house_rules(ruleset, chosen, options) if chosen or own else ruleset


@lru_cache(MOST_KEPT)
def _with_house_rules(ruleset: Ruleset, chosen: tuple[str, ...], options: Options) -> Ruleset:
    for name in chosen:
        ruleset = HOUSE_RULES[name](ruleset, options)
    return replace(ruleset, written=options.custom_cards) if options.custom_cards else ruleset
