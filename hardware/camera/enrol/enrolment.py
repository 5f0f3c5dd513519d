"""Enrols a deck face by face, and finds faces that the camera cannot tell apart.

Each enrolled picture is read as if it were a card at the table and its own face had never been
enrolled: what would pass as another card then is hard to tell from it, as both differ in less than
light, wear and a locator's errors. Comparing with its own face would hide that, since a picture is
always most like itself. A second picture of the card is the test: it must be read by the first.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hardware.camera.decks import RULESETS
from hardware.camera.enrol.capture import Capture
from hardware.camera.enrol.deckfile import MOST_FACES, DeckFileError, EnrolledDeck, EnrolledFace
from hardware.camera.enrol.gallery import FaceGallery
from hardware.camera.enrol.matcher import Matcher
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
    deck: EnrolledDeck, matcher: Matcher, card: str | None = None
) -> list[Lookalikes]:
    """Return the pairs of cards that look alike, each once, likeliest first.

    With ``card``, only its own, and it comes first in them.
    """
    if not deck.faces:
        return []
    gallery = FaceGallery(deck, matcher)
    pairs: dict[frozenset[str], Lookalikes] = {}
    for face in range(len(deck.faces)) if card is None else _near(deck, card):
        own = gallery.card_of(face)
        for other, chance in zip(gallery.cards, gallery.passing(face).tolist(), strict=True):
            pair = frozenset((own, other))
            if chance < LOOKALIKE or (card is not None and card not in pair):
                continue
            first, second = (other, own) if other == card else (own, other)
            if pair not in pairs:
                pairs[pair] = Lookalikes(first, second, chance)
            elif chance > pairs[pair].probability:
                pairs[pair] = Lookalikes(pairs[pair].card, pairs[pair].other, chance)
    return sorted(pairs.values(), key=lambda pair: -pair.probability)


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


class Enrolment:
    """A deck being enrolled."""

    def __init__(self, deck: EnrolledDeck, matcher: Matcher) -> None:
        self.deck = deck
        self._matcher = matcher

    def add(self, card: str, capture: Capture, *, further: bool = False) -> list[Lookalikes]:
        """Enrol a face, replacing the card's other faces unless ``further``.

        Returns the cards it looks like. Raises DeckFileError when the deck is full.
        """
        kept = tuple(face for face in self.deck.faces if further or face.card != card)
        if len(kept) == MOST_FACES:
            raise DeckFileError(f"already has {MOST_FACES} faces, which is the limit")
        face = EnrolledFace(card, capture.descriptor, capture.crop)
        self.deck = replace(self.deck, faces=(*kept, face))
        return find_lookalikes(self.deck, self._matcher, card)

    def lookalikes(self) -> list[Lookalikes]:
        """Return all pairs of cards that look alike, each once."""
        return find_lookalikes(self.deck, self._matcher)

    def shown_once(self) -> list[str]:
        """Return the cards that look like another one and have been shown only once."""
        looks = Counter(face.card for face in self.deck.faces)
        return [card for card in cards_in(self.lookalikes()) if looks[card] == 1]


def wanted_cards(ruleset: str, only: Sequence[str] = ()) -> list[str]:
    """Return the cards to enrol, in the deck's order. Raises DeckFileError."""
    ids = [card.id for card in RULESETS[ruleset]]
    unknown = [card for card in only if card not in ids]
    if unknown:
        raise DeckFileError(f"{ruleset} has no card {unknown[0]}; it has {shorten(ids)}")
    return [card for card in ids if not only or card in only]


def shorten(cards: Iterable[str], most: int = 12) -> str:
    """List cards for people: the first ``most``, and how many follow."""
    listed = list(cards)
    if len(listed) <= most:
        return ", ".join(listed)
    return f"{', '.join(listed[:most])} and {len(listed) - most} more"


def redescribe(deck: EnrolledDeck, matcher: Matcher) -> EnrolledDeck:
    """Return the deck with descriptors of these networks, computed from its pictures if necessary.

    Raises DeckFileError if those pictures were not kept.
    """
    mark = matcher.mark()
    if deck.model == mark:
        return deck
    if any(face.crop is None for face in deck.faces):
        raise DeckFileError(
            "was enrolled with another version of the program and contains no pictures; enrol the "
            "faces again ('--keep-pictures' avoids this next time)"
        )
    crops = [face.crop for face in deck.faces if face.crop is not None]
    rows = np.concatenate([matcher.describe([crop]) for crop in crops])
    faces = [replace(face, descriptor=row) for face, row in zip(deck.faces, rows, strict=True)]
    return replace(deck, model=mark, faces=tuple(faces))
