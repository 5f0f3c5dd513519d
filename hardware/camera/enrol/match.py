"""Which enrolled face a crop shows, or none, in probabilities."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hardware.camera.enrol.deckfile import EnrolledDeck
from hardware.camera.enrol.matcher import Compares
from hardware.camera.enrol.telling import telling

NEAREST = 16
"""Of all faces, and all turns of the crop, so many are compared: those whose places agree most."""
SHARPNESS = 1.3
"""How much the networks' word counts: they learnt from harder views than a table gives. With more,
faces that differ in a small part only are believed in more often, and wrongly more often too."""
STRANGE, LEARNT_STRANGE = 1 / 7, 1 / 4
"""How often a card is taken to be none of the enrolled faces, and how often it was in training: a
deck is enrolled to be played with."""
_NONE = SHARPNESS * float(
    np.log(STRANGE / (1 - STRANGE)) - np.log(LEARNT_STRANGE / (1 - LEARNT_STRANGE))
)
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

    def __init__(self, deck: EnrolledDeck, matcher: Compares) -> None:
        self.cards = tuple(dict.fromkeys(look.card for look in deck.looks))
        self._looks = np.array([look.descriptor for look in deck.looks], np.float32)
        self._card = np.array([self.cards.index(look.card) for look in deck.looks])
        self._telling = telling(self._looks, self._card)
        self._matcher = matcher

    def match(self, turns: Array) -> Match:
        """What descriptions of the turns of one crop (turns x SIZE) say together."""
        plain = turns @ self._looks.T
        nearest = np.argsort(-plain, axis=None)[:NEAREST]
        turn, look = np.unravel_index(nearest, plain.shape)
        logits = SHARPNESS * self._matcher.compare(
            self._looks[look], turns[turn], self._telling[look]
        )
        best = np.full(len(self.cards), -np.inf)
        np.maximum.at(best, self._card[look], logits)
        weights = np.exp(np.append(best, _NONE) - max(float(best.max()), _NONE))
        return Match(weights[:-1] / weights.sum(), int(turn[int(np.argmax(logits))]))
