"""Enrols a deck face by face, and finds faces that look alike."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from hardware.camera.decks import RULESETS
from hardware.camera.enrol.capture import Capture
from hardware.camera.enrol.deckfile import MOST_FACES, DeckFileError, EnrolledDeck, EnrolledFace
from hardware.camera.enrol.lookalikes import Lookalikes, cards_in, find_lookalikes
from hardware.camera.enrol.matcher import Comparer, Matcher


class Enrolment:
    """A deck being enrolled."""

    def __init__(self, deck: EnrolledDeck, matcher: Comparer) -> None:
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
