"""house.free-wild: a wild-draw-four at any time, and nobody challenges it (R48)."""

from dataclasses import replace
from typing import Any

from referee.rules import actions as act
from referee.rules.house.rows import changed, citing, with_rows
from referee.rules.options import Options
from referee.rules.play import effects as fx
from referee.rules.position.state import State
from referee.rules.ruleset import MoveRules, Ruleset
from referee.rules.rulings import Args

RULE, SYMBOL = "house.free-wild", "wild-draw-four"


def add(ruleset: Ruleset, options: Options) -> Ruleset:
    """Let a wild-draw-four hit at once."""
    if SYMBOL not in ruleset.effects:
        return ruleset
    return replace(
        ruleset,
        effects={**ruleset.effects, SYMBOL: fx.draw_and_lose(ruleset.draws[SYMBOL])},
        challenged=ruleset.challenged - {SYMBOL},
        moves=changed(ruleset.moves, {act.Challenge: _refused, act.Play: _playing}),
    )


def _refused(rules: MoveRules) -> MoveRules:
    return with_rows(rules, (rules.rows[0], (RULE, no_challenge), *rules.rows[1:]))


def _playing(rules: MoveRules) -> MoveRules:
    return citing(rules, lambda _, move: RULE if move.card == SYMBOL else None)


def no_challenge(state: State, move: Any) -> Args | None:
    """house.free-wild: nobody challenges."""
    return {"seat": move.seat}
