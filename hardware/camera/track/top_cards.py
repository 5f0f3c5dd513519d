"""The card on top, and those that were on top before it."""

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
    """A card that lies, or lay, on top of the pile.

    Attributes:
        probabilities: Which card it is; empty if nobody knows.
        corners: Where, in the view, (4, 2).
        view: What the pile looked like with it on top.
        unread: The number of the event that said that it cannot be read; None if it was read.
        fresh: Whether nothing has stirred the pile since the view.
    """

    probabilities: Mapping[str, float]
    corners: Quad
    view: Picture
    unread: int | None = None
    fresh: bool = True

    @property
    def card(self) -> str | None:
        """The likeliest card."""
        return next(iter(self.probabilities), None)


class TopHistory:
    """Earlier tops, the latest last; older ones than ``most`` are forgotten.

    Attributes:
        complete: Whether nothing is known to have lain below the earliest of them.
    """

    def __init__(self, most: int) -> None:
        self._tops: deque[TopCard] = deque(maxlen=most)
        self.complete = False

    def add(self, top: TopCard) -> None:
        """A card was laid on this one."""
        if len(self._tops) == self._tops.maxlen:
            self.complete = False
        self._tops.append(top)

    def latest_first(self) -> list[TopCard]:
        """The earlier tops."""
        return list(reversed(self._tops))

    def back_to(self, top: TopCard) -> None:
        """This one shows again: it and what lay on it are no earlier tops any more."""
        while self._tops and self._tops.pop() is not top:
            pass

    def change(self, how: Callable[[TopCard], TopCard]) -> None:
        """Something happened to all of them."""
        self._tops = deque((how(top) for top in self._tops), maxlen=self._tops.maxlen)

    def clear(self, complete: bool = True) -> None:
        """The pile is gone; ``complete`` says whether its place was seen empty."""
        self._tops.clear()
        self.complete = complete


def card_height(corners: Quad) -> float:
    """A card's height in pixels, as seen."""
    sides = np.hypot(*(np.roll(corners, -1, axis=0) - corners).T)
    return float(max(sides[0] + sides[2], sides[1] + sides[3])) / 2


def aligned(corners: Quad, like: Quad) -> Quad:
    """The same card with its corners counted from the end that is nearer to another's."""
    turned = np.roll(corners, 2, axis=0)

    def far(quad: Quad) -> float:
        return float(np.sum((quad - quad.mean(axis=0) - like + like.mean(axis=0)) ** 2))

    return min((corners, turned), key=far)
