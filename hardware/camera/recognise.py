"""Finds the cards in a picture, looks closer, reads them, and drops false finds.

A card whose middle is visible is read whole, then by its corners as a second opinion. A card in a
fan shows only a corner, and is read by that alone.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from hardware.camera.decks import Card, all_cards, strangers_of
from hardware.camera.geometry import index_places, overlap, width_of
from hardware.camera.locate import LOCATED_AT, Candidate, Locator
from hardware.camera.read import CardReading, CornerReader, WholeCardReader, pool_readings
from hardware.camera.thresholds import (
    CARD_HEAT,
    CLEARLY_READ,
    FACE,
    INDEX_HEAT,
    LISTED,
    LONE_INDEX_HEAT,
    STRANGER,
    SURE,
)
from hardware.camera.types import Array, Corners, Detection, Picture

MODELS = Path(__file__).parent / "models"
NETWORKS = ("locator.onnx", "reader.onnx", "corners.onnx")
SMALL = 56.0
"""Long side of a card, in pixels as the locator sees it, below which it looks closer."""
MANY = 2
"""Number of middles, or of indices, above which it looks closer: it may be a hand. Of a fan held
closely together only the indices and one middle show."""
SAME = 0.5
"""Overlap from which two outlines with visible middles are one card."""
SAME_OUTLINE = 0.95
"""Overlap from which two outlines of a card are not read both."""
WIDE_MARGIN = 0.7
"""Margin, as a share of the card, for a second look at a card that was not read clearly: its
outline may have been wrong, and its corners read beside the card."""
MOVES = ((0.02, 0.02, 1.03), (-0.02, -0.02, 0.97), (0.02, -0.02, 0.98), (-0.02, 0.02, 1.02))
"""Outlines that are a little off: moved along the card's sides, as shares of them, and scaled. Not
as far off as many outlines in the reader's training."""
NEAR, NEAR_EQUAL = 0.13, 0.4
"""Distance, in card widths, within which an index belongs to a known card: if it reads
differently, and if it reads the same."""


class ModelError(Exception):
    """The networks cannot be used; the text says why."""


class FaceEvidence(Protocol):
    """What is known of the face in an outline, beside its reading."""

    def combine(self, reading: CardReading) -> CardReading:
        """Combine with the reading of the outline."""


