"""Calls of UNO, proofs, gifts and last draws, counted anew from all that has happened.

Nothing here is shared with the engine's ledgers and calls: every claim is recounted over every
event since, and a turn is what lies between two players' acts (R56 to R59).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from referee.rules import actions as act
from referee.rules.actions import Move
from referee.rules.cards import Card
from referee.rules.position import events as ev
from referee.rules.position.state import State

FOUR = "wild-draw-four"


class Recount:
    """What has happened in a round, and what follows from it."""

    def __init__(self) -> None:
        self.events: list[ev.Event] = []
        self.called_in_turn: set[int] = set()
        self.uno: set[int] = set()

    def see(self, move: Move, before: State, after: State, events: Sequence[ev.Event]) -> None:
        """Follow a move and the events that it brought."""
        hands = dict(enumerate(before.hands, 1))
        if isinstance(move, act.CallUno) and before.in_progress:
            self._call(move.seat, hands, _in_turn(before, move.seat))
        for event in events:
            self._count(event, hands)
            if isinstance(event, ev.Played) and isinstance(move, act.Play) and move.uno:
                jumps = any(isinstance(one, ev.JumpedIn) for one in events)
                self._call(move.seat, hands, jumps or before.turn == move.seat)
        self.events += events
        if not after.in_progress:
            self.uno.clear()
        self.uno = {seat for seat in self.uno if hands[seat] == 1}
        # A challenger who was right (R8) and who names the opening's colour play on in their turn.
        opens = isinstance(move, act.NameColor) and before.laid is None
        plays_on = (isinstance(move, act.Reveal) or opens) and after.turn == before.turn
        goes_on = plays_on or not any(isinstance(event, ev.TurnCame) for event in events)
        playing = {after.follow_up.seat} if after.follow_up else set()
        self.called_in_turn &= playing | ({after.turn} if goes_on and after.turn else set())
        for event in events:
            if isinstance(event, ev.JumpedIn):
                self.called_in_turn &= {event.seat}

    def _call(self, seat: int, hands: dict[int, int], in_turn: bool) -> None:
        if hands[seat] == 1:
            self.uno.add(seat)
        if in_turn:
            self.called_in_turn.add(seat)

    def _count(self, event: ev.Event, hands: dict[int, int]) -> None:
        """Count the hands, and who is down to one card with a call."""
        match event:
            case ev.Played(seat):
                self._lose(seat, 1, hands)
            case ev.Discarded(seat, count):
                self._lose(seat, count, hands)
            case ev.Gave(seat, to, cards):
                self._lose(seat, len(cards), hands)
                hands[to] += len(cards)
                self.uno.discard(to)
            case ev.Drew(seat, count):
                hands[seat] += count
                self.uno.discard(seat)
            case ev.Redealt(seats, counts):
                hands.update(enumerate(counts, 1))
                self.uno -= {*seats}
            case ev.HandsPassed(seats):
                given = [hands[seat] for seat in seats]
                hands.update(zip((*seats[1:], seats[0]), given, strict=True))
                self.uno -= {*seats}
                self.called_in_turn -= {*seats}
            case ev.RoundWon():
                self.called_in_turn.clear()

    def _lose(self, seat: int, count: int, hands: dict[int, int]) -> None:
        hands[seat] -= count
        self.uno.discard(seat)
        if hands[seat] == 1 and seat in self.called_in_turn:
            self.uno.add(seat)

    def gifts(self, seat: int) -> Counter[str]:
        """Return the cards that the seat was given and has not shown since."""
        gifts: Counter[str] = Counter()
        for event in self.events:
            if isinstance(event, ev.Gave) and event.to == seat:
                gifts.update(event.cards)
            elif _unknown_since(event, seat):
                gifts.clear()
            else:
                gifts -= Counter(_shown(event, seat))
        return gifts

    def proofs(self, cards: dict[str, Card]) -> set[tuple[int, int, str]]:
        """Return every claim that the cards shown since prove false."""
        found = set()
        for place, claim in enumerate(self.events):
            if isinstance(claim, ev.Claimed) and self._is_false(claim, self.events[place:], cards):
                found.add((claim.seat, claim.move, claim.rule))
        return found

    def _is_false(self, claim: ev.Claimed, since: list[ev.Event], cards: dict[str, Card]) -> bool:
        """Whether more cards of the kind were shown at some moment than can have come since."""
        seat, balance = claim.seat, claim.held and 1 - claim.held
        for event in since:
            if _unknown_since(event, seat):
                return False
            if isinstance(event, ev.Drew) and event.seat == seat:
                balance -= event.count
            elif isinstance(event, ev.Gave) and event.to == seat:
                balance -= sum(_of_kind(cards[name], claim) for name in event.cards)
            hand = event.hand if isinstance(event, ev.Revealed) and event.seat == seat else ()
            balance += sum(_of_kind(cards[name], claim) for name in _shown(event, seat))
            if balance + sum(_of_kind(cards[name], claim) for name in hand) > 0:
                return True
        return False


def _in_turn(state: State, seat: int) -> bool:
    return state.turn == seat or (state.follow_up is not None and state.follow_up.seat == seat)


def _unknown_since(event: ev.Event, seat: int) -> bool:
    """Return whether the seat's hand is another one after the event, or its faces are."""
    if isinstance(event, ev.Redealt | ev.HandsPassed):
        return seat in event.seats
    return isinstance(event, ev.TurnedOver)


def _shown(event: ev.Event, seat: int) -> Iterator[str]:
    """Yield the cards that left the seat's hand before everybody's, or the receiver's, eyes."""
    if isinstance(event, ev.Played) and event.seat == seat:
        yield event.card
    elif isinstance(event, ev.Discarded | ev.Gave) and event.seat == seat:
        yield from event.cards


def _of_kind(card: Card, claim: ev.Claimed) -> bool:
    if card.color is None:
        return claim.wilds or card.symbol == claim.symbol
    return claim.color == card.color or card.symbol == claim.symbol


def drawn_at_the_end(before: State, events: Sequence[ev.Event]) -> tuple[int, int] | None:
    """Return who has to draw before a round ends by a gift, and how many (R58); None if nobody."""
    needs: dict[str, Any] = {need: seat for seat, need in before.awaiting}
    hit = needs.get("respond")
    due = before.stack or 4
    if "color" in needs and before.top == FOUR:
        hit, due = before.seat_after(needs["color"]), before.stack + 4
    protected = hit is not None and before.powers["yellow"] == hit
    return None if hit is None or protected else (hit, due)
