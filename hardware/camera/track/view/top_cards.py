"""The card on top of the pile, and those that were on top before it."""

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hardware.camera.types import Picture

Quad = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class TopCard:
    """A card that lies, or lay, on top of the pile."""

    probabilities: Mapping[str, float]  # Which card it is; empty if unknown
    corners: Quad  # Its corners in the view, (4, 2)
    view: Picture
    unread: int | None = None  # Number of the "unread" event that reported it; None if it was read
    fresh: bool = True  # Whether the pile has lain undisturbed since the view

    @property
    def card(self) -> str | None:
        """The likeliest card."""
        return next(iter(self.probabilities), None)


class TopHistory:
    """Earlier tops that still lie below; only the latest ``most`` are remembered.

    ``complete`` says whether the earliest of them is known to lie on the table itself.
    """

    def __init__(self, most: int) -> None:
        self._tops: deque[TopCard] = deque(maxlen=most)
        self.complete = False

    def add(self, top: TopCard) -> None:
        """Add a top that was covered."""
        if len(self._tops) == self._tops.maxlen:
            self.complete = False
        self._tops.append(top)

    def latest_first(self) -> list[TopCard]:
        """Return the earlier tops, the latest first."""
        return list(reversed(self._tops))

    def uncover(self, top: TopCard) -> None:
        """Remove a top that shows again, and those that lay on it."""
        while self._tops and self._tops.pop() is not top:
            pass

    def update(self, change: Callable[[TopCard], TopCard]) -> None:
        """Replace each top by what ``change`` returns for it."""
        self._tops = deque((change(top) for top in self._tops), maxlen=self._tops.maxlen)

    def clear(self, complete: bool = True) -> None:
        """Forget all tops; ``complete`` if the place was seen empty."""
        self._tops.clear()
        self.complete = complete


def card_height(corners: Quad) -> float:
    """Return a card's height in pixels."""
    sides = np.hypot(*(np.roll(corners, -1, axis=0) - corners).T)
    return float(max(sides[0] + sides[2], sides[1] + sides[3])) / 2


def aligned(corners: Quad, like: Quad) -> Quad:
    """Return a card's corners, counted from whichever end is nearer to another outline's."""
    turned = np.roll(corners, 2, axis=0)

    def distance(quad: Quad) -> float:
        return float(np.sum((quad - quad.mean(axis=0) - like + like.mean(axis=0)) ** 2))

    return min((corners, turned), key=distance)


def corner_distance(one: Quad, other: Quad) -> float:
    """Return the largest distance between two outlines' corners, in pixels, either end up."""
    return float(np.hypot(*(aligned(one, other) - other).T).max())
