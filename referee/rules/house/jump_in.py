"""house.jump-in: who holds the very card on top may lay it out of turn (R44)."""

from collections.abc import Callable
from dataclasses import replace

from referee.rules import actions as act
from referee.rules.house.rows import changed, citing, replaced
from referee.rules.options import Options
from referee.rules.play.checks import same_face
from referee.rules.play.moves import put_down
from referee.rules.position import events as ev
from referee.rules.position.draft import Draft
from referee.rules.position.state import State
from referee.rules.ruleset import Check, Handler, MoveRules, Ruleset
from referee.rules.rulings import Args

RULE = "house.jump-in"
# What may be awaited of the seat on turn while others may jump in.
INTERRUPTED = frozenset({"play", "respond"})


def add(ruleset: Ruleset, options: Options) -> Ruleset:
    """Let everybody lay the very card on top."""
    return replace(ruleset, moves=changed(ruleset.moves, {act.Play: _playing}))


def jumps_in(state: State, move: act.Play) -> bool:
    """Return whether a play out of turn is a jump-in: the very card on top, no wild.

    Where a second card is open for the seat, its card is that (R43).
    """
    if state.turn == move.seat:
        return False
    more = state.follow_up
    if more is not None and more.seat == move.seat:
        return False
    card = state.game.cards.get(move.card)
    if card is None or card.wild or not same_face(state, move.card, state.top):
        return False
    return all(need in INTERRUPTED for _, need in state.awaiting)


def _playing(rules: MoveRules) -> MoveRules:
    order = next(check for rule, check in rules.rows if rule == "turn.order")
    jumping = replace(
        rules,
        rows=replaced(rules.rows, "turn.order", ("turn.order", _or_jump(order))),
        handler=_jumping(rules.handler),
    )
    return citing(jumping, lambda state, move: RULE if jumps_in(state, move) else None)


def _or_jump(order: Check) -> Check:
    def check(state: State, move: act.Play) -> Args | None:
        return None if jumps_in(state, move) else order(state, move)

    return check


def _jumping(play: Handler) -> Callable[[Draft, act.Play], None]:
    def handler(draft: Draft, move: act.Play) -> None:
        if jumps_in(draft.state, move):
            jump(draft, move)
        else:
            play(draft, move)

    return handler


def jump(draft: Draft, move: act.Play) -> None:
    """Lay the card out of turn. It closes no other seat's chance to call or to be caught."""
    state = draft.state
    draft.end_early_calls()
    draft.emit(ev.JumpedIn(move.seat, state.turn or 0))
    put_down(draft, move, draft.card(move.card), state.seat_after(move.seat), None)
