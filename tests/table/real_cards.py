"""The cards of a table at which people come and go, and what they are worth, counted by hand."""

import copy
from dataclasses import dataclass
from typing import Any

from referee.demo.players.dealer import Dealer
from referee.demo.players.observer import Memory
from referee.demo.players.player import Player

FORTY = ("wild-shuffle", "wild-custom-1", "wild-custom-2", "wild-custom-3")


def worth(card: str) -> int:
    """Return the points of a card: section 7 of the rules, by its name alone."""
    symbol = card.partition(":")[0].partition("-")[2]
    if card.startswith("wild"):
        return 40 if card in FORTY else 50
    return int(symbol) if symbol.isdecimal() else 20


@dataclass(frozen=True, slots=True)
class Kept:
    """How the cards lay at some moment, and what people remembered."""

    cards: dict[str, Any]
    memory: dict[str, Any]


class RealCards(Dealer):
    """The real cards; ``order`` lists who is in, clockwise. Hands of others are empty."""

    order: tuple[int, ...] = ()

    def seat_down(self, order: tuple[int, ...]) -> None:
        """Say who plays the next round."""
        self.order = order
        self.seats = max(self.seats, *order)
        self._hands = {seat: [] for seat in range(1, self.seats + 1)}

    def deal(self) -> tuple[str, ...]:
        """Deal to those who are in."""
        opening = super().deal()
        for seat, hand in self._hands.items():
            if seat not in self.order:
                self.draw_pile[:0] = hand
                self._hands[seat] = []
        return opening

    def leave(self, seat: int) -> None:
        """Put a hand unseen into the draw pile."""
        self.order = tuple(one for one in self.order if one != seat)
        self.draw_pile += self._hands[seat]
        self._hands[seat] = []
        self.rng.shuffle(self.draw_pile)
        self._next_pile = []

    def keep(self, memory: Memory) -> Kept:
        """Return how everything lies now."""
        names = ("draw_pile", "discard_pile", "_hands", "_drawn", "_next_pile", "order")
        cards = {name: copy.deepcopy(getattr(self, name)) for name in names}
        return Kept(cards, copy.deepcopy(vars(memory)))

    def put_back(self, kept: Kept, memory: Memory) -> None:
        """Lay everything as it lay at that moment."""
        for name, value in copy.deepcopy(kept.cards).items():
            setattr(self, name, value)
        vars(memory).update(copy.deepcopy(kept.memory))

    def points(self, seat: int) -> int:
        """Count the points of a hand."""
        return sum(worth(card) for card in self.hand(seat))


class Guest(Player):
    """A player at a table at which people come and go."""

    dealer: RealCards

    def others(self) -> list[int]:
        """Return the other seats that are in."""
        return [seat for seat in self.dealer.order if seat != self.seat]


def forget_seat(memory: Memory, seat: int) -> None:
    """Forget what a seat that leaves could still do."""
    memory.owed = [one for one in memory.owed if one != seat]
    if memory.follow_up is not None and memory.follow_up.seat == seat:
        memory.follow_up = None
    memory.offers = [offer for offer in memory.offers if offer.seat != seat]
