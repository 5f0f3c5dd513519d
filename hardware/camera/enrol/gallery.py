"""The enrolled faces to compare crops with, and where each differs from its lookalikes.

Two cards that differ only in a small icon agree nearly everywhere, so a comparison gives more
weight to the places where they do not: their distinctiveness.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from hardware.camera.enrol.deckfile import EnrolledDeck
from hardware.camera.enrol.matcher import PLACE, PLACES, REACH, Matcher
from hardware.camera.thresholds import LOOKALIKE
from hardware.camera.types import Array

COMPARED = 16
"""Number of (face, rotation) pairs that are compared: those with the most similar descriptors."""
CONFIDENCE = 1.3
"""Factor on the networks' logits, since they learnt from harder views than a table gives. A larger
one recognises more faces that differ in a small part, and mistakes more of them too."""
STRANGER, TRAINED_STRANGER = 1 / 7, 1 / 4
"""Prior probability that a card is not enrolled, and its share in training. Lower here, as a deck
is enrolled to be played with."""
LOOKALIKE_CONFIDENCE = 0.65
"""Factor on all logits where the likeliest card looks like another one: of faces that differ in
little, the networks are too sure. Fitted to families drawn of training motifs."""
RIVALS = 3
"""Number of most similar faces that a face must be distinguished from."""
RIVAL_SHARPNESS = 20.0
"""Softmax factor on their similarity: how much more the most similar one counts."""
_STRANGER_LOGIT = CONFIDENCE * float(
    np.log(STRANGER / (1 - STRANGER)) - np.log(TRAINED_STRANGER / (1 - TRAINED_STRANGER))
)


@dataclass(frozen=True, slots=True, eq=False)
class GalleryMatch:
    """A crop compared with the enrolled faces.

    ``probabilities`` are of ``FaceGallery.cards``, the rest to 1 is for none of them. ``turn`` is
    the rotation in which the likeliest face is upright.
    """

    probabilities: Array
    turn: int


class FaceGallery:
    """Enrolled faces to compare with; ``cards`` are their ids, each once."""

    def __init__(self, deck: EnrolledDeck, matcher: Matcher) -> None:
        self.cards = tuple(dict.fromkeys(face.card for face in deck.faces))
        self._descriptors = np.array([face.descriptor for face in deck.faces], np.float32)
        self._card = np.array([self.cards.index(face.card) for face in deck.faces])
        self._weights = distinctiveness(self._descriptors, self._card)
        self._matcher = matcher

    def match(self, rotations: Array) -> GalleryMatch:
        """Compare one crop, given the descriptors of its rotations (n x SIZE)."""
        best, turn = self.logits(rotations)
        logits = np.append(best, _STRANGER_LOGIT)
        if self.mistakable[int(np.argmax(best))]:
            logits *= LOOKALIKE_CONFIDENCE
        weights = np.exp(logits - logits.max())
        return GalleryMatch(weights[:-1] / weights.sum(), turn)

    def logits(self, rotations: Array) -> tuple[Array, int]:
        """Return a logit for each of ``cards``, and the rotation of the likeliest one.

        Only the ``COMPARED`` most similar pairs of face and rotation are compared; cards that are
        not among them have minus infinity.
        """
        similarity = rotations @ self._descriptors.T
        nearest = np.argsort(-similarity, axis=None)[:COMPARED]
        turn, face = np.unravel_index(nearest, similarity.shape)
        logits = CONFIDENCE * self._matcher.compare(
            self._descriptors[face], rotations[turn], self._weights[face]
        )
        best = np.full(len(self.cards), -np.inf)
        np.maximum.at(best, self._card[face], logits)
        return best, int(turn[int(np.argmax(logits))])

    @cached_property
    def mistakable(self) -> Array:
        """Whether each of ``cards`` and another one look alike."""
        mistakable = np.zeros(len(self.cards), bool)
        for face, own in enumerate(self._card):
            alike = self.passing(face) >= LOOKALIKE
            mistakable |= alike
            mistakable[own] |= alike.any()
        return mistakable

    def passing(self, face: int) -> Array:
        """Return how likely the picture of a face is read as each of ``cards``, its own excepted.

        As if that face were not enrolled: a picture is always most like itself. Each card competes
        only with strangers and the own card's other faces.
        """
        best = np.full(len(self.cards), -np.inf)
        similarity = self._descriptors @ self._descriptors[face]
        nearest = np.argsort(-similarity)
        nearest = nearest[nearest != face][:COMPARED]
        if len(nearest):
            seen = np.repeat(self._descriptors[face][None], len(nearest), axis=0)
            logits = self._matcher.compare(self._descriptors[nearest], seen, self._weights[nearest])
            np.maximum.at(best, self._card[nearest], CONFIDENCE * logits)
        own = int(self._card[face])
        against = np.logaddexp(_STRANGER_LOGIT, best[own])
        best[own] = -np.inf
        return np.asarray(1 / (1 + np.exp(np.minimum(against - best, 99.0))))

    def card_of(self, face: int) -> str:
        """Return the card of a face, by its index in the enrolled deck."""
        return self.cards[int(self._card[face])]


def distinctiveness(descriptors: Array, cards: Array) -> Array:
    """Return how distinctive each place of each face is, 0 to 2, faces x 18 x 12.

    Faces of one card are not compared with each other, so the result is 0 if there is only one.
    """
    weights = np.zeros((len(descriptors), *PLACES), np.float32)
    similarity = descriptors @ descriptors.T / np.prod(PLACES)
    similarity = np.where(cards[:, None] == cards[None], -np.inf, similarity)
    places = descriptors.reshape(-1, PLACE, *PLACES)
    for face, row in enumerate(similarity):
        rivals = np.argsort(-row)[:RIVALS]
        rivals = rivals[np.isfinite(row[rivals])]
        if not len(rivals):
            continue
        shares = np.exp(RIVAL_SHARPNESS * (row[rivals] - row[rivals].max()))
        differences = dissimilarity(places[face], places[rivals])
        weights[face] = np.tensordot(shares / shares.sum(), differences, 1)
    return weights


def dissimilarity(face: Array, others: Array) -> Array:
    """Return the distance, 0 to 2, from each place of a face to the same region of other faces.

    Shape: (others, 18, 12).
    """
    high, wide = PLACES
    padded = np.pad(others, ((0, 0), (0, 0), (REACH, REACH), (REACH, REACH)))
    similarity = [
        (face[None] * padded[:, :, down : down + high, across : across + wide]).sum(1)
        for down in range(2 * REACH + 1)
        for across in range(2 * REACH + 1)
    ]
    return np.asarray(1 - np.max(similarity, axis=0))
