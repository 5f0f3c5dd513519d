"""house.seven and house.zero: a 7 swaps two hands, a 0 passes all of them on (R43, R45)."""

from collections.abc import Callable
from dataclasses import replace

from referee.rules import actions as act
from referee.rules.cards import Card
from referee.rules.house.rows import changed, citing
from referee.rules.options import Options
from referee.rules.play import checks
from referee.rules.play.moves import ROUND_ON, end_turn
from referee.rules.position import events as ev
from referee.rules.position.draft import Draft
from referee.rules.position.events import Laid
from referee.rules.position.state import State
from referee.rules.ruleset import MoveRules, Ruleset
from referee.rules.rulings import Args

SEVEN, ZERO = "7", "0"
RULE_OF_SEVEN, RULE_OF_ZERO = "house.seven", "house.zero"
RULES = {SEVEN: RULE_OF_SEVEN, ZERO: RULE_OF_ZERO}


def add(ruleset: Ruleset, options: Options) -> Ruleset:
    """Let sevens swap hands and zeros pass them on."""
    allowed, lapses = ruleset.follow_up, ruleset.seat_left

    def follow_up(state: State, seat: int, card: Card) -> str | None:
        # The hand is another one (R43).
        return None if card.symbol in (SEVEN, ZERO) else allowed(state, seat, card)

    def seat_left(draft: Draft, seat: int, before: State) -> None:
        if before.needs(seat, "swap") and before.laid is not None:
            # The swap lapses (R53).
            laid = draft.state.laid or before.laid
            end_turn(draft, laid, laid.victim)
        else:
            lapses(draft, seat, before)

    return replace(
        ruleset,
        effects={**ruleset.effects, SEVEN: await_swap, ZERO: pass_hands},
        moves={
            **changed(ruleset.moves, {act.Play: _playing}),
            act.Swap: MoveRules(
                (
                    *ROUND_ON,
                    ("round.awaiting", checks.waits_for("swap")),
                    (RULE_OF_SEVEN, lambda state, move: other_hand(state, move.seat, move.other)),
                ),
                swap,
                RULE_OF_SEVEN,
                "choose-again",
            ),
        },
        follow_up=follow_up,
        seat_left=seat_left,
    )


def await_swap(draft: Draft, laid: Laid) -> int | None:
    """house.seven: the player says with whom to swap."""
    draft.emit(ev.Awaited(draft.state.turn, ((laid.seat, "swap"),)))
    return None


def pass_hands(draft: Draft, laid: Laid) -> int | None:
    """house.zero: every hand goes on to the next seat in the direction of play."""
    draft.emit(ev.HandsPassed(draft.state.from_seat(laid.seat)))
    return laid.victim


def swap(draft: Draft, move: act.Swap) -> None:
    """Swap hands; the next player is on."""
    draft.emit(ev.HandsPassed((move.seat, move.other)))
    laid = draft.state.laid
    if laid is not None:
        end_turn(draft, laid, laid.victim)


def other_hand(state: State, seat: int, other: int) -> Args | None:
    """house.seven: hands are swapped with somebody else who plays."""
    return None if other != seat and other in state.order else {"seat": seat}


def named_hand(state: State, move: act.Play) -> Args | None:
    """house.seven, for a seat named with the card, where that has an effect."""
    if move.swap_with is None or state.hands[move.seat - 1] == 1:
        return None
    if state.game.cards[move.card].symbol != SEVEN:
        return None
    return other_hand(state, move.seat, move.swap_with)


def _playing(rules: MoveRules) -> MoveRules:
    rows = (*rules.rows, (RULE_OF_SEVEN, named_hand))
    return citing(replace(rules, rows=rows, handler=_then_swap(rules.handler)), rule_of_play)


def rule_of_play(state: State, move: act.Play) -> str | None:
    """Return the rule of a 7 or a 0 that moves hands and is not laid by jumping in."""
    second = state.follow_up is not None and state.follow_up.seat == move.seat
    if (state.turn != move.seat and not second) or state.hands[move.seat - 1] == 1:
        return None
    return RULES.get(state.game.cards[move.card].symbol)


def _then_swap(play: Callable[[Draft, act.Play], None]) -> Callable[[Draft, act.Play], None]:
    def handler(draft: Draft, move: act.Play) -> None:
        play(draft, move)
        if move.swap_with is not None and draft.state.needs(move.seat, "swap"):
            swap(draft, act.Swap(move.seat, move.swap_with))

    return handler
