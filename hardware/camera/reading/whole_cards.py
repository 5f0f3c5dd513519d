"""Reads cards whose middle is visible: whole, by their corners, and again if it was not clear."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np

from hardware.camera.reading.geometry import overlap, width_of
from hardware.camera.reading.locate import Candidate, Locator
from hardware.camera.reading.read import CardReading, CornerReader, WholeCardReader, pool_readings
from hardware.camera.thresholds import CLEARLY_READ, FACE, SURE
from hardware.camera.types import Corners, Picture

MANY = 2
"""Number of middles, or of indices, above which it may be a hand. Of a fan held closely together
only the indices and one middle show."""
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
NEAR = 0.13
"""Distance, in card widths, within which an index belongs to a known card."""


class FaceEvidence(Protocol):
    """What is known of the face in an outline, beside its reading."""

    def combine(self, reading: CardReading) -> CardReading:
        """Combine with the reading of the outline."""


class FaceComparer(Protocol):
    """Compares outlines with faces that were shown or learnt."""

    def compare(self, picture: Picture, outlines: Sequence[Corners]) -> Sequence[FaceEvidence]:
        """Return the evidence for each outline."""


class WholeCards:
    """Reads whole cards with a reader, a corner reader, and the faces that are known beside."""

    def __init__(
        self,
        locator: Locator,
        reader: WholeCardReader,
        corners: CornerReader,
        faces: Sequence[FaceComparer],
    ) -> None:
        self._locator = locator
        self._reader = reader
        self._corners = corners
        self._faces = tuple(faces)

    def read(
        self, picture: Picture, candidates: Sequence[Candidate], indices: Sequence[Candidate]
    ) -> list[CardReading]:
        """Read the cards whose middles were located; ``indices`` may belong to them.

        False finds and second finds of a card are dropped.
        """
        near = [self._locator.closer(picture, candidate) for candidate in candidates]
        readings, evidence = self._look(picture, [candidate.corners for candidate in near])
        combined = [_combined(*pair) for pair in zip(readings, evidence, strict=True)]
        scores = [score(*pair) for pair in zip(near, combined, strict=True)]
        kept: list[int] = []
        faceless: list[int] = []
        for number in sorted(range(len(near)), key=lambda n: (scores[n], n), reverse=True):
            reading = combined[number]
            if reading.valid < FACE:
                faceless.append(number)
            elif all(overlap(reading.corners, readings[other].corners) < SAME for other in kept):
                kept.append(number)
        cards = self._with_corners(
            picture, [readings[n] for n in kept], [evidence[n] for n in kept]
        )
        cards = [
            self._read_again(picture, near[n], indices, card)
            for n, card in zip(kept, cards, strict=True)
        ]
        for n in faceless:
            # The outline holds no face, but the locator sees a card's middle there.
            if not any(_is_middle_of(near[n], card) for card in cards):
                reading = self._read_again(picture, near[n], indices, readings[n])
                new = all(overlap(reading.corners, other.corners) < SAME for other in cards)
                cards += [reading] if reading.valid >= FACE and new else []
        # The cards of a hand are looked through by people.
        return [self._confirmed(picture, card) for card in cards] if len(cards) <= MANY else cards

    def _look(
        self, picture: Picture, outlines: Sequence[Corners]
    ) -> tuple[list[CardReading], list[tuple[FaceEvidence, ...]]]:
        """Read whole cards, and compare them with enrolled and learnt faces."""
        evidence = [face.compare(picture, outlines) for face in self._faces]
        by_outline = [tuple(of[i] for of in evidence) for i in range(len(outlines))]
        return self._reader.read(picture, outlines), by_outline

    def _with_corners(
        self,
        picture: Picture,
        readings: Sequence[CardReading],
        evidence: Sequence[Sequence[FaceEvidence]],
    ) -> list[CardReading]:
        """Combine readings of whole cards with those of their corners and known faces."""
        ends = [np.roll(whole.corners, -turn, axis=0) for whole in readings for turn in (0, 2)]
        corners = self._corners.read_symbols(picture, ends)
        combined = []
        for i, whole in enumerate(readings):
            pooled = pool_readings(whole, corners[2 * i : 2 * i + 2])
            reading = CardReading(whole.corners, pooled, whole.valid)
            combined.append(_combined(reading, evidence[i]))
        return combined

    def _read_again(
        self,
        picture: Picture,
        candidate: Candidate,
        indices: Sequence[Candidate],
        first: CardReading,
    ) -> CardReading:
        """Read a card that was not clear in other outlines; return the surest reading.

        The outlines come from a wider look and from the card's indices: on rimless cards of one
        colour, only the middle may have been located rightly.
        """
        if first.valid >= FACE and first.probabilities.max() >= CLEARLY_READ:
            return first
        near = NEAR * 2 * width_of(candidate.corners)
        outlines = [self._locator.closer(picture, candidate, WIDE_MARGIN).corners]
        outlines += [
            index.corners
            for index in indices
            if np.linalg.norm(index.corners.mean(axis=0) - candidate.anchor) < near
        ]
        best = first
        tried = [candidate.corners]
        for outline in outlines:
            # The same outline would read the same, and a card that is read is not read again.
            if any(overlap(outline, earlier) > SAME_OUTLINE for earlier in tried):
                continue
            tried.append(outline)
            (other,) = self._with_corners(picture, *self._look(picture, [outline]))
            if other.valid >= FACE and other.probabilities.max() > best.probabilities.max():
                best = other
            if best.valid >= FACE and best.probabilities.max() >= CLEARLY_READ:
                break
        return best

    def _confirmed(self, picture: Picture, first: CardReading) -> CardReading:
        """Read a card that is sure, but not clear, in outlines a little off; return the mean.

        A card that the networks know reads the same in all of them. What they do not know was read
        surely in one outline by chance, all the likelier as the surest of several was chosen.
        """
        if not SURE <= first.probabilities.max() < CLEARLY_READ:
            return first
        outlines = [_moved(first.corners, *move) for move in MOVES]
        again = [first, *self._with_corners(picture, *self._look(picture, outlines))]
        mean = np.mean([reading.probabilities for reading in again], axis=0)
        return replace(first, probabilities=mean)

    def read_alone(self, picture: Picture, outline: Corners) -> CardReading:
        """Read the card in an outline by the networks alone."""
        readings = self._reader.read(picture, [outline])
        (card,) = self._with_corners(picture, readings, [()])
        return card


def score(candidate: Candidate, reading: CardReading) -> float:
    """Return how much speaks for a find: how surely it was located and read."""
    return float(np.sqrt(candidate.heat) * reading.probabilities.max())


def _combined(reading: CardReading, evidence: Sequence[FaceEvidence]) -> CardReading:
    for proof in evidence:
        reading = proof.combine(reading)
    return reading


def _moved(corners: Corners, across: float, down: float, scale: float) -> Corners:
    """Return an outline moved along its own sides and scaled around its middle."""
    middle = corners.mean(axis=0)
    aside = across * (corners[1] + corners[2] - corners[0] - corners[3]) / 2
    along = down * (corners[2] + corners[3] - corners[0] - corners[1]) / 2
    moved: Corners = (corners - middle) * scale + middle + aside + along
    return moved.astype(np.float32)


def _is_middle_of(candidate: Candidate, card: CardReading) -> bool:
    distance = float(np.linalg.norm(candidate.anchor - card.corners.mean(axis=0)))
    return distance < 2 * NEAR * width_of(card.corners)
