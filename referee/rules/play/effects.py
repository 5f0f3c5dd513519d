"""Effects of action cards and opening cards, for the tables of the variants."""

from referee.rules.cards import Card
from referee.rules.position import events as ev
from referee.rules.position.draft import Draft
from referee.rules.position.events import Laid
from referee.rules.ruleset import Effect, Opening


def draw_and_lose(count: int) -> Effect:
    """Return the effect of card.draw-one and card.draw-two: draw and lose the turn."""

    def effect(draft: Draft, laid: Laid) -> int | None:
        card = draft.card(laid.card)
        if draft.protected(laid.victim, card.symbol):
            return laid.victim
        draft.must_draw(laid.victim, count, card.rule, laid.seat)
        draft.emit(ev.TurnLost(laid.victim, card.rule))
        return draft.state.seat_after(laid.victim)

    return effect


def skip(draft: Draft, laid: Laid) -> int | None:
    """card.skip: the next player loses the turn."""
    if draft.protected(laid.victim, "skip"):
        return laid.victim
    draft.emit(ev.TurnLost(laid.victim, "card.skip"))
    return draft.state.seat_after(laid.victim)


def reverse(draft: Draft, laid: Laid) -> int | None:
    """card.reverse: the direction changes; with two players it also skips (R7, R20)."""
    state = draft.state
    if draft.protected(laid.victim, "reverse"):
        return laid.victim
    draft.emit(ev.DirectionTurned(-state.direction, laid.victim))
    if len(state.order) == 2 and state.game.options.two_player_reverse == "skip":
        draft.emit(ev.TurnLost(laid.victim, "card.reverse"))
        return state.seat_after(laid.victim)
    return state.seat_after(laid.seat)


def draw_four(draft: Draft, laid: Laid) -> int | None:
    """card.wild-draw-four: the next player accepts or challenges, or draws if it was flipped."""
    if draft.protected(laid.victim, "wild-draw-four"):
        return laid.victim
    if laid.flipped:
        draft.must_draw(laid.victim, 4, "card.wild-draw-four", laid.seat)
        draft.emit(ev.TurnLost(laid.victim, "card.wild-draw-four"))
        return draft.state.seat_after(laid.victim)
    draft.end_early_calls()
    draft.emit(ev.Awaited(laid.victim, ((laid.victim, "respond"),)))
    return None


def open_with_number(draft: Draft, card: Card) -> None:
    """opening.number: the player left of the dealer starts."""
    draft.give_turn(draft.state.seat_after(draft.state.dealer))


def open_with_draw(count: int) -> Opening:
    """Return opening.draw: the first player draws and loses the turn."""

    def opening(draft: Draft, card: Card) -> None:
        first = draft.state.seat_after(draft.state.dealer)
        draft.must_draw(first, count, "opening.draw")
        draft.emit(ev.TurnLost(first, "opening.draw"))
        draft.give_turn(draft.state.seat_after(first))

    return opening


def open_with_reverse(draft: Draft, card: Card) -> None:
    """opening.reverse: the dealer plays first, then counterclockwise."""
    first = draft.state.seat_after(draft.state.dealer)
    draft.emit(ev.DirectionTurned(-1, first))
    draft.give_turn(draft.state.dealer)


def open_with_skip(draft: Draft, card: Card) -> None:
    """opening.skip: the player left of the dealer is skipped."""
    draft.emit(ev.TurnLost(draft.state.seat_after(draft.state.dealer), "opening.skip"))
    draft.give_turn(draft.state.seat_after(draft.state.dealer, 2))


def open_with_wild(draft: Draft, card: Card) -> None:
    """opening.wild: the first player names the colour, then plays."""
    first = draft.state.seat_after(draft.state.dealer)
    draft.emit(ev.Awaited(first, ((first, "color"),)))
