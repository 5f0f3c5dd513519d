"""Finds the cards in a picture, looks closer, reads them, and drops false finds.

A card whose middle is visible is read whole, then by its corners as a second opinion. A card in a
fan shows only a corner, and is read by that alone.
"""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from hardware.camera.decks import Card, all_cards, strangers_of
from hardware.camera.reading.geometry import grown, index_places, overlap, width_of
from hardware.camera.reading.locate import LOCATED_AT, Candidate, Locator
from hardware.camera.reading.read import CardReading, CornerReader, WholeCardReader
from hardware.camera.reading.whole_cards import MANY, NEAR, SAME, FaceComparer, WholeCards, score
from hardware.camera.thresholds import (
    CARD_HEAT,
    FACE,
    INDEX_HEAT,
    LISTED,
    LONE_INDEX_HEAT,
    STRANGER,
)
from hardware.camera.types import Array, Corners, Detection, Picture

MODELS = Path(__file__).parents[1] / "models"
NETWORKS = ("locator.onnx", "reader.onnx", "corners.onnx")
SMALL = 56.0
"""Long side of a card, in pixels as the locator sees it, below which it looks closer."""
NEAR_AGAIN = 2 * NEAR
"""Distance, in card widths, within which two looks found the same part of a card."""


OUTLINE_SLACK = 1.1
"""Factor by which an outline may be too small for all parts of its card to lie inside."""


class ModelError(Exception):
    """The networks cannot be used; the text says why."""


class CardRecogniser:
    """Finds and reads cards with the project's own networks (``hardware.camera.types``).

    Raises ModelError if a network is missing or damaged.
    """

    def __init__(
        self,
        deck: Sequence[Card] | None = None,
        models: Path = MODELS,
        faces: Sequence[FaceComparer] = (),
    ) -> None:
        for name in NETWORKS:
            _check(models / name)
        self._deck = tuple(deck or all_cards().values())
        known = (*self._deck, *strangers_of(self._deck))
        self._names = [card.id for card in known]
        locator, reader, corners = (models / name for name in NETWORKS)
        self._locator = Locator(locator)
        self._corners = CornerReader(corners, known)
        self._whole = WholeCards(
            self._locator, WholeCardReader(reader, known), self._corners, faces
        )

    def recognise(self, picture: Picture, *, parts: bool = True) -> list[Detection]:
        """Return the cards in a picture, surest first; without ``parts`` only the whole ones."""
        candidates = self._candidates(picture)
        indices = [candidate for candidate in candidates if candidate.index]
        middles = [candidate for candidate in candidates if not candidate.index]
        whole = self._whole.read(picture, middles, indices)
        detections = [self._detection(reading) for reading in whole]
        if parts:
            partly = read_partly_covered(picture, indices, whole, self._locator, self._corners)
            detections += [self._detection(reading, whole=False) for reading in partly]
        return sorted(detections, key=lambda card: -max(card.probabilities.values(), default=0.0))

    def leaves_out(self, picture: Picture, detections: Sequence[Detection]) -> bool:
        """Return whether something outside the cards found looks like a part of a card.

        A card that is half covered may show too little to be read.
        """
        outlines = [grown(detection.corners, OUTLINE_SLACK) for detection in detections]
        return any(
            all(cv2.pointPolygonTest(quad, (x, y), measureDist=False) < 0 for quad in outlines)
            for x, y in (candidate.anchor.tolist() for candidate in self._candidates(picture))
        )

    def read_alone(self, picture: Picture, outline: Corners) -> Detection:
        """Read the card in an outline by the networks alone, without enrolled or learnt faces."""
        return self._detection(self._whole.read_alone(picture, outline))

    def _candidates(self, picture: Picture) -> list[Candidate]:
        candidates = [part for part in self._locator.locate(picture) if _is_hot(part)]
        if not _needs_finer_look(candidates, picture):
            return candidates
        finer = [part for part in self._locator.locate_finer(picture, candidates) if _is_hot(part)]
        return finer + [part for part in candidates if not any(_same_part(part, m) for m in finer)]

    def _detection(self, reading: CardReading, *, whole: bool = True) -> Detection:
        """Weigh the deck's cards against those that it lacks, and list both."""
        chances, deck = reading.probabilities.astype(float), len(self._deck)
        total = chances.sum()
        chances[deck:] *= STRANGER
        chances *= total / max(chances.sum(), 1e-9)
        # The likeliest is listed in any case: something lies there.
        least = min(LISTED, chances[:deck].max())
        own = [i for i in np.argsort(-chances[:deck]) if chances[i] >= least]
        strange = [i for i in np.argsort(-chances) if i >= deck and chances[i] >= LISTED]
        listed = ({self._names[i]: float(chances[i]) for i in some} for some in (own, strange))
        return Detection(reading.corners, next(listed), whole, next(listed))


