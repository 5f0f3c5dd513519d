"""Cards drawn in a terminal, with the names of colours for viewers who cannot see them."""

import textwrap
from collections.abc import Mapping, Sequence

from rich.style import Style
from rich.text import Text

from referee.rules.cards import COLORS

# Distinguishable with any kind of colour vision (after Okabe and Ito).
PAINT: Mapping[str, str] = {
    "red": "#d55e00",
    "yellow": "#f0e442",
    "green": "#009e73",
    "blue": "#56b4e9",
}
# The colours of the towers.
TOWERS: Mapping[str, str] = {"U": "red", "N": "blue", "O": "green", "!": "yellow"}
COUNTS = ("one", "two", "three", "four", "five", "six")
SYMBOLS: Mapping[str, str] = {
    **{f"draw-{word}": f"+{n}" for n, word in enumerate(COUNTS, 1)},
    "take-two-towers": "2 TOWER",
    "take-tower": "TOWER",
    "choose-power": "POWER ?",
    "power-red": "P RED",
    "power-yellow": "P YELLO",
    "power-green": "P GREEN",
    "power-blue": "P BLUE",
    "custom-1": "CARD 1",
    "custom-2": "CARD 2",
    "custom-3": "CARD 3",
    "": "ANY",
}
INNER = 7
WIDTH = INNER + 2
HEIGHT = 5


def on(color: str) -> Style:
    """Return the style for black text on one of the four colours."""
    return Style(color="black", bgcolor=PAINT[color], bold=True)


def face(card: str, named: str | None) -> Text:
    """Draw a card, face up; a wild shows the colour in force, ``named``, at its foot."""
    name, _, icon = card.partition(":")
    first, _, rest = name.partition("-")
    symbol = SYMBOLS.get(rest, rest.upper().replace("-", " "))
    if first in COLORS:
        head = first.upper().ljust(INNER - len(icon)) + icon
        # A symbol that is not among them is told by its name, in two lines.
        words = *textwrap.wrap(symbol, INNER), ""
        return _framed(
            [(head, None), *((word.center(INNER), None) for word in words[:2])], on(first)
        )
    foot = f"→{named.upper()}".center(INNER) if named else " " * INNER
    rows = [
        ("WILD".ljust(INNER), None),
        (symbol.center(INNER), None),
        (foot, on(named) if named else None),
    ]
    return _framed(rows, Style(color="white", bgcolor="grey15", bold=True))


def back(count: int) -> Text:
    """Draw a pile of ``count`` cards, face down."""
    rows = [("░" * INNER, None), (str(count).center(INNER), None), ("░" * INNER, None)]
    return _framed(rows, Style(color="grey70"))


def _framed(rows: Sequence[tuple[str, Style | None]], style: Style) -> Text:
    drawn = Text(style=style, no_wrap=True)
    drawn.append("╭" + "─" * INNER + "╮\n")
    for text, own in rows:
        drawn.append("│")
        drawn.append(text[:INNER], own)
        drawn.append("│\n")
    return drawn.append("╰" + "─" * INNER + "╯")


def backs(count: int, room: int) -> str:
    """Draw a hand as the other players see it, within ``room`` characters."""
    cards = "▮" * count
    return f"{cards} {count}" if len(cards) + 3 <= room else f"▮×{count}"


def power(name: str) -> Text:
    """Draw a tower or power: its letter or word on its colour."""
    color = TOWERS.get(name, name)
    word = name if name in TOWERS else name.upper()
    return Text(f" {word} ", style=on(color) if color in PAINT else "bold")
