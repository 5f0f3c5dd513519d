"""The cards of the five decks as a reader tells them apart: colour, symbol and tower's icon."""

from dataclasses import dataclass
from functools import cache

COLOURS = ("red", "yellow", "green", "blue", "none")
"""Colour classes, in the order of the class index; `none` is the colour of black wild cards."""

ACTIONS = ("skip", "reverse", "draw-one", "draw-two", "take-two-towers")

WILDS = (
    "wild",
    "wild-draw-four",
    "wild-take-tower",
    "wild-tales",
    "wild-shuffle",
    "wild-custom",
    "wild-power",
    "wild-choose-power",
)

SYMBOLS = (*"0123456789", *ACTIONS, *WILDS)
"""Symbol classes, in the order of the class index."""

ICONS = ("none", "U", "N", "O", "!")
"""Icon classes of number cards, in the order of the class index."""

SUITS = COLOURS[:4]


@dataclass(frozen=True)
class Card:
    """What can be seen on one card.

    Attributes:
        id: The card's id as in the game record, such as `red-7:U` or `wild-custom-2`.
        colour: One of `COLOURS`.
        symbol: One of `SYMBOLS`.
        icon: One of `ICONS`.
        number: Which of several cards with one symbol this is (custom cards 1 to 3), else 0.
    """

    id: str
    colour: str
    symbol: str
    icon: str = "none"
    number: int = 0

    @property
    def classes(self) -> tuple[int, int, int]:
        """Class indices of colour, symbol and icon."""
        return (
            COLOURS.index(self.colour),
            SYMBOLS.index(self.symbol),
            ICONS.index(self.icon),
        )


def _suited(symbols: tuple[str, ...]) -> list[Card]:
    return [Card(f"{c}-{s}", c, s) for c in SUITS for s in symbols]


def _with_icons(symbols: tuple[str, ...]) -> list[Card]:
    return [Card(f"{c}-{s}:{i}", c, s, i) for c in SUITS for s in symbols for i in ICONS[1:]]


def _wilds(*symbols: str) -> list[Card]:
    return [Card(s, "none", s) for s in symbols]


def _custom() -> list[Card]:
    return [Card(f"wild-custom-{n}", "none", "wild-custom", number=n) for n in (1, 2, 3)]


def _powers() -> list[Card]:
    return [Card(f"wild-power-{c}", c, "wild-power") for c in SUITS]


_DIGITS = tuple("0123456789")
_CLASSIC = (*_DIGITS, "skip", "reverse", "draw-two")
_WITHOUT_ZERO = (*_DIGITS[1:], "skip", "reverse", "draw-two")

RULESETS: dict[str, tuple[Card, ...]] = {
    "classic-108": (*_suited(_CLASSIC), *_wilds("wild", "wild-draw-four")),
    "classic-112": (
        *_suited(_CLASSIC),
        *_wilds("wild", "wild-draw-four", "wild-shuffle"),
        *_custom(),
    ),
    "moomin": (*_suited(_CLASSIC), *_wilds("wild", "wild-draw-four", "wild-tales")),
    "power-grab": (
        *_suited((*_WITHOUT_ZERO, "draw-one", "take-two-towers")),
        *_with_icons(_DIGITS[1:]),
        *_wilds("wild-take-tower", "wild-draw-four"),
    ),
    "color-powers": (
        *_suited(_WITHOUT_ZERO),
        *_powers(),
        *_wilds("wild-choose-power", "wild-draw-four"),
    ),
}
"""The different cards (not the copies) of each ruleset's deck."""


@cache
def all_cards() -> dict[str, Card]:
    """Every card of the five decks by its id."""
    return {card.id: card for deck in RULESETS.values() for card in deck}