class FaceComparer(Protocol):
    """Compares outlines with faces that were shown or learnt."""

    def compare(self, picture: Picture, outlines: Sequence[Corners]) -> Sequence[FaceEvidence]:
        """Return the evidence for each outline."""


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
        self._reader = WholeCardReader(reader, known)
        self._corners = CornerReader(corners, known)
        self._faces = tuple(faces)

    def recognise(self, picture: Picture, *, parts: bool = True) -> list[Detection]:
        """Return the cards in a picture, surest first; without ``parts`` only the whole ones."""
        candidates = self._candidates(picture)
        indices = [one for one in candidates if one.index]
        whole = self._read_whole(picture, [one for one in candidates if not one.index], indices)
        found = [self._detection(one) for one in whole]
        if parts:
            partly = self._read_parts(picture, indices, whole)
            found += [self._detection(one, whole=False) for one in partly]
        return sorted(found, key=lambda one: -max(one.probabilities.values(), default=0.0))

    def read_alone(self, picture: Picture, outline: Corners) -> Detection:
        """Read the card in an outline by the networks alone, without enrolled or learnt faces."""
        readings = self._reader.read(picture, [outline])
        (found,) = self._with_corners(picture, readings, [()])
        return self._detection(found)

    def _candidates(self, picture: Picture) -> list[Candidate]:
        found = [one for one in self._locator.locate(picture) if _is_hot(one)]
        if not _needs_finer_look(found, picture):
            return found
        finer = [one for one in self._locator.locate_finer(picture, found) if _is_hot(one)]
        return [*finer, *(one for one in found if not any(_same_part(one, m) for m in finer))]

    def _read_whole(
        self, picture: Picture, candidates: Sequence[Candidate], indices: Sequence[Candidate]
    ) -> list[CardReading]:
        near = [self._locator.closer(picture, one) for one in candidates]
        readings, evidence = self._read(picture, [one.corners for one in near])
        combined = [_combined(*pair) for pair in zip(readings, evidence, strict=True)]
        scores = [_score(*pair) for pair in zip(near, combined, strict=True)]
        kept: list[int] = []
        faceless: list[int] = []
        for number in sorted(range(len(near)), key=lambda n: (scores[n], n), reverse=True):
            one = combined[number]
            if one.valid < FACE:
                faceless.append(number)
            elif all(overlap(one.corners, readings[other].corners) < SAME for other in kept):
                kept.append(number)
        found = self._with_corners(
            picture, [readings[n] for n in kept], [evidence[n] for n in kept]
        )
        found = [
            self._read_again(picture, near[n], indices, one)
            for n, one in zip(kept, found, strict=True)
        ]
        for n in faceless:
            # The outline holds no face, but the locator sees a card's middle there.
            if not any(_is_middle_of(near[n], one) for one in found):
                one = self._read_again(picture, near[n], indices, readings[n])
                new = all(overlap(one.corners, other.corners) < SAME for other in found)
                found += [one] if one.valid >= FACE and new else []
        # The cards of a hand are looked through by people.
        return [self._confirmed(picture, one) for one in found] if len(found) <= MANY else found

    def _read(
        self, picture: Picture, outlines: Sequence[Corners]
    ) -> tuple[list[CardReading], list[tuple[FaceEvidence, ...]]]:
        """Read whole cards, and compare them with enrolled and learnt faces."""
        evidence = [one.compare(picture, outlines) for one in self._faces]
        by_outline = [tuple(of[i] for of in evidence) for i in range(len(outlines))]
        return self._reader.read(picture, outlines), by_outline

    def _with_corners(
        self,
        picture: Picture,
        readings: Sequence[CardReading],
        evidence: Sequence[Sequence[FaceEvidence]],
    ) -> list[CardReading]:
        """Combine readings of whole cards with those of their corners and known faces."""
        ends = [np.roll(one.corners, -turn, axis=0) for one in readings for turn in (0, 2)]
        corners = self._corners.read_symbols(picture, ends)
        found = []
        for i, one in enumerate(readings):
            pooled = pool_readings(one, corners[2 * i : 2 * i + 2])
            reading = CardReading(one.corners, pooled, one.valid)
            found.append(_combined(reading, evidence[i]))
        return found

    def _read_again(
        self,
        picture: Picture,
        candidate: Candidate,
        indices: Sequence[Candidate],
        one: CardReading,
    ) -> CardReading:
        """Read a card that was not clear in other outlines; return the surest reading.

        The outlines come from a wider look and from the card's indices: on rimless cards of one
        colour, only the middle may have been located rightly.
        """
        if one.valid >= FACE and one.probabilities.max() >= CLEARLY_READ:
            return one
        near = NEAR * 2 * width_of(candidate.corners)
        outlines = [self._locator.closer(picture, candidate, WIDE_MARGIN).corners]
        outlines += [
            index.corners
            for index in indices
            if np.linalg.norm(index.corners.mean(axis=0) - candidate.anchor) < near
        ]
        best = one
        tried = [candidate.corners]
        for outline in outlines:
            # The same outline would read the same, and a card that is read is not read again.
            if any(overlap(outline, earlier) > SAME_OUTLINE for earlier in tried):
                continue
            tried.append(outline)
            (other,) = self._with_corners(picture, *self._read(picture, [outline]))
            if other.valid >= FACE and other.probabilities.max() > best.probabilities.max():
                best = other
            if best.valid >= FACE and best.probabilities.max() >= CLEARLY_READ:
                break
        return best

    def _confirmed(self, picture: Picture, one: CardReading) -> CardReading:
        """Read a card that is sure, but not clear, in outlines a little off; return the mean.

        A card that the networks know reads the same in all of them. What they do not know was read
        surely in one outline by chance, all the likelier as the surest of several was chosen.
        """
        if not SURE <= one.probabilities.max() < CLEARLY_READ:
            return one
        outlines = [_moved(one.corners, *move) for move in MOVES]
        again = [one, *self._with_corners(picture, *self._read(picture, outlines))]
        mean = np.mean([reading.probabilities for reading in again], axis=0)
        return replace(one, probabilities=mean)

    def _read_parts(
        self, picture: Picture, candidates: Sequence[Candidate], whole: Sequence[CardReading]
    ) -> list[CardReading]:
        """Read the cards of which only an index is visible, except those read whole."""
        # Of each end of a whole card, whether its own index was found.
        ends = [_End(card, place) for card in whole for place in index_places(card.corners)]
        left = [one for one in candidates if not any(end.is_own(one) for end in ends)]
        near = [self._locator.closer(picture, one) for one in left]
        readings = [self._corners.read_covered(picture, one.anchor, one.corners) for one in near]
        pairs = [
            pair
            for pair in zip(near, readings, strict=True)
            if pair[0].heat >= LONE_INDEX_HEAT and pair[1].valid >= FACE
        ]
        for end in ends:
            pairs = end.without_own(pairs)
        kept: list[CardReading] = []
        places: list[Corners] = []
        for candidate, reading in sorted(pairs, key=lambda pair: _score(*pair), reverse=True):
            near_by = NEAR * width_of(candidate.corners)
            if any(np.linalg.norm(candidate.anchor - place) < near_by for place in places):
                continue
            if not any(_is_other_end(reading, card) for card in kept):
                kept.append(reading)
                places.append(candidate.anchor)
        return kept

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


