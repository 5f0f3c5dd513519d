"""Cards as the rule sheets name them.

A card is written as one word: ``red-7``, ``blue-skip``, ``wild-draw-four``; a number card with a
power icon carries it after a colon, ``red-7:U``.
"""

from dataclasses import dataclass

COLORS = ("red", "yellow", "green", "blue")


@dataclass(frozen=True, slots=True)
class Card:
    """One kind of card of a deck.

    ``symbol`` is what matches across colours: the digit of a number card, or the action's name.
    ``tallies`` are the keys under which copies of it are counted (see ``Deck.limits``).
    """

    id: str
    color: str | None
    symbol: str
    points: int
    rule: str
    number: int | None = None
    icon: str | None = None
    tallies: tuple[str, ...] = ()

    @property
    def wild(self) -> bool:
        """Whether the card has no colour of its own, so that its player names one."""
        return self.color is None
