"""The real deck, hands and piles of a table, which the referee never sees.

The dealer carries out what the referee announces (``obey``), as people at a table would, from the
public events alone. What the table decides (the shuffle, which cards are discarded when only their
number is known) comes from its own random numbers.
"""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from referee.rules.cards import COLORS, Card
from referee.rules.options import Options
from referee.rules.play.checks import kind_that_matches
from referee.rules.position import events as ev
from referee.rules.position.evidence import is_of_kind
from referee.rules.ruleset import Ruleset


class ImpossibleError(Exception):
    """The referee announced something that the real cards do not allow."""


class TwoSided(str):
    """A card with a face on its other side too; as a text it is the face that is up."""

    __slots__ = ("back",)
    back: "TwoSided"


def print_deck(ruleset: Ruleset, options: Options, rng: Random) -> list[str]:
    """Return the cards in play of one possible print of a ruleset's deck.

    ``rng`` decides what the rule sheet leaves open: which numbers carry an icon, which number is
    missing from a colour, and, where cards have two sides, which faces are on one card.
    """
    sides = {card.side for card in ruleset.deck}
    fronts, *others = (_faces(ruleset, options, rng, side) for side in sorted(sides))
    return _two_sided(ruleset, fronts, others[0], rng) if others else fronts


def _two_sided(ruleset: Ruleset, fronts: list[str], backs: list[str], rng: Random) -> list[str]:
    """Join the faces of both sides to cards."""
    left = list(backs)
    rng.shuffle(left)
    cards: list[str] = []
    for name in sorted(fronts, key=lambda name: ruleset.deck.cards[name].back is None):
        other = ruleset.deck.cards[name].back or left[-1]
        left.remove(other)
        front, back = TwoSided(name), TwoSided(other)
        front.back, back.back = back, front
        cards.append(front)
    return cards


def _faces(ruleset: Ruleset, options: Options, rng: Random, side: int) -> list[str]:
    """Return the faces of one side of a print."""
    deck = [card for card in ruleset.deck if card.side == side]
    limits = ruleset.deck.limits
    cards = []
    for color in COLORS:
        plain = [c for c in deck if c.number is not None and c.color == color and not c.icon]
        numbers = [c.id for c in plain for _ in range(limits[c.id])]
        rng.shuffle(numbers)
        whole = f"{color}-numbers" if side == 0 else f"{color}-numbers-{side}"
        del numbers[limits.get(whole, len(numbers)) :]
        icons = sorted({c.icon for c in deck if c.icon is not None and c.color == color})
        marks = [icon for icon in icons for _ in range(limits[f"{color}:{icon}"])]
        cards += [f"{number}:{mark}" for number, mark in zip(numbers, marks, strict=False)]
        cards += numbers[len(marks) :]
    for card in deck:
        if card.number is None and not ruleset.left_out(card, options):
            cards += [card.id] * limits[card.id]
    return cards


def same_face(card: Card, other: Card) -> bool:
    """Return whether two cards have the same colour and the same number or symbol."""
    return (card.color, card.symbol) == (other.color, other.symbol)


def stacks(dealer: "Dealer", name: str, top: str) -> bool:
    """Return whether a card answers the draw card on top."""
    symbol, hit = dealer.card(name).symbol, dealer.card(top).symbol
    how = dealer.options.stacking
    if how == "same":
        return symbol == hit
    draws = dealer.ruleset.draws
    return how == "any" and draws.get(symbol, 0) >= draws[hit]


def can_be_doubted(dealer: "Dealer", top: str, flipped: bool) -> bool:
    """Return whether the card on top can be challenged."""
    return top == "wild-draw-four" and not flipped and dealer.options.wild_draw_four == "challenge"


