"""What the camera's stages pass on: pictures in, cards with their corners and probabilities out."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy.typing as npt

# Height, width, 3, blue green red, 8 bits: what OpenCV reads.
Picture = npt.NDArray[Any]
# Four points in pixels (x to the right, y down): the card's own top left corner, then
# clockwise as one looks at its face. Corners may lie outside the picture.
Corners = npt.NDArray[Any]

# Below this the best answer is no answer: the card is there, and somebody has to say which.
SURE = 0.8
# Below this a card is not worth showing to people.
WORTH_SHOWING = 0.02


@dataclass(frozen=True, slots=True)
class Found:
    """A card in a picture.

    ``probabilities`` are over the deck's cards, likeliest first; what they lack to 1 is the chance
    that it is none of them, or no face of a card at all. ``whole`` says that its middle shows: of a
    card in a fan, or below others, only a corner may.
    """

    corners: Corners
    probabilities: Mapping[str, float]
    whole: bool = True

    @property
    def best(self) -> str | None:
        """The likeliest card, None if it is like none of them."""
        return next(iter(self.probabilities), None)

    @property
    def sure(self) -> bool:
        """Whether the likeliest card is likely enough to go by."""
        return next(iter(self.probabilities.values()), 0.0) >= SURE


def percent(chance: float) -> str:
    """A probability for people. What is not certain is never called so."""
    return f"{min(int(100 * chance + 0.5), 99)} %"


class Recogniser(Protocol):
    """Finds and reads cards. It may be used from one thread at a time."""

    def recognise(self, picture: Picture, *, parts: bool = True) -> list[Found]:
        """The cards in a picture, the surest first. It never fails on a picture of any size.

        Without ``parts`` those of which only a corner shows may be left out, which is faster.
        """
