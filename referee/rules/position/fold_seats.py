"""Fold what happens to the seats themselves: their hands' sizes, who leaves, who comes."""

from collections.abc import Iterable
from dataclasses import replace

from referee.rules.position import events as ev
from referee.rules.position.state import State


def change_hand(state: State, seat: int, change: int) -> int:
    """Add cards to a hand, or take some away; return how many it has then."""
    hands = list(state.hands)
    count = hands[seat - 1] = hands[seat - 1] + change
    state.hands = tuple(hands)
    return count


def receivers(e: ev.HandsPassed) -> list[tuple[int, int]]:
    """Return each seat that gave its hand away with the seat that got it."""
    return list(zip(e.seats, (*e.seats[1:], e.seats[0]), strict=True))


def forget_gifts(state: State, seats: Iterable[int]) -> None:
    """Forget what seats were given: their hands are others now, or cards left them unseen (R57)."""
    if state.gifts:
        state.gifts = {s: cards for s, cards in state.gifts.items() if s not in seats}


def hands_passed(state: State, e: ev.HandsPassed) -> None:
    """Give each hand to the next seat; proofs, calls and chances to catch stay behind (R45)."""
    hands = list(state.hands)
    for seat, to in receivers(e):
        hands[to - 1] = state.hands[seat - 1]
    state.hands = tuple(hands)
    state.uno = tuple(s for s in state.uno if s not in e.seats)
    state.owed = tuple(s for s in state.owed if s not in e.seats)
    state.early_calls = tuple(s for s in state.early_calls if s not in e.seats)
    state.ledgers = {s: ledger for s, ledger in state.ledgers.items() if s not in e.seats}
    forget_gifts(state, e.seats)


def seats_out(state: State, e: ev.SeatsOut) -> None:
    """Skip the seats from now on; their last hands stay counted until the next round."""
    state.order = tuple(s for s in state.order if s not in e.seats)


def end_open_hands(state: State, seat: int) -> None:
    """End what was to last until the seat's turn."""
    left = {s: tuple(u for u in until if u != seat) for s, until in state.open_hands.items()}
    state.open_hands = {s: until for s, until in left.items() if until}


def end_notices(state: State, seat: int) -> None:
    """End the texts of custom cards that were shown until the seat's turn."""
    state.notices = tuple(notice for notice in state.notices if notice.until != seat)


def seat_left(state: State, e: ev.SeatLeft) -> None:
    """Take a seat out of a round, with all that it held and had to do."""
    seat = e.seat
    if state.next_deal == seat or (state.dealer == seat and not state.next_deal):
        state.next_deal = state.left_of(seat) if len(state.order) > 1 else 0
    if state.laid is not None and state.laid.victim == seat:
        state.laid = replace(state.laid, victim=state.seat_after(seat))
    state.order = tuple(s for s in state.order if s != seat)
    held = state.hands[seat - 1]
    state.draw_pile += held
    change_hand(state, seat, -held)
    state.ledgers = {s: ledger for s, ledger in state.ledgers.items() if s != seat}
    forget_gifts(state, (seat,))
    state.uno = tuple(s for s in state.uno if s != seat)
    state.owed = tuple(s for s in state.owed if s != seat)
    state.raised = {s: n for s, n in state.raised.items() if s != seat}
    # Nobody waits for the turn of a seat that has left.
    end_open_hands(state, seat)
    end_notices(state, seat)
    state.open_hands = {s: until for s, until in state.open_hands.items() if s != seat}
    state.early_calls = tuple(s for s in state.early_calls if s != seat)
    if state.follow_up is not None and state.follow_up.seat == seat:
        state.follow_up = None
    state.offers = tuple(offer for offer in state.offers if offer[0] != seat)
    if (seat, "play") in state.awaiting or (seat, "drawn") in state.awaiting:
        state.turn, state.opening = None, False
    state.awaiting = tuple(n for n in state.awaiting if n[0] != seat or n[1] == "color")


def seats_changed(state: State, e: ev.SeatsChanged) -> None:
    """Change names, scores and the order of the seats."""
    if e.names != state.game.seats:
        state.game = replace(state.game, seats=e.names)
        state.hands = (*state.hands, *[0] * (len(e.names) - len(state.hands)))
    for seat in set(state.order) - set(e.order):
        held = state.hands[seat - 1]
        state.draw_pile += held
        change_hand(state, seat, -held)
        state.uno = tuple(s for s in state.uno if s != seat)
        state.powers = {p: 0 if holder == seat else holder for p, holder in state.powers.items()}
    if e.order != state.order:
        state.circle = e.order
    state.scores, state.order, state.next_deal = e.scores, e.order, e.next_deal
