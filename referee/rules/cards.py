"""Cards and their ids, such as ``red-7``, ``wild-draw-four`` and, with an icon, ``red-7:U``."""

from dataclasses import dataclass

COLORS = ("red", "yellow", "green", "blue")


@dataclass(frozen=True, slots=True)
class Card:
    """One kind of card of a deck.

    ``symbol`` matches across colours: the digit of a number card or the name of an action.
    ``rule`` is the id of the rule it is played under. Copies are counted under each of ``tallies``,
    the keys of ``Deck.limits``. ``side`` is the side of the deck that the face is on, 0 where cards
    have only one, and ``back`` the other side of the same card where the sheet says which that is.
    """

    id: str
    color: str | None
    symbol: str
    points: int
    rule: str
    number: int | None = None
    icon: str | None = None
    tallies: tuple[str, ...] = ()
    side: int = 0
    back: str | None = None

    @property
    def wild(self) -> bool:
        """Whether the card has no colour, so that its player names one."""
        return self.color is None
