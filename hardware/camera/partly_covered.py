"""Reads cards of which little more than an index is visible, as in a fan."""

from collections.abc import Sequence

import numpy as np

from hardware.camera.geometry import index_places, overlap, width_of
from hardware.camera.locate import Candidate, Locator
from hardware.camera.read import CardReading, CornerReader
from hardware.camera.thresholds import FACE, LONE_INDEX_HEAT
from hardware.camera.types import Array, Corners, Picture
from hardware.camera.whole_cards import NEAR, SAME, score

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
    left = [one for one in candidates if not any(end.is_own(one) for end in ends)]
    near = [locator.closer(picture, one) for one in left]
    readings = [reader.read_covered(picture, one.anchor, one.corners) for one in near]
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