def _check(network: Path) -> None:
    if not network.is_file():
        raise ModelError(
            f"there is nothing to read cards with: the network {network} is missing; reinstall "
            "the program, or train your own networks ('python -m lab.train')"
        )
    try:
        cv2.dnn.readNetFromONNX(str(network))
    except cv2.error:
        raise ModelError(
            f"{network} is damaged or not one of this program's networks; reinstall the program"
        ) from None


def _needs_finer_look(candidates: Sequence[Candidate], picture: Picture) -> bool:
    scale = LOCATED_AT / max(picture.shape[:2])
    sides = [np.ptp(part.corners, axis=0).max() * scale for part in candidates if not part.index]
    middles, indices = len(sides), len(candidates) - len(sides)
    return max(middles, indices) > MANY or bool(sides and np.median(sides) < SMALL)


def _is_hot(candidate: Candidate) -> bool:
    return candidate.heat >= (INDEX_HEAT if candidate.index else CARD_HEAT)


def _same_part(candidate: Candidate, other: Candidate) -> bool:
    """Return whether two looks found the same part of the same card."""
    distance = float(np.linalg.norm(candidate.anchor - other.anchor))
    return candidate.index == other.index and distance < NEAR_AGAIN * width_of(other.corners)


NEAR_EQUAL = 0.4
"""Distance, in card widths, within which an index belongs to a known card that reads the same."""


def read_partly_covered(
    picture: Picture,
    candidates: Sequence[Candidate],
    whole: Sequence[CardReading],
    locator: Locator,
    reader: CornerReader,
) -> list[CardReading]:
    """Read the cards of which only an index was located, except those read whole."""
    # Of each end of a whole card, whether its own index was found.
    ends = [_End(card, place) for card in whole for place in index_places(card.corners)]
    left = [index for index in candidates if not any(end.is_own(index) for end in ends)]
    near = [locator.closer(picture, index) for index in left]
    readings = [reader.read_covered(picture, index.anchor, index.corners) for index in near]
    pairs = [
        pair
        for pair in zip(near, readings, strict=True)
        if pair[0].heat >= LONE_INDEX_HEAT and pair[1].valid >= FACE
    ]
    for end in ends:
        pairs = end.without_own(pairs)
    kept: list[CardReading] = []
    places: list[Corners] = []
    for candidate, reading in sorted(pairs, key=lambda pair: score(*pair), reverse=True):
        near_by = NEAR * width_of(candidate.corners)
        if any(np.linalg.norm(candidate.anchor - place) < near_by for place in places):
            continue
        if not any(_is_other_end(reading, card) for card in kept):
            kept.append(reading)
            places.append(candidate.anchor)
    return kept


class _End:
    """An end of a card that was read whole, with the place of its index."""

    def __init__(self, card: CardReading, place: Array) -> None:
        self._card, self._place = card, place
        self._width = width_of(card.corners)
        self._found = False

    def is_own(self, index: Candidate) -> bool:
        """Return whether an index lies where this end's is."""
        own = self._distance(index) < NEAR
        self._found = self._found or own
        return own

    def without_own(
        self, pairs: Sequence[tuple[Candidate, CardReading]]
    ) -> list[tuple[Candidate, CardReading]]:
        """Return indices with their readings, but not this end's, which may be a little off.

        In a fan the next card's may be as near, and the same.
        """
        left = [pair for pair in pairs if self._distance(pair[0]) >= NEAR]
        alike = [pair for pair in left if _reads_alike(pair[1], self._card)]
        nearest = min(alike, key=lambda pair: self._distance(pair[0]), default=None)
        was_found = self._found or len(left) < len(pairs)
        if was_found or nearest is None or self._distance(nearest[0]) >= NEAR_EQUAL:
            return left
        return [pair for pair in left if pair is not nearest]

    def _distance(self, index: Candidate) -> float:
        """Return an index's distance from its place, in card widths."""
        return float(np.linalg.norm(index.anchor - self._place)) / self._width


def _is_other_end(reading: CardReading, card: CardReading) -> bool:
    """Return whether two indices are the two ends of a card that is covered in the middle.

    Two equal cards do not lie like that; in a fan they point the same way.
    """
    ways = [read.corners[2] - read.corners[0] for read in (reading, card)]
    opposite = float(ways[0] @ ways[1]) < 0
    alike = opposite and _reads_alike(reading, card)
    return alike and overlap(reading.corners, card.corners) > SAME


def _reads_alike(reading: CardReading, other: CardReading) -> bool:
    return int(reading.probabilities.argmax()) == int(other.probabilities.argmax())
