"""Hands at a pile under a camera, and how well the referee followed what they laid."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Protocol


class PileHands(Protocol):
    """The hands at a discard pile under a camera.

    Each method returns when the hand has left; the camera may report it later.
    """

    def lay(self, card: str, seat: int | None = None) -> None:
        """Lay a card on top, from a seat or from anywhere."""

    def turn_up(self, card: str, seat: int) -> None:
        """Take the top card of the draw pile and lay it on top."""

    def draw(self, seat: int) -> None:
        """Take the top card of the draw pile."""

    def lift(self) -> None:
        """Take the top card away."""

    def clear(self) -> None:
        """Take the whole pile away."""

    def disturb(self) -> None:
        """Touch the pile without playing."""


@dataclass
class CameraTally:
    """How well the referee followed the cards.

    Attributes:
        counts: Cards ``placed``, and of these ``right`` (ruled on correctly without a question),
            ``asked`` (correct after an answer), ``missed`` (entered by phone in the end),
            ``wrong`` and ``doubled`` (more than one ruling); how often the pile was ``disturbed``,
            and ``invented`` rulings and questions that followed; ``puzzled`` by a card taken or
            put back; cards that were ``misread`` as the likeliest one.
        phone: Moves entered by phone, by name.
        troubles: Sentences about everything that was not right at once.
    """

    counts: Counter[str] = field(default_factory=Counter)
    phone: Counter[str] = field(default_factory=Counter)
    troubles: list[str] = field(default_factory=list)
