"""Recalls learnt faces, as evidence beside the networks' reading of a card.

Three things are learnt from confirmed cards: how a face looks here; what the networks take it for
(a word edition's "NINE" may be a sure blue 4 to them); and how far they can be trusted with this
print at all. A card that they read surely, at a table where they were right so far, is left as it
is: then nothing is compared, and nothing can get worse.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from hardware.camera.decks import Card, strangers_of
from hardware.camera.enrol.deckfile import EnrolledDeck, EnrolledFace
from hardware.camera.enrol.gallery import FaceGallery
from hardware.camera.enrol.matcher import PLACES, Matcher
from hardware.camera.learn.store import Look
from hardware.camera.reading.geometry import CARD_CROP
from hardware.camera.reading.read import CardReading, cut_out
from hardware.camera.thresholds import (
    CLEARLY_READ,
    COLOUR_KEPT,
    FOREIGN,
    LIKENESS,
    READ_FOREIGN,
    READ_USUAL,
    RELIED_ON,
    SURE,
    SUSPECT,
)
from hardware.camera.types import Array, Corners, Picture

TURNS = 4
"""Ways in which an outline is compared: of a strange print any side may be taken for the top."""


@dataclass(frozen=True, slots=True)
class Trust:
    """What a table's confirmed cards say about the networks' readings.

    ``foreign`` is the probability that they do not know this print; ``mistaken`` counts, by a
    card that others were taken for, what it really was.
    """

    foreign: float = 0.0
    mistaken: Mapping[str, Counter[str]] = field(default_factory=dict)

    def doubts(self, card: str) -> bool:
        """Return whether a sure reading as this card is not to be taken as it is."""
        return self.foreign >= SUSPECT or card in self.mistaken


def trust_of(looks: Sequence[Look], alike: Callable[[str, str], bool]) -> Trust:
    """Return how far to trust the networks, by what they read confirmed cards as.

    Each face counts once, so one card that is always misread does not make a print foreign.
    ``alike`` says whether two cards share a face.
    """
    by_face: dict[str, Counter[str]] = {}
    read: dict[str, Counter[str]] = {}
    for look in looks:
        right = bool(look.read) and alike(look.read, look.card)
        outcome = "doubtful" if look.chance < SURE else "right" if right else "wrong"
        by_face.setdefault(look.card, Counter())[outcome] += 1
        if look.read:
            # Cards that share a face are no mistake for one another.
            really = look.read if right else look.card
            read.setdefault(look.read, Counter())[really] += 1
    odds = FOREIGN / (1 - FOREIGN)
    for outcomes in by_face.values():
        outcome = outcomes.most_common(1)[0][0]
        odds *= READ_FOREIGN[outcome] / READ_USUAL[outcome]
    mistaken = {card: read_as for card, read_as in read.items() if set(read_as) - {card}}
    return Trust(odds / (1 + odds), mistaken)


class LearntFaces:
    """Compares outlines with the faces that a table has learnt."""

    def __init__(self, matcher: Matcher, deck: Sequence[Card]) -> None:
        self.matcher = matcher
        # Of what is read, the deck's cards come first, then those that it lacks.
        known = (*deck, *strangers_of(deck))
        self._ids = [card.id for card in known]
        self._size = len(deck)
        classes = [card.classes for card in known]
        # Blank custom cards share a face: what one of them looks like holds for all.
        self._same = np.array([[own == other for other in classes] for own in classes])
        colours = np.array([[card.colour == other.colour for other in known] for card in known])
        colours[:, self._size :] = False
        self._of_colour = colours / colours.sum(axis=1, keepdims=True)
        self._gallery: FaceGallery | None = None
        self.trust = Trust()
        # What a card is, by what it was read as.
        self._really = np.eye(len(self._ids))

    def learn(self, looks: Sequence[Look]) -> None:
        """Recall these looks and no others."""
        cards, read = set(self._ids[: self._size]), {"", *self._ids}
        looks = [look for look in looks if look.card in cards and look.read in read]
        faces = tuple(EnrolledFace(look.card, look.descriptor) for look in looks)
        self._gallery = FaceGallery(EnrolledDeck("", "", faces), self.matcher) if faces else None
        self.trust = trust_of(looks, self._alike)
        self._really = np.eye(len(self._ids))
        for card, read_as in self.trust.mistaken.items():
            # One more reading than there was, and that one right.
            share = 1 / (read_as.total() + 1)
            row = self._really[self._ids.index(card)]
            row *= share
            for really, times in read_as.items():
                row[self._ids.index(really)] += times * share

    def alike(self, face: Array, other: Array) -> bool:
        """Return whether two descriptors are more likely of one face than of two."""
        weights = np.zeros((1, *PLACES), np.float32)
        return float(self.matcher.compare(face[None], other[None], weights)[0]) > 0

    def face_chance(self, probabilities: Mapping[str, float], card: str) -> float:
        """Return the probability of a card's face, which other cards may share."""
        return sum(
            chance for other, chance in probabilities.items() if card and self._alike(card, other)
        )

    def _alike(self, card: str, other: str) -> bool:
        return bool(self._same[self._ids.index(card), self._ids.index(other)])

    def compare(self, picture: Picture, outlines: Sequence[Corners]) -> list["FaceRecall"]:
        """Return what to recall of each outline; the work is done when a reading needs it."""
        return [FaceRecall(self, picture, outline) for outline in outlines]

    def likeness(self, picture: Picture, outline: Corners) -> Array:
        """Return how far each card of the deck resembles a learnt face.

        Logarithms of likelihood ratios; 0 for cards without a learnt face.
        """
        if self._gallery is None:
            return np.zeros(len(self._ids))
        turned = [np.roll(outline, -turn, axis=0) for turn in range(TURNS)]
        rows = self.matcher.describe([cut_out(picture, corners, CARD_CROP) for corners in turned])
        logits, _ = self._gallery.logits(rows)
        ratios = np.full(len(self._ids), np.nan)
        places = [self._ids.index(card) for card in self._gallery.cards]
        ratios[places] = np.clip(LIKENESS.slope * logits + LIKENESS.offset, *LIKENESS.range)
        # A card without a look of its own has those of the cards that share its face.
        shared = np.where(self._same & ~np.isnan(ratios), ratios, -np.inf).max(axis=1)
        ratios = np.where(np.isnan(ratios) & np.isfinite(shared), shared, ratios)
        return np.asarray(np.nan_to_num(ratios))

    def expected(self, probabilities: Array) -> Array:
        """Return a reading's probabilities as this table's experience corrects them.

        Of a card that was misread, a share goes to the cards that it really was; of a foreign
        print, the most part goes to all cards, most of it to those of the colour that was read.
        """
        lost = self.trust.foreign * (1 - RELIED_ON)
        chances = probabilities.astype(np.float64)
        by_colour = chances @ self._of_colour
        anywhere = np.where(np.arange(len(chances)) < self._size, chances.sum() / self._size, 0.0)
        spread = COLOUR_KEPT * by_colour + (1 - COLOUR_KEPT) * anywhere
        return np.asarray((1 - lost) * (chances @ self._really) + lost * spread)

    def leaves(self, probabilities: Array) -> bool:
        """Return whether a reading is so sure that nothing needs to be recalled."""
        best = int(probabilities.argmax())
        if self._gallery is None:
            return True
        trusted = best < self._size and not self.trust.doubts(self._ids[best])
        return trusted and bool(probabilities[best] >= CLEARLY_READ)


@dataclass(frozen=True, eq=False)
class FaceRecall:
    """What a table remembers about the card in an outline."""

    faces: LearntFaces
    picture: Picture
    outline: Corners

    @cached_property
    def likeness(self) -> Array:
        """How far each card resembles a learnt face, as logarithms of likelihood ratios."""
        return self.faces.likeness(self.picture, self.outline)

    def combine(self, reading: CardReading) -> CardReading:
        """Combine with a reading of the same outline."""
        if self.faces.leaves(reading.probabilities):
            return reading
        raised = self.faces.expected(reading.probabilities) * np.exp(self.likeness)
        none = max(0.0, 1 - float(reading.probabilities.sum()))
        chances = raised / max(float(raised.sum()) + none, 1e-9)
        valid = max(reading.valid, float(chances.sum()))
        return replace(reading, probabilities=chances, valid=valid)
