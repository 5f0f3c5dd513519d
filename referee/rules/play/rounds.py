"""The start and the end of a round, and its scores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from referee.rules.cards import Card
from referee.rules.message import Message
from referee.rules.play.combinations import check_deck
from referee.rules.play.effects import open_with_number
from referee.rules.play.scoring import (
    back_in,
    best_seats,
    hands_that_count,
    score,
    scoring_of,
    side_of,
)
from referee.rules.position import events as ev
from referee.rules.position.draft import Draft
from referee.rules.position.events import Event
from referee.rules.position.state import FEWEST_SEATS, State
from referee.rules.ruleset import Ruleset
from referee.rules.rulings import RuleError
from referee.rules.suggestions import no_such_card


@dataclass(frozen=True, slots=True)
class RoundResult:
    """A round entered by its result: who went out, and the others' hands by seat.

    A hand is a list of cards, its points, or None if nobody knows it (round.count).
    """

    out: int
    hands: Mapping[int, tuple[str, ...] | int | None]


def next_dealer(state: State) -> int:
    """Return the next round's dealer: the deal passes left (R4). 0 before the first round."""
    if state.next_deal or not state.dealer:
        return state.next_deal
    return state.left_of(state.dealer)


def open_round(
    state: State, dealer: int, opening: Sequence[str], abandon: bool = False
) -> tuple[State, list[Event]]:
    """Deal a round and apply the opening card, the last of those turned up.

    ``abandon`` gives up a round in progress, unscored. Raises RuleError if it is not time for a
    round, or if these cards cannot be turned up.
    """
    _check_no_round(state, abandon)
    _check_seats(state, dealer)
    check_deck(state.game, len(state.order), "order")
    discarded = _check_opening(state, opening)
    ruleset = state.game.ruleset
    draft = Draft(state.fork())
    top = ruleset.deck.cards[opening[-1]]
    hand = state.game.options.hand_size
    pile = state.game.deck_size - hand * len(state.order) - len(discarded)
    draft.emit(
        ev.RoundOpened(state.round + 1, dealer, tuple(opening), hand, pile, discarded, top.color)
    )
    if pile == 0:
        # The last card was turned up (R25).
        draft.reshuffle()
    ruleset.openings.get(top.symbol, open_with_number)(draft, top)
    return draft.state, draft.events


def _check_no_round(state: State, abandon: bool) -> None:
    if state.winner is not None:
        raise RuleError("round.over", "round", "the game is over")
    if abandon:
        return
    if state.in_progress:
        raise RuleError("round.over", "round", "a round is still being played")
    if state.awaiting:
        raise RuleError("round.over", "round", "hands of the last round are still to be shown")


def _check_seats(state: State, dealer: int) -> None:
    if len(state.order) < FEWEST_SEATS:
        reason = Message("a round needs {fewest} players at least", fewest=FEWEST_SEATS)
        raise RuleError("setup.seats", "order", reason)
    if dealer not in state.order:
        raise RuleError("setup.dealer", "dealer", Message("there is no seat {seat}", seat=dealer))


def count_round(state: State, dealer: int, result: RoundResult) -> tuple[State, list[Event]]:
    """Enter a round by its result; ``dealer`` is 0 if nobody said who dealt.

    Raises RuleError naming the invalid field.
    """
    _check_no_round(state, abandon=False)
    _check_seats(state, dealer or state.order[0])
    _check_result(state, result)
    draft = Draft(state.fork())
    draft.emit(ev.RoundCounted(state.round + 1, dealer))
    draft.emit(ev.RoundWon(result.out))
    for seat, hand in result.hands.items():
        if isinstance(hand, tuple):
            draft.emit(ev.Revealed(seat, hand))
        else:
            draft.emit(ev.HandCounted(seat, hand))
    if scoring_of(state).counts:
        close_round(draft)
    else:
        _win_at_once(draft, result.out)
    return draft.state, draft.events


def _check_result(state: State, result: RoundResult) -> None:
    if result.out not in state.order:
        raise RuleError("round.count", "out", Message("there is no seat {seat}", seat=result.out))
    for seat in result.hands:
        if seat not in state.order or seat == result.out:
            reason = Message("seat {seat} has no hand to count", seat=seat)
            raise RuleError("round.count", f"hands.{seat}", reason)
    ruleset, options = state.game.ruleset, state.game.options
    due = hands_that_count(state, result.out)
    missing = [seat for seat in due if seat not in result.hands]
    if missing:
        reason = Message("seat {seat} is missing: give cards, points or null", seat=missing[0])
        raise RuleError("round.count", f"hands.{missing[0]}", reason)
    cards = [card for hand in result.hands.values() if isinstance(hand, tuple) for card in hand]
    unknown = next((card for card in cards if card not in state.game.cards), None)
    if unknown is not None:
        raise RuleError("deck.unknown", "hands", no_such_card(unknown, state.game.cards))
    excess = ruleset.deck.excess(cards, {})
    if excess is not None:
        reason = Message("the deck does not have that many {card}", card=excess)
        raise RuleError("deck.count", "hands", reason)
    # A card with an icon is one of the copies without.
    most = sum(
        ruleset.points(card, options) * ruleset.deck.limits.get(card.id, 0)
        for card in state.game.cards.values()
    )
    for seat, hand in result.hands.items():
        if isinstance(hand, int) and not 0 <= hand <= most:
            reason = Message("must be a whole number from {least} to {most}", least=0, most=most)
            raise RuleError("round.count", f"hands.{seat}", reason)


