"""Which enrolled face some descriptors show, or none: likenesses made into probabilities."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hardware.camera.enrol.deckfile import EnrolledDeck
from hardware.camera.enrol.matcher import NONE

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """What an outline shows, if it is an enrolled face.

    Attributes:
        chances: Of each card of ``Faces.cards``; what they lack to 1 is the chance of none.
        turn: Which of the turns that were tried lies like the likeliest face.
    """

    chances: Array
    turn: int


class Faces:
    """Enrolled faces to compare with.

    Attributes:
        cards: Their ids; a card of which several looks are enrolled stands here once.
    """

    def __init__(self, deck: EnrolledDeck, sharpness: float = 1.0) -> None:
        self.cards = tuple(dict.fromkeys(look.card for look in deck.looks))
        self._looks = np.array([look.descriptor for look in deck.looks], np.float32)
        self._card = np.array([self.cards.index(look.card) for look in deck.looks])
        self._none = NONE * float(np.mean((self._looks**2).sum(axis=1)))
        self._sharpness = sharpness

    def match(self, turns: Array) -> Match:
        """What descriptors of the turns of one crop (turns x SIZE) say together."""
        likeness = turns @ self._looks.T
        cards = np.full((len(turns), len(self.cards)), -np.inf, np.float32)
        np.maximum.at(cards.T, self._card, likeness.T)
        best = cards.max(axis=0)
        logits = self._sharpness * (np.append(best, self._none) - max(best.max(), self._none))
        chances = np.exp(logits)
        return Match(chances[:-1] / chances.sum(), int(np.argmax(cards.max(axis=1))))
