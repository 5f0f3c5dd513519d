"""house.timer: the time of a turn is up, and the referee draws for the seat, whose turn is over.

Whether a table plays with a timer, and when time is up, is not for the rules to know. The draw says
nothing about the hand: nobody has claimed to have no card to play.
"""

from referee.rules import actions as act
from referee.rules.play import checks
from referee.rules.position import events as ev
from referee.rules.position.draft import Draft
from referee.rules.position.state import State
from referee.rules.position.views import owed
from referee.rules.ruleset import MoveRules
from referee.rules.rulings import Args

RULE = "house.timer"
# What may be decided by drawing; a colour or a choice cannot.
DRAWN_FOR = frozenset({"play", "drawn", "respond"})


def may_be_drawn_for(state: State, seat: int) -> bool:
    """Return whether a draw ends what the seat is awaited for."""
    return any(awaited == seat and need in DRAWN_FOR for awaited, need in state.awaiting)


def drawn_for(state: State, move: act.TimeUp) -> Args | None:
    """round.awaiting: a draw has to end what is awaited."""
    if may_be_drawn_for(state, move.seat):
        return None
    return {"seat": move.seat, "awaiting": owed(state)}


def time_up(draft: Draft, move: act.TimeUp) -> None:
    """Draw for the seat, unless it has drawn, and give the turn to the next player."""
    state, seat = draft.state, move.seat
    if state.needs(seat, "respond"):
        state.game.ruleset.moves[act.Accept].handler(draft, act.Accept(seat))
        return
    if state.needs(seat, "play"):
        draft.begin_action()
        count = state.raised.get(seat) or 1
        if seat in state.raised:
            draft.emit(ev.DrawRaised(seat, 0))
        draft.must_draw(seat, count, RULE)
    draft.give_turn(state.seat_after(seat))


TIME_UP = MoveRules(
    (
        ("round.over", checks.round_on),
        ("turn.order", checks.on_turn),
        ("round.awaiting", drawn_for),
    ),
    time_up,
    RULE,
)
