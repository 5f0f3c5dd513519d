"""Fold what is known of hidden hands: cards taken and shown, claims and proofs."""

from collections import Counter

from referee.rules.cards import Card
from referee.rules.position import events as ev
from referee.rules.position.evidence import EMPTY_LEDGER, count_shown, drop_claim, open_claim
from referee.rules.position.fold_seats import change_hand
from referee.rules.position.state import Ledger, Proof, State


def take(state: State, seat: int, count: int) -> None:
    """Add cards that nobody saw to a hand."""
    ledger = state.ledgers.get(seat)
    if ledger is not None:
        taken = Ledger(ledger.taken + count, ledger.watches)
        state.ledgers = {**state.ledgers, seat: taken}
    hold_more(state, seat, count)


def hold_more(state: State, seat: int, count: int) -> None:
    """Add cards to a hand; with two or more it is no longer down to one."""
    if change_hand(state, seat, count) > 1:
        if seat in state.uno:
            state.uno = tuple(s for s in state.uno if s != seat)
        if seat in state.owed:
            state.owed = tuple(s for s in state.owed if s != seat)


def show_cards(state: State, seat: int, cards: tuple[Card, ...]) -> None:
    """Count cards that left a hand for all to see: claims may be proved false by them."""
    if seat in state.gifts:
        left = Counter(state.gifts[seat]) - Counter(card.id for card in cards)
        state.gifts = {**state.gifts, seat: tuple(left.elements())}
    ledger = state.ledgers.get(seat)
    if ledger is not None:
        set_ledger(state, seat, count_shown(ledger, cards, state.hands[seat - 1]))


def set_ledger(state: State, seat: int, ledger: Ledger | None) -> None:
    """Keep the ledger of a seat, or forget it."""
    ledgers = dict(state.ledgers)
    if ledger is None:
        ledgers.pop(seat, None)
    else:
        ledgers[seat] = ledger
    state.ledgers = ledgers


def claimed(state: State, e: ev.Claimed) -> None:
    """Note what a move claims about the hand."""
    claim = (e.move, e.rule, e.color, e.symbol, e.wilds, e.held)
    before = state.ledgers.get(e.seat, EMPTY_LEDGER)
    state.ledgers = {**state.ledgers, e.seat: open_claim(before, *claim)}


def proved(state: State, e: ev.Proved) -> None:
    """Note a proof, and drop the claim that it disproves."""
    state.evidence = (*state.evidence, Proof(e.seat, e.move, e.rule))
    ledger = state.ledgers.get(e.seat)
    if ledger is not None:
        set_ledger(state, e.seat, drop_claim(ledger, e.move))
