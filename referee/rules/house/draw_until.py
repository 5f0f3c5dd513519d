"""house.draw-until: who draws goes on until a card can be played, and says how many (R46)."""

from dataclasses import replace

from referee.rules import actions as act
from referee.rules.house.rows import changed, with_rows
from referee.rules.options import Options
from referee.rules.play import checks
from referee.rules.position.state import State
from referee.rules.ruleset import MoveRules, Ruleset
from referee.rules.rulings import Args

RULE = "house.draw-until"
WORDINGS = {f"{section}.draw": f"{section}.draw-until" for section in ("choice", "illegal")}


def add(ruleset: Ruleset, options: Options) -> Ruleset:
    """Let a draw take as many cards as it says."""
    return replace(
        ruleset,
        moves=changed(ruleset.moves, {act.Draw: _drawing}),
        wordings={**ruleset.wordings, **WORDINGS},
    )


def _drawing(rules: MoveRules) -> MoveRules:
    rows = tuple(
        (rule, possible_count if check is checks.one_card else check) for rule, check in rules.rows
    )
    return replace(with_rows(rules, rows), cites=rule_of_draw)


def rule_of_draw(state: State, move: act.Draw) -> str:
    """Return the rule that cards are drawn under."""
    return "draw" if move.seat in state.raised else RULE


def possible_count(state: State, move: act.Draw) -> Args | None:
    """draw: at least one card, and no more than there are."""
    if move.count is None or move.seat in state.raised:
        return None
    most = checks.most_to_draw(state)
    return (
        None if 1 <= move.count <= most else {"seat": move.seat, "drawn": move.count, "most": most}
    )