class Dealer:
    """The cards of one table. The top of a pile is the end of its list."""

    def __init__(self, ruleset: Ruleset, options: Options, seats: int, rng: Random) -> None:
        self.ruleset = ruleset
        self.options = options
        self.seats = seats
        self.rng = rng
        self.deck = print_deck(ruleset, options, rng)
        self.draw_pile: list[str] = []
        self.discard_pile: list[str] = []
        self._hands: dict[int, list[str]] = {seat: [] for seat in range(1, seats + 1)}
        self._drawn: dict[int, list[str]] = {}
        self._next_pile: list[str] = []
        self._out: set[int] = set()

    def deal(self) -> tuple[str, ...]:
        """Shuffle, deal a round, and return the opening cards that were turned up."""
        if self.card(self.deck[0]).side:
            self.deck = [card.back for card in self.deck if isinstance(card, TwoSided)]
        self.draw_pile = list(self.deck)
        self.rng.shuffle(self.draw_pile)
        self.discard_pile, self._next_pile, self._drawn = [], [], {}
        for seat in self._hands:
            size = 0 if seat in self._out else self.options.hand_size
            self._hands[seat] = [self.draw_pile.pop() for _ in range(size)]
        opening = []
        while True:
            name = self.draw_pile.pop()
            opening.append(name)
            replaced = self.card(name).symbol in self.ruleset.replaced
            if replaced and not self.ruleset.replaced_stay:
                self.draw_pile.insert(self.rng.randrange(len(self.draw_pile)), name)
                continue
            self.discard_pile.append(name)
            if not replaced:
                return tuple(opening)

    def draw_for_deal(self) -> dict[int, str]:
        """Draw one card for every seat, to find out who deals."""
        cards = self.rng.sample(self.deck, self.seats)
        return dict(enumerate(cards, 1))

    def card(self, name: str) -> Card:
        """Return the card with this id."""
        return self.ruleset.deck.cards[name]

    def hand(self, seat: int) -> tuple[str, ...]:
        """Return the cards that a seat holds, sorted."""
        return tuple(sorted(self._hands[seat]))

    def drawn(self, seat: int) -> tuple[str, ...]:
        """Return the cards of a seat's last draw, of which it may play one."""
        return tuple(self._drawn.get(seat, ()))

    def matches(self, name: str, color: str | None, opening: bool) -> bool:
        """Return whether a card matches the pile, with ``color`` in force."""
        kind = kind_that_matches(self.ruleset, self.discard_pile[-1], color, opening)
        return is_of_kind(self.card(name), *kind)

    def may_lay_draw_four(self, seat: int, color: str | None) -> bool:
        """Return whether a wild-draw-four from this hand would be honest."""
        if self.options.wild_draw_four == "free":
            return True
        rest = list(self.hand(seat))
        if "wild-draw-four" in rest:
            rest.remove("wild-draw-four")
        wilds = self.ruleset.challenge_counts_wilds
        cards = [self.card(name) for name in rest]
        return not any(card.color == color or (wilds and card.wild) for card in cards)

    def next_card(self) -> str | None:
        """Return the card that the next draw or flip brings; None if there is none left."""
        return next(self._coming(), None)

    def draws_until_playable(self, color: str | None, opening: bool) -> int:
        """Count the draws until a card matches the pile, or none is left."""
        count = 0
        for name in self._coming():
            count += 1
            if self.matches(name, color, opening):
                break
        return count

    def draws_until(self, color: str) -> int:
        """Count the draws until a card of this colour comes, or none is left."""
        count = 0
        for name in self._coming():
            count += 1
            if self.card(name).color == color:
                break
        return count

    def obey(self, event: ev.Event) -> None:
        """Carry out an event with the real cards. Raises ImpossibleError."""
        follow = _OBEY.get(type(event))
        if follow is not None:
            follow(self, event)

    def _coming(self) -> Iterator[str]:
        """Yield the cards in the order they will be drawn, shuffling the discard pile early."""
        yield from reversed(self.draw_pile)
        self._prepare_next_pile()
        yield from reversed(self._next_pile)

    def _prepare_next_pile(self) -> None:
        if sorted(self._next_pile) != sorted(self.discard_pile[:-1]):
            self._next_pile = self.discard_pile[:-1]
            self.rng.shuffle(self._next_pile)

    def _take(self, seat: int, name: str) -> str:
        """Take a card from a hand: that very one, which may have a side that is down."""
        hand = self._hands[seat]
        if name not in hand:
            raise ImpossibleError(f"seat {seat} does not hold {name}")
        return hand.pop(hand.index(name))

    def _ruled(self, event: ev.Ruled) -> None:
        if event.move == "Draw" and event.verdict == "legal":
            self._drawn[event.seat] = []

    def _drew(self, event: ev.Drew) -> None:
        if event.count > len(self.draw_pile):
            raise ImpossibleError(f"{event.count} cards from a pile of {len(self.draw_pile)}")
        taken = [self.draw_pile.pop() for _ in range(event.count)]
        self._hands[event.seat] += taken
        self._drawn.setdefault(event.seat, []).extend(taken)

    def _reshuffle(self) -> None:
        self._prepare_next_pile()
        self.draw_pile = self._next_pile + self.draw_pile
        self._next_pile = []
        del self.discard_pile[:-1]

    def _played(self, event: ev.Played) -> None:
        self.discard_pile.append(self._take(event.seat, event.card))

    def _flipped(self, event: ev.Flipped) -> None:
        if not self.draw_pile or self.draw_pile[-1] != event.card:
            raise ImpossibleError(f"{event.card} does not lie on the draw pile")
        self.discard_pile.append(self.draw_pile.pop())

    def _turned_over(self, event: ev.TurnedOver) -> None:
        for cards in (self.deck, self.draw_pile, self.discard_pile, *self._hands.values()):
            cards[:] = [card.back for card in cards if isinstance(card, TwoSided)]
        self._next_pile, self._drawn = [], {}
        self.draw_pile.reverse()
        if self.discard_pile[-1] != event.card:
            raise ImpossibleError(f"{self.discard_pile[-1]} is on top, not {event.card}")

    def _discarded(self, event: ev.Discarded) -> None:
        hand = self._hands[event.seat]
        if event.count > len(hand):
            raise ImpossibleError(f"seat {event.seat} has no {event.count} cards to discard")
        for name in event.cards or self._unnamed(hand, event.count):
            self.discard_pile.insert(-1, self._take(event.seat, name))

    def _unnamed(self, hand: list[str], count: int) -> list[str]:
        """Choose the cards of a discard that was only counted: the wilds if those are asked for."""
        wilds = [name for name in hand if self.card(name).wild]
        if self._asks_for_wilds and count == len(wilds):
            return wilds
        return self.rng.sample(hand, count)

    @property
    def _asks_for_wilds(self) -> bool:
        return self.card(self.discard_pile[-1]).rule == "card.wild-custom"

    def _gave(self, event: ev.Gave) -> None:
        for name in event.cards:
            self._hands[event.to].append(self._take(event.seat, name))

    def _redealt(self, event: ev.Redealt) -> None:
        cards = [name for seat in event.seats for name in self._hands[seat]]
        self.rng.shuffle(cards)
        for place, seat in enumerate(event.seats):
            self._hands[seat] = cards[place :: len(event.seats)]
        counts = tuple(len(self._hands[seat]) for seat in sorted(self._hands))
        if counts != event.hands:
            raise ImpossibleError(f"dealt again, hands are {counts}, not {event.hands}")

    def _passed(self, event: ev.HandsPassed) -> None:
        hands = {seat: self._hands[seat] for seat in event.seats}
        for seat, to in zip(event.seats, (*event.seats[1:], event.seats[0]), strict=True):
            self._hands[to] = hands[seat]

    def _revealed(self, event: ev.Revealed) -> None:
        if tuple(sorted(event.hand)) != self.hand(event.seat):
            raise ImpossibleError(f"seat {event.seat} does not hold {', '.join(event.hand)}")


_OBEY: dict[type[ev.Event], Callable[[Dealer, Any], None]] = {
    ev.Ruled: Dealer._ruled,
    ev.Drew: Dealer._drew,
    ev.Reshuffled: lambda dealer, _: dealer._reshuffle(),
    ev.Played: Dealer._played,
    ev.Flipped: Dealer._flipped,
    ev.TurnedOver: Dealer._turned_over,
    ev.Discarded: Dealer._discarded,
    ev.Gave: Dealer._gave,
    ev.Redealt: Dealer._redealt,
    ev.HandsPassed: Dealer._passed,
    ev.SeatsOut: lambda dealer, event: dealer._out.update(event.seats),
    ev.Revealed: Dealer._revealed,
}