def break_off(state: State, scores: tuple[int, ...]) -> tuple[State, list[Event]]:
    """Break a round off: nothing of it counts, and the same dealer deals again (R36).

    ``scores`` are those before the round. Raises RuleError if there is no round.
    """
    if not state.round:
        raise RuleError("round.over", "round", "no round has begun")
    back = back_in(state, scores)
    order = tuple(s for s in state.circle if s in state.order or s in back)
    dealer = state.dealer if state.dealer in (order or state.order) else next_dealer(state)
    draft = Draft(state.fork())
    draft.emit(ev.RoundBrokenOff(scores, dealer))
    if back:
        # Whom this round took out of the game is in again.
        draft.emit(ev.SeatsChanged(order, state.game.seats, scores, dealer))
    return draft.state, draft.events


def end_game(state: State) -> tuple[State, list[Event]]:
    """End the game with the scores as they stand; of those still in, who leads has won.

    Raises RuleError if it is over, or if a round is being played.
    """
    _check_no_round(state, abandon=False)
    draft = Draft(state.fork())
    draft.emit(ev.GameWon(best_seats(state, state.order)))
    return draft.state, draft.events


def _check_opening(state: State, opening: Sequence[str]) -> tuple[str, ...]:
    ruleset = state.game.ruleset
    deck = ruleset.deck
    if not opening:
        raise RuleError("setup.opening", "opening", "must list the cards turned up, at least one")
    for i, name in enumerate(opening):
        card = state.game.cards.get(name)
        if card is None:
            reason = no_such_card(name, state.game.cards)
            raise RuleError("deck.unknown", f"opening[{i}]", reason)
        rule = ruleset.replaced.get(card.symbol)
        last = i == len(opening) - 1
        if (rule and last) or not (rule or _opens(ruleset, card)):
            raise RuleError(
                rule or "setup.opening",
                f"opening[{i}]",
                Message("{card} does not stay on top: turn another", card=name),
            )
        if not last and not rule:
            raise RuleError(
                "setup.opening",
                f"opening[{i}]",
                Message("{card} stays on top: turn no more", card=name),
            )
    discarded = tuple(opening) if ruleset.replaced_stay else (opening[-1],)
    excess = deck.excess(discarded, {})
    if excess is not None:
        raise RuleError(
            "deck.count", "opening", Message("the deck does not have that many {card}", card=excess)
        )
    return discarded


def _opens(ruleset: Ruleset, card: Card) -> bool:
    """Return whether a round can open with a card; it can with each number of the first side."""
    return card.symbol in ruleset.openings or (card.number is not None and card.side == 0)


def go_out(
    draft: Draft, seat: int, symbol: str | None = None, victim: int = 0, stacked: int = 0
) -> None:
    """end.out: the seat has no card left.

    ``symbol`` is that of the last card played, ``victim`` the player it was laid against,
    ``stacked`` the cards of those below it.
    """
    state = draft.state
    ruleset = state.game.ruleset
    count = ruleset.last_draws.get(symbol, 0) if symbol else 0
    if symbol and count and not draft.protected(victim, symbol):
        draft.must_draw(victim, count + stacked, "end.last-draw", seat)
    draft.emit(ev.RoundWon(seat))
    if not scoring_of(state).counts:
        _win_at_once(draft, seat)
        return
    losers = [s for s in sorted(state.order) if s != seat and state.hands[s - 1]]
    draft.emit(ev.Awaited(None, tuple((s, "reveal") for s in losers)))
    if not losers:
        close_round(draft)


def _win_at_once(draft: Draft, seat: int) -> None:
    """score.hand: who goes out wins the game, with the team."""
    draft.emit(ev.Scored(draft.state.scores, draft.state.game.options.teams))
    draft.emit(ev.GameWon(tuple(sorted(side_of(draft.state, seat)))))


def close_round(draft: Draft) -> None:
    """score.*: score the round once all hands are shown, and end the game if it is won."""
    score(draft)