def _combined(reading: CardReading, evidence: Sequence[FaceEvidence]) -> CardReading:
    for one in evidence:
        reading = one.combine(reading)
    return reading


def _needs_finer_look(found: Sequence[Candidate], picture: Picture) -> bool:
    scale = LOCATED_AT / max(picture.shape[:2])
    sides = [np.ptp(one.corners, axis=0).max() * scale for one in found if not one.index]
    middles, indices = len(sides), len(found) - len(sides)
    return max(middles, indices) > MANY or bool(sides and np.median(sides) < SMALL)


def _moved(corners: Corners, across: float, down: float, scale: float) -> Corners:
    """Return an outline moved along its own sides and scaled around its middle."""
    middle = corners.mean(axis=0)
    aside = across * (corners[1] + corners[2] - corners[0] - corners[3]) / 2
    along = down * (corners[2] + corners[3] - corners[0] - corners[1]) / 2
    moved: Corners = (corners - middle) * scale + middle + aside + along
    return moved.astype(np.float32)


def _score(candidate: Candidate, reading: CardReading) -> float:
    return float(np.sqrt(candidate.heat) * reading.probabilities.max())


def _is_hot(candidate: Candidate) -> bool:
    return candidate.heat >= (INDEX_HEAT if candidate.index else CARD_HEAT)


def _is_middle_of(candidate: Candidate, card: CardReading) -> bool:
    distance = float(np.linalg.norm(candidate.anchor - card.corners.mean(axis=0)))
    return distance < 2 * NEAR * width_of(card.corners)


def _same_part(one: Candidate, other: Candidate) -> bool:
    """Return whether two looks found the same part of the same card."""
    distance = float(np.linalg.norm(one.anchor - other.anchor))
    return one.index == other.index and distance < NEAR * 2 * width_of(other.corners)


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
        found = self._found or len(left) < len(pairs)
        if found or nearest is None or self._distance(nearest[0]) >= NEAR_EQUAL:
            return left
        return [pair for pair in left if pair is not nearest]

    def _distance(self, index: Candidate) -> float:
        """Return an index's distance from its place, in card widths."""
        return float(np.linalg.norm(index.anchor - self._place)) / self._width


def _is_other_end(reading: CardReading, card: CardReading) -> bool:
    """Return whether two indices are the two ends of a card that is covered in the middle.

    Two equal cards do not lie like that; in a fan they point the same way.
    """
    ways = [one.corners[2] - one.corners[0] for one in (reading, card)]
    opposite = float(ways[0] @ ways[1]) < 0
    alike = opposite and _reads_alike(reading, card)
    return alike and overlap(reading.corners, card.corners) > SAME


def _reads_alike(one: CardReading, other: CardReading) -> bool:
    return int(one.probabilities.argmax()) == int(other.probabilities.argmax())
