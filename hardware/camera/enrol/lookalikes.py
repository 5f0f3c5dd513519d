"""Finds enrolled faces that the camera cannot tell apart.

Each enrolled picture is read as if it were a card at the table and its own face had never been
enrolled: what would pass as another card then is hard to tell from it, as both differ in less than
light, wear and a locator's errors. Comparing with its own face would hide that, since a picture is
always most like itself. A second picture of the card is the test: it must be read by the first.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from hardware.camera.enrol.deckfile import EnrolledDeck
from hardware.camera.enrol.gallery import FaceGallery
from hardware.camera.enrol.matcher import Comparer
from hardware.camera.thresholds import LOOKALIKE


@dataclass(frozen=True, slots=True)
class Lookalikes:
    """Two cards that the camera may confuse.

    ``probability`` is the greatest one of a picture of either to be read as the other
    (``FaceGallery.passing``).
    """

    card: str
    other: str
    probability: float

    def __str__(self) -> str:
        return f"{self.card} and {self.other} look alike to the camera"


def find_lookalikes(
    deck: EnrolledDeck, matcher: Comparer, card: str | None = None
) -> list[Lookalikes]:
    """Return the pairs of cards that look alike, each once, likeliest first.

    With ``card``, only its own, and it comes first in them.
    """
    if not deck.faces:
        return []
    gallery = FaceGallery(deck, matcher)
    found: dict[frozenset[str], Lookalikes] = {}
    for face in range(len(deck.faces)) if card is None else _near(deck, card):
        own = gallery.card_of(face)
        for other, chance in zip(gallery.cards, gallery.passing(face).tolist(), strict=True):
            pair = frozenset((own, other))
            if chance < LOOKALIKE or (card is not None and card not in pair):
                continue
            first, second = (other, own) if other == card else (own, other)
            if pair not in found:
                found[pair] = Lookalikes(first, second, chance)
            elif chance > found[pair].probability:
                found[pair] = Lookalikes(found[pair].card, found[pair].other, chance)
    return sorted(found.values(), key=lambda pair: -pair.probability)


def cards_in(pairs: Iterable[Lookalikes]) -> list[str]:
    """Return the cards of some pairs, each once."""
    return list(dict.fromkeys(card for pair in pairs for card in (pair.card, pair.other)))


_NEAR = 16
"""Faces most like a card's that are read too: a greater number finds the same."""


def _near(deck: EnrolledDeck, card: str) -> list[int]:
    """Return a card's faces and those most like them."""
    rows = np.array([face.descriptor for face in deck.faces], np.float32)
    own = [k for k, face in enumerate(deck.faces) if face.card == card]
    if not own:
        return []
    similarity = (rows @ rows[own].T).max(axis=1)
    similarity[own] = np.inf
    return [int(k) for k in np.argsort(-similarity)[: len(own) + _NEAR]]
