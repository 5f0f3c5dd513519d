"""The cards of each deck as the camera sees them: colour, symbol, tower icon, points."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

COLOURS = ("red", "yellow", "green", "blue", "none")
"""Colour classes, in the order of the networks' outputs; wild cards are ``none``."""

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
"""Symbol classes, in the order of the networks' outputs."""

ICONS = ("none", "U", "N", "O", "!")
"""Icon classes of number cards, in the order of the networks' outputs."""

SUITS = COLOURS[:4]
_ACTION_POINTS, _WRITTEN_POINTS, _WILD_POINTS = 20, 40, 50
_WRITTEN_WILDS = ("wild-shuffle", "wild-custom")


@dataclass(frozen=True)
class Card:
    """The visible features of a card.

    ``id`` is as in the game record, such as ``red-7:U``. ``number`` is 1 to 3 for the custom cards,
    which share a symbol, and otherwise 0.
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

    @property
    def points(self) -> int:
        """Points in a hand, as on the sheets; house rules may differ."""
        if self.symbol.isdigit():
            return int(self.symbol)
        if self.symbol in ACTIONS:
            return _ACTION_POINTS
        return _WRITTEN_POINTS if self.symbol in _WRITTEN_WILDS else _WILD_POINTS


def _suited(symbols: tuple[str, ...]) -> list[Card]:
    return [Card(f"{c}-{s}", c, s) for c in SUITS for s in symbols]


def _with_icons(symbols: tuple[str, ...]) -> list[Card]:
    return [Card(f"{c}-{s}:{i}", c, s, i) for c in SUITS for s in symbols for i in ICONS[1:]]


def _wilds(*symbols: str) -> list[Card]:
    return [Card(s, "none", s) for s in symbols]


_CUSTOM = [Card(f"wild-custom-{n}", "none", "wild-custom", number=n) for n in (1, 2, 3)]
_POWERS = [Card(f"wild-power-{c}", c, "wild-power") for c in SUITS]
_DIGITS = tuple("0123456789")
_CLASSIC = (*_DIGITS, "skip", "reverse", "draw-two")
_WITHOUT_ZERO = (*_DIGITS[1:], "skip", "reverse", "draw-two")

RULESETS: dict[str, tuple[Card, ...]] = {
    "classic-108": (*_suited(_CLASSIC), *_wilds("wild", "wild-draw-four")),
    "classic-112": (
        *_suited(_CLASSIC),
        *_wilds("wild", "wild-draw-four", "wild-shuffle"),
        *_CUSTOM,
    ),
    "moomin": (*_suited(_CLASSIC), *_wilds("wild", "wild-draw-four", "wild-tales")),
    "power-grab": (
        *_suited((*_WITHOUT_ZERO, "draw-one", "take-two-towers")),
        *_with_icons(_DIGITS[1:]),
        *_wilds("wild-take-tower", "wild-draw-four"),
    ),
    "color-powers": (
        *_suited(_WITHOUT_ZERO),
        *_POWERS,
        *_wilds("wild-choose-power", "wild-draw-four"),
    ),
}
"""The distinct cards (not copies) of each ruleset's deck."""


@cache
def all_cards() -> dict[str, Card]:
    """Return the cards of all decks by id."""
    return {card.id: card for deck in RULESETS.values() for card in deck}


def cards_of(ruleset: str | None) -> tuple[Card, ...]:
    """Return the cards of a ruleset's deck; of all decks for None. Raises KeyError."""
    return tuple(all_cards().values()) if ruleset is None else RULESETS[ruleset]


def strangers_of(deck: Sequence[Card]) -> tuple[Card, ...]:
    """Return the known cards whose colour and symbol a deck lacks."""
    signs = {(card.colour, card.symbol) for card in deck}
    return tuple(card for card in all_cards().values() if (card.colour, card.symbol) not in signs)
