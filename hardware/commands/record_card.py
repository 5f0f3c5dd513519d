"""Names of cards as a person types them while filming: ``r7``, ``gs``, ``b+2``, ``w4``."""

import re
from collections.abc import Mapping, Sequence
from random import Random

from hardware.camera.decks import Card, cards_of

COLOURS = {"r": "red", "y": "yellow", "g": "green", "b": "blue"}
SYMBOLS = {
    "s": "skip",
    "r": "reverse",
    "+1": "draw-one",
    "+2": "draw-two",
    "t": "take-two-towers",
}
WILDS = {"w": "wild", "w4": "wild-draw-four", "+4": "wild-draw-four", "wt": "wild-take-tower"}
TWICE = (*"123456789", "skip", "reverse", "draw-two")
"""Symbols of which every deck has two cards in each colour."""
HELP = "r7 red 7, gs green skip, yr yellow reverse, b+2 blue draw two, w wild, w4 wild draw four"
_SHORT = re.compile(r"([rygb])-?([0-9]|s|r|\+1|\+2|t)(:[uno!])?")


def read_card(text: str, ruleset: str | None) -> str | None:
    """Return the id of the deck's card that a person typed; None if there is no such card."""
    text = "".join(text.lower().split())
    deck: Mapping[str, Card] = {card.id.lower(): card for card in cards_of(ruleset)}
    short = _SHORT.fullmatch(text)
    if short:
        colour, symbol, icon = short.groups()
        text = f"{COLOURS[colour]}-{SYMBOLS.get(symbol, symbol)}{icon or ''}"
    found = deck.get(WILDS.get(text, text))
    return None if found is None else found.id


def spoken(card: str) -> str:
    """Return a card's name for people."""
    return card.replace("-", " ")


def shuffled(ruleset: str, count: int, seed: int | None = None) -> Sequence[str]:
    """Return cards to lay in this order, as from a shuffled deck; at most what the deck holds."""
    deck = cards_of(ruleset)
    twice = [card.id for card in deck if card.symbol in TWICE and card.icon == "none"]
    pool = [card.id for card in deck] + twice
    return Random(seed).sample(pool, min(count, len(pool)))  # noqa: S311
