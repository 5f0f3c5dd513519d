"""A pile whose camera reads each card as it is, and says from which side the hand came."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

SURE = 0.9995
# Degrees by which a hand reaches in beside its seat's own direction, mostly.
SPREAD = 12.0


class ToldPile:
    """The pile (``referee.demo.rounds.pile_hands.PileHands``), without pictures.

    ``post`` posts an observation. ``sides``: the camera says where hands come from.
    """

    def __init__(
        self,
        players: int,
        post: Callable[[Mapping[str, Any]], None],
        rng: Random,
        *,
        sides: bool = True,
    ) -> None:
        self._players, self._post, self._rng, self._sides = players, post, rng, sides
        self._cards: list[str] = []
        self._number = 0
        post({"kind": "camera", "state": "watching"})

    def lay(self, card: str, seat: int | None = None) -> None:
        """Lay a card on top."""
        self._placed(card, seat, drawn=0.01)

    def turn_up(self, card: str, seat: int) -> None:
        """Turn up the top card of the draw pile."""
        self._placed(card, seat, drawn=0.99)

    def draw(self, seat: int) -> None:
        """Draw a card, which is no matter of the pile."""

    def lift(self) -> None:
        """Take the top card away."""
        self._cards.pop()
        self._say("lifted", self._cards[-1])

    def clear(self) -> None:
        """Take the whole pile away."""
        self._cards.clear()
        self._say("cleared")

    def disturb(self) -> None:
        """Touch the pile, which a camera that errs in nothing does not report."""

    def _placed(self, card: str, seat: int | None, drawn: float) -> None:
        self._cards.append(card)
        more: dict[str, Any] = {"from": {"draw-pile": drawn}}
        if seat is not None and self._sides:
            arm = 360 * (seat - 1) / self._players + self._rng.gauss(0, SPREAD)
            more["arm"] = round(arm % 360, 1)
        self._say("placed", card, **more)

    def _say(self, event: str, card: str | None = None, **more: Any) -> None:
        cards = {} if card is None else {"cards": {card: SURE}}
        body = {"kind": "pile", "number": self._number, "event": event, **cards, **more}
        self._number += 1
        self._post(body)
