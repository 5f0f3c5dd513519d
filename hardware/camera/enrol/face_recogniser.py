"""Recognises enrolled faces, and combines them with the usual reading."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hardware.camera.decks import Card
from hardware.camera.enrol.deckfile import EnrolledDeck
from hardware.camera.enrol.enrolment import redescribe
from hardware.camera.enrol.gallery import FaceGallery
from hardware.camera.enrol.matcher import Matcher
from hardware.camera.reading.geometry import CARD_CROP
from hardware.camera.reading.read import CardReading, cut_out
from hardware.camera.types import Array, Corners, Picture

TURNS = 4
MISTAKEN = 0.1
"""Probability that a card which needs enrolling is confidently read as another card of the deck,
whose usual cards nearly always are read so. Chosen, not measured."""


@dataclass(frozen=True, slots=True, eq=False)
class FaceEvidence:
    """An outline compared with the enrolled faces.

    ``corners`` start at the likeliest face's own top left; ``places`` are the enrolled cards'
    indices in the deck.
    """

    corners: Corners
    places: Array
    probabilities: Array

    def combine(self, reading: CardReading) -> CardReading:
        """Combine with the usual reading into probabilities over the whole deck.

        Enrolled cards are recognised by their face only: a card that resembles none of the faces
        but reads as an enrolled card stays in doubt. Reading as a card that is not enrolled counts
        against the faces.
        """
        face = float(self.probabilities.sum())
        chances = reading.probabilities * (1 - face)
        chances[self.places] = 0.0
        other = float(reading.probabilities.sum() - reading.probabilities[self.places].sum())
        by_face = self.probabilities * (1 - other * (1 - MISTAKEN))
        total = float(by_face.sum()) + 1 - face
        chances[self.places] = by_face
        corners = self.corners if by_face.sum() > 0.5 * total else reading.corners
        return CardReading(corners, chances / total, max(reading.valid, face))


class FaceRecogniser:
    """Compares outlines with the enrolled faces of a deck's cards.

    Raises DeckFileError as ``redescribe`` does.
    """

    def __init__(self, matcher: Matcher, enrolled: EnrolledDeck, deck: Sequence[Card]) -> None:
        self._matcher = matcher
        self._gallery = FaceGallery(redescribe(enrolled, matcher), matcher)
        ids = [card.id for card in deck]
        known = [(k, ids.index(card)) for k, card in enumerate(self._gallery.cards) if card in ids]
        self._of_gallery, self._places = np.array(known, np.int64).reshape(-1, 2).T

    def compare(self, picture: Picture, outlines: Sequence[Corners]) -> list[FaceEvidence]:
        """Compare outlines, each in all four rotations."""
        rotated = [np.roll(corners, -turn, axis=0) for corners in outlines for turn in range(TURNS)]
        described = self._matcher.describe(
            [cut_out(picture, corners, CARD_CROP) for corners in rotated]
        )
        evidence = []
        for first in range(0, len(rotated), TURNS):
            match = self._gallery.match(described[first : first + TURNS])
            chances = match.probabilities[self._of_gallery]
            evidence.append(FaceEvidence(rotated[first + match.turn], self._places, chances))
        return evidence
