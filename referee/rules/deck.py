"""Decks: which cards exist, and how many copies of each (deck.unknown, deck.count)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from referee.rules.cards import COLORS, Card


@dataclass(frozen=True, slots=True)
class Numbers:
    """The number cards of each colour: ``copies[n]`` cards of number n.

    ``per_color`` caps all numbers of a colour together where a sheet gives only that total.
    ``icons`` maps each power icon to the number of cards of a colour that carry it; those cards are
    played under ``icon_rule``.
    """

    copies: Mapping[int, int]
    per_color: int
    icons: Mapping[str, int] = field(default_factory=dict)
    icon_rule: str = "match"


@dataclass(frozen=True, slots=True)
class Symbol:
    """An action or wild card; ``copies`` are per colour, or in all if it is not ``colored``.

    ``back`` is the symbol on the other side of these very cards, where the sheet says what it is.
    """

    name: str
    copies: int
    points: int
    rule: str
    colored: bool = True
    back: str | None = None


class Deck:
    """The cards of a ruleset by id; ``limits`` gives the number of copies per tally.

    ``size`` counts cards. Those of a deck with an ``other_side`` have two faces, each with an id.
    """

    def __init__(
        self,
        numbers: Numbers,
        symbols: Iterable[Symbol],
        other_side: tuple[Numbers, Iterable[Symbol]] | None = None,
    ) -> None:
        self.limits: dict[str, int] = {}
        self._cards: dict[str, Card] = {}
        self.cards: Mapping[str, Card] = MappingProxyType(self._cards)
        self.size = self._add_side(0, numbers, symbols)
        if other_side is not None and self._add_side(1, *other_side) != self.size:
            raise ValueError("both sides of a deck have equally many faces")

    def _add_side(self, side: int, numbers: Numbers, symbols: Iterable[Symbol]) -> int:
        """Add the faces of a side. Returns how many cards have them."""
        symbols = tuple(symbols)
        for color in COLORS:
            self._add_numbers(color, numbers, side)
        for symbol in symbols:
            self._add_symbol(symbol, side)
        return len(COLORS) * numbers.per_color + sum(
            s.copies * (len(COLORS) if s.colored else 1) for s in symbols
        )

    def _add_numbers(self, color: str, numbers: Numbers, side: int) -> None:
        whole = f"{color}-numbers" if side == 0 else f"{color}-numbers-{side}"
        capped = sum(numbers.copies.values()) > numbers.per_color
        if capped:
            self.limits[whole] = numbers.per_color
        for number, copies in numbers.copies.items():
            face = f"{color}-{number}"
            self.limits[face] = copies
            for icon in (None, *numbers.icons):
                tallies: tuple[str, ...] = (face, whole) if capped else (face,)
                if icon is not None:
                    mark = f"{color}:{icon}"
                    self.limits[mark] = numbers.icons[icon]
                    tallies += (mark,)
                name = face if icon is None else f"{face}:{icon}"
                rule = "match" if icon is None else numbers.icon_rule
                self._add(Card(name, color, str(number), number, rule, number, icon, tallies, side))

    def _add_symbol(self, symbol: Symbol, side: int) -> None:
        for color in COLORS if symbol.colored else (None,):
            name, back = (
                f"{color}-{face}" if color and face else face for face in (symbol.name, symbol.back)
            )
            self.limits[str(name)] = symbol.copies
            self._add(
                Card(
                    str(name),
                    color,
                    symbol.name,
                    symbol.points,
                    symbol.rule,
                    tallies=(str(name),),
                    side=side,
                    back=back,
                )
            )

    def _add(self, card: Card) -> None:
        if card.id in self._cards:
            raise ValueError(f"the deck has two kinds of {card.id}")
        self._cards[card.id] = card

    def __iter__(self) -> Iterator[Card]:
        return iter(self._cards.values())

    def unknown(self, cards: Iterable[str]) -> str | None:
        """Return the first card that this deck lacks, or None."""
        return next((card for card in cards if card not in self._cards), None)

    def excess(self, cards: Iterable[str], seen: Mapping[str, int]) -> str | None:
        """Return the first of ``cards`` that exceeds the copies in the deck, or None.

        ``seen`` counts the cards known to lie elsewhere, by tally.
        """
        counts: dict[str, int] = {}
        for name in cards:
            for tally in self._cards[name].tallies:
                count = counts.get(tally, seen.get(tally, 0)) + 1
                if count > self.limits[tally]:
                    return name
                counts[tally] = count
        return None
