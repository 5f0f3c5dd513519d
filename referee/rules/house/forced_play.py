"""draw.forced: who can play may not draw, and a drawn card that can be played must be (R47).

Hands are unseen, so both are claims that cards shown later may prove false.
"""

from dataclasses import replace
from typing import Any

from referee.rules import actions as act
from referee.rules.house.rows import changed
from referee.rules.options import Options
from referee.rules.play.checks import kind_to_play
from referee.rules.position import events as ev
from referee.rules.position.draft import Draft
from referee.rules.ruleset import MoveRules, Ruleset

RULE = "draw.forced"


def add(ruleset: Ruleset, options: Options) -> Ruleset:
    """Note what a draw and a pass claim about the hand."""
    change: dict[type, Any] = {act.Pass: _claiming}
    if options.forced_play == "any":
        change[act.Draw] = _claiming
    return replace(ruleset, moves=changed(ruleset.moves, change))


def _claiming(rules: MoveRules) -> MoveRules:
    """Return the rules of a draw or a pass that claims something.

    A draw: that no card held can be played. A pass after it: that not all cards held can be, unless
    cards were given away since the draw, the drawn one perhaps among them.
    """
    handler = rules.handler

    def claim(draft: Draft, move: act.Draw | act.Pass) -> None:
        state, seat = draft.state, move.seat
        draws = type(move) is act.Draw
        kept = state.needs(seat, "drawn") and not state.drawn_parted
        if state.top is not None and (draws or kept):
            held = 0 if draws else state.hands[seat - 1]
            draft.emit(ev.Claimed(seat, state.moves, RULE, *kind_to_play(state), held))
        handler(draft, move)

    return replace(rules, handler=claim)
