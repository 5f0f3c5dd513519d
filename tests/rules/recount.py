"""Calls of UNO, proofs, gifts and last draws, counted anew from all that has happened.

Nothing here is shared with the engine's ledgers and calls: every claim is counted by itself over
every event since, and a turn is what lies between two players' acts (R56 to R59).
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from referee.rules import actions as act
from referee.rules.actions import Move
from referee.rules.cards import Card
from referee.rules.position import events as ev
from referee.rules.position.state import State

FOUR = "wild-draw-four"


class Recount:
    """What has happened in a round, and what follows from it."""

    def __init__(self, cards: dict[str, Card]) -> None:
        self.called_in_turn: set[int] = set()
        self.uno: set[int] = set()
        self.proofs: set[tuple[int, int, str]] = set()
        self._cards = cards
        self._gifts: defaultdict[int, Counter[str]] = defaultdict(Counter)
        self._open: list[_OpenClaim] = []

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
            self._prove(event)
            self._keep_gifts(event)
        if not after.in_progress:
            self.uno.clear()
        self.uno = {seat for seat in self.uno if hands[seat] == 1}
        # A challenger who was right (R8) and who names the opening's colour play on in their turn.
        opens = isinstance(move, act.NameColor) and before.laid is None
        same = after.turn == before.turn
        plays_on = same and (isinstance(move, act.Reveal) or opens)
        came = any(isinstance(event, ev.TurnCame) for event in events)
        # Who is hit has a turn of their own from then on, whatever they laid before.
        goes_on = plays_on or (same and not came)
        # A second card is of the turn, and so is its colour.
        playing = {seat for seat, need in after.awaiting if need == "color"}
        if after.follow_up:
            playing.add(after.follow_up.seat)
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
        return self._gifts[seat]

    def _keep_gifts(self, event: ev.Event) -> None:
        if isinstance(event, ev.Gave):
            self._gifts[event.to].update(event.cards)
        for seat, gifts in self._gifts.items():
            if _unknown_since(event, seat):
                gifts.clear()
            elif gifts:
                gifts -= Counter(_shown(event, seat))

    def _prove(self, event: ev.Event) -> None:
        """Find the claims that the cards shown since prove false."""
        goes_on = []
        for claim in self._open:
            verdict = claim.see(event, self._cards)
            if verdict:
                self.proofs.add((claim.event.seat, claim.event.move, claim.event.rule))
            elif verdict is None:
                goes_on.append(claim)
        self._open = goes_on
        if isinstance(event, ev.Claimed):
            self._open.append(_OpenClaim(event))


class _OpenClaim:
    """A claim of which it is not known yet whether it is false.

    It is when more cards of the kind were shown at some moment than can have come since.
    """

    def __init__(self, event: ev.Claimed) -> None:
        self.event = event
        self._balance = event.held and 1 - event.held

    def see(self, event: ev.Event, cards: dict[str, Card]) -> bool | None:
        """Return whether the claim is false; None while that is not known."""
        seat = self.event.seat
        if _unknown_since(event, seat):
            return False
        if isinstance(event, ev.Drew) and event.seat == seat:
            self._balance -= event.count
        elif isinstance(event, ev.Gave) and event.to == seat:
            self._balance -= self._count(event.cards, cards)
        hand = event.hand if isinstance(event, ev.Revealed) and event.seat == seat else ()
        self._balance += self._count(_shown(event, seat), cards)
        return True if self._balance + self._count(hand, cards) > 0 else None

    def _count(self, names: Iterable[str], cards: dict[str, Card]) -> int:
        return sum(_of_kind(cards[name], self.event) for name in names)


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
