"""Calling UNO, and catching who forgot to.

The window to catch a seat opens when it gets down to one card (``Draft.owe_uno``, ``State.owed``)
and closes when it calls, takes a card, or the next player begins (``Draft.begin_action``).
"""

from referee.rules import actions as act
from referee.rules.position import events as ev
from referee.rules.position.draft import Draft
from referee.rules.position.state import State
from referee.rules.rulings import Args


def catchable(state: State, move: act.Catch) -> Args | None:
    """uno.catch: the accused is down to one card and has not called, and nobody has acted since."""
    if move.accused in state.owed and move.accused != move.seat:
        return None
    return {"seat": move.seat, "accused": move.accused}


def call(draft: Draft, move: act.CallUno) -> None:
    """Call UNO; a call that does not count only ends bans, and one made before does nothing."""
    state, seat = draft.state, move.seat
    early, single = state.may_call_early(seat), state.hands[seat - 1] == 1
    counts = (early and seat not in state.early_calls) or (single and seat not in state.uno)
    if counts or any(notice.until_uno for notice in state.notices):
        draft.emit(ev.UnoCalled(seat, early and not single))


def catch(draft: Draft, move: act.Catch) -> None:
    """Make the accused draw the penalty for not calling UNO."""
    draft.emit(ev.UnoMissed(move.accused))
    penalty = draft.state.game.options.uno_penalty
    if penalty:
        draft.must_draw(move.accused, penalty, "uno.catch", move.seat)
