"""The types that the camera's stages exchange."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy.typing as npt

from hardware.camera.thresholds import SURE

Array = npt.NDArray[Any]
# Height x width x 3, BGR, 8 bits: OpenCV's layout.
Picture = npt.NDArray[Any]
# 4 x 2, pixels, y pointing down: the card's own top left corner first, then clockwise.
# Corners may lie outside the picture.
Corners = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Detection:
    """A card found in a picture.

    ``probabilities`` are of the deck's cards, likeliest first; the rest to 1 is for none of them,
    or no card's face. ``whole`` is false if only an index is visible, as in a fan. ``strange`` are
    the probabilities of known cards that the deck lacks, likeliest first.
    """

    corners: Corners
    probabilities: Mapping[str, float]
    whole: bool = True
    strange: Mapping[str, float] = field(default_factory=dict)

    @property
    def best(self) -> str | None:
        """The likeliest card; None if there is no candidate."""
        return next(iter(self.probabilities), None)

    @property
    def sure(self) -> bool:
        """True if the likeliest card needs no confirmation."""
        return next(iter(self.probabilities.values()), 0.0) >= SURE


def percent(probability: float) -> str:
    """Format a probability for people; never 100 %."""
    return f"{min(int(100 * probability + 0.5), 99)} %"


class Recogniser(Protocol):
    """Finds and reads cards. Not thread-safe."""

    def recognise(self, picture: Picture, *, parts: bool = True) -> list[Detection]:
        """Return the cards in a picture of any size, surest first.

        With ``parts=False``, cards of which only an index shows may be left out, which is faster.
        """
