"""house.uno-penalty: who is caught without a call draws as many cards as the table agreed on."""

from dataclasses import replace

from referee.rules import actions as act
from referee.rules.house.rows import changed
from referee.rules.options import Options
from referee.rules.ruleset import MoveRules, Ruleset

RULE = "house.uno-penalty"


def add(ruleset: Ruleset, options: Options) -> Ruleset:
    """Let a catch cite the table's rule; the number itself is an option that all decks read."""
    return replace(ruleset, moves=changed(ruleset.moves, {act.Catch: _catching}))


def _catching(rules: MoveRules) -> MoveRules:
    return replace(rules, cites=RULE)
