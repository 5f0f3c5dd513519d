"""The answer to a wild-draw-four: accept it, or challenge it and have the hand shown."""

from referee.rules import actions as act
from referee.rules.cards import Card
from referee.rules.position import events as ev
from referee.rules.position.draft import Draft
from referee.rules.position.state import State

FOUR = 4
# What a challenge without cause costs on top.
MORE = 2


def accept(draft: Draft, move: act.Accept) -> None:
    """Draw the four cards of a wild-draw-four."""
    laid = draft.state.laid
    draft.begin_action()
    draft.must_draw(move.seat, FOUR, "card.wild-draw-four", None if laid is None else laid.seat)
    draft.emit(ev.TurnLost(move.seat, "card.wild-draw-four"))
    draft.give_turn(draft.state.seat_after(move.seat))


def challenge(draft: Draft, move: act.Challenge) -> None:
    """Challenge the wild-draw-four: its player has to show the hand."""
    laid = draft.state.laid
    draft.begin_action()
    if laid is not None:
        draft.emit(ev.Awaited(move.seat, ((laid.seat, "reveal"),)))


def cost_of_hit(state: State) -> int:
    """Return the cards that the seat to respond is hit by."""
    return state.stack or FOUR


def last_hit(state: State) -> tuple[str, int, int] | None:
    """Return what still hits a seat (R58): the card's symbol, the seat, the cards stacked below.

    None if no card waits for its colour or for the answer to it, or if the seat is protected.
    """
    laid, ruleset = state.laid, state.game.ruleset
    needs = {need for _, need in state.awaiting}
    if laid is None or not needs & {"respond", "color"}:
        return None
    symbol = state.game.cards[laid.card].symbol
    protectors = ruleset.protections.get(symbol, ())
    if symbol not in ruleset.last_draws or any(state.powers[p] == laid.victim for p in protectors):
        return None
    # Once it is to be answered, the card is part of the stack.
    stacked = ruleset.draws[symbol] if state.stack and "respond" in needs else 0
    return symbol, laid.victim, state.stack - stacked


def decide_challenge(
    draft: Draft, seat: int, names: tuple[str, ...], hand: tuple[Card, ...]
) -> None:
    """Decide the challenge by the hand shown: who draws, and who plays next."""
    state = draft.state
    laid, challenger = state.laid, state.turn
    if laid is None or challenger is None:
        return
    draft.emit(ev.Revealed(seat, names, challenger))
    draft.report_proofs(seat, hand)
    # The hand may contain cards drawn or given since the wild-draw-four. The challenge succeeds if
    # the matching cards shown outnumber those; otherwise each may have come later. With none taken,
    # as nearly always, that means: if the hand has a matching card.
    count = cost_of_hit(state)
    if any(proof[:2] == (seat, laid.move) for proof in state.evidence):
        draft.must_draw(seat, count, "challenge", challenger)
        draft.give_turn(challenger)
    else:
        draft.must_draw(challenger, count + MORE, "challenge")
        draft.emit(ev.TurnLost(challenger, "challenge"))
        draft.give_turn(state.seat_after(challenger))
