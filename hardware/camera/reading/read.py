"""Reads a card within a known outline, and combines several readings of it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from hardware.camera.decks import COLOURS, ICONS, SYMBOLS, Card
from hardware.camera.reading.geometry import CARD_CROP, CORNER_CROP, corner_square, index_places
from hardware.camera.thresholds import (
    CORNER_FACE,
    CORNER_SHOWS,
    FACE,
    UNSUPPORTED,
    UPRIGHT_READ,
)
from hardware.camera.types import Array, Corners, Picture

MISREAD = 0.02
"""Share of confident readings that are plain wrong, from glare or a stain."""
CORNER_WEIGHT = 0.5
"""Weight of a corner's reading against the whole card's: corners show the symbol small, and what
blurs one blurs the other. Drawn cards are read best with this and ``MISREAD``."""
PLAIN = 0.56
"""Share of number cards without an icon in a Power Grab deck: 10 of each colour's 18."""
READER_PLAIN = 0.38
"""The same share in the reader's training data: between the crops' default and ``ICONS`` in
``lab/train/samples.py``, as its weights are the mean of both trainings."""
CORNER_PLAIN = 0.46
"""The same share in the corner reader's training data."""
UPRIGHT = 1.3
"""Height over width from which an outline is not tried on its side. A card's is 1.55."""
ALIKE_AT_CORNER = (("wild", "wild-tales"),)
"""Symbols with the same index: both decks print a small wild oval there."""
_CORNER_SIZES = (0.88, 1.0, 1.14)
_OUTPUTS = (len(COLOURS), len(SYMBOLS), len(ICONS), 1)


@dataclass(frozen=True, slots=True)
class CardReading:
    """A reading of an outline, whose corners start at the card's own top left.

    ``valid`` is the probability that it is a readable card's face; ``probabilities``, of the deck's
    cards and then of those that it lacks (``strangers_of``), include it.
    """

    corners: Corners
    probabilities: Array
    valid: float

    @property
    def smoothed(self) -> Array:
        """Probabilities given that it is a face, smoothed by ``MISREAD`` so that none is 0."""
        shares = self.probabilities / max(float(self.probabilities.sum()), 1e-9)
        smoothed: Array = (1 - MISREAD) * shares + MISREAD / len(shares)
        return smoothed


class CardClassifier:
    """A network that classifies crops as cards of a deck.

    ``trained_plain`` is the share of number cards without an icon in its training data. ``alike``
    are pairs of symbols that the crops cannot tell apart: where the deck has only one of a pair, it
    gets the probability of both.
    """

    def __init__(
        self,
        model: Path,
        deck: Sequence[Card],
        trained_plain: float,
        alike: Sequence[tuple[str, str]] = (),
    ) -> None:
        self._net = cv2.dnn.readNetFromONNX(str(model))
        self._alike = _given_to_lookalikes(deck, alike)
        classes = np.array([card.classes for card in deck])
        # Cards that look alike (the custom ones) share their face's probability.
        faces, of, count = np.unique(classes, axis=0, return_inverse=True, return_counts=True)
        self._colours, self._symbols, icons = faces.T
        self._of = of.ravel()
        self._share = (1 / count[self._of]).astype(np.float32)
        # Icons are normalised within each colour and symbol: the deck's missing icons are ruled
        # out, the others are weighted by their frequency in the deck.
        signs, sign = np.unique(faces[:, :2], axis=0, return_inverse=True)
        self._sign = np.eye(len(signs), dtype=np.float32)[sign.ravel()]
        self._icons = icons
        weights = np.where(icons == 0, PLAIN / trained_plain, (1 - PLAIN) / (1 - trained_plain))
        self._icon_weights = weights.astype(np.float32)

    def read(self, crops: Sequence[Picture], *, icons: bool = True) -> tuple[Array, Array]:
        """Return probabilities (n x cards), including that of a face, and that of a face (n).

        With ``icons=False`` every card gets the probability of its colour and symbol.
        """
        self._net.setInput(cv2.dnn.blobFromImages(crops, 1 / 255.0))
        edges = np.cumsum(_OUTPUTS)[:-1]
        colour, symbol, icon, face = np.split(self._net.forward(), edges, axis=1)
        valid = 1 / (1 + np.exp(-face[:, 0]))
        signs = _softmax(symbol) @ self._alike
        joint = _softmax(colour)[:, self._colours] * signs[:, self._symbols]
        if icons:
            seen = _softmax(icon)[:, self._icons] * self._icon_weights + 1e-9
            joint = joint * seen / ((seen @ self._sign) @ self._sign.T)
        return joint[:, self._of] * self._share * valid[:, None], valid


class WholeCardReader:
    """Reads cards whose middle is visible."""

    def __init__(self, model: Path, deck: Sequence[Card]) -> None:
        self._classifier = CardClassifier(model, deck, READER_PLAIN)

    def read(self, picture: Picture, outlines: Sequence[Corners]) -> list[CardReading]:
        """Read outlines with either end as the top.

        Where neither is clear, either side is tried as the top as well: from a low angle a card
        may look wider than high.
        """
        readings = self._read_rotated(picture, outlines, (0, 2))
        unread = [
            i
            for i, reading in enumerate(readings)
            if reading.probabilities.max() < UPRIGHT_READ and _may_be_sideways(outlines[i])
        ]
        sideways = self._read_rotated(picture, [outlines[i] for i in unread], (1, 3))
        for i, other in zip(unread, sideways, strict=True):
            readings[i] = max(readings[i], other, key=lambda card: float(card.probabilities.max()))
        return readings

    def _read_rotated(
        self, picture: Picture, outlines: Sequence[Corners], turns: tuple[int, int]
    ) -> list[CardReading]:
        """Read each outline in two rotations and combine them."""
        rotated = [np.roll(corners, -turn, axis=0) for corners in outlines for turn in turns]
        if not rotated:
            return []
        cards, valid = self._classifier.read(
            [cut_out(picture, quad, CARD_CROP) for quad in rotated]
        )
        ways = [CardReading(*row) for row in zip(rotated, cards, valid.tolist(), strict=True)]
        return [_combine_ends(*pair) for pair in zip(ways[::2], ways[1::2], strict=True)]


class CornerReader:
    """Reads a card by the first corner of its outline."""

    def __init__(self, model: Path, deck: Sequence[Card]) -> None:
        self._classifier = CardClassifier(model, deck, CORNER_PLAIN, ALIKE_AT_CORNER)

    def read_symbols(self, picture: Picture, outlines: Sequence[Corners]) -> list[CardReading]:
        """Read colours and symbols, ignoring icons, which may be elsewhere on the card."""
        if not outlines:
            return []
        crops = [cut_out(picture, corner_square(corners), CORNER_CROP) for corners in outlines]
        cards, valid = self._classifier.read(crops, icons=False)
        return [CardReading(*row) for row in zip(outlines, cards, valid.tolist(), strict=True)]

    def read_covered(self, picture: Picture, index: Array, corners: Corners) -> CardReading:
        """Read a card of which little more than the index at ``index`` (x, y) is visible.

        Its outline is a guess, so crops of several sizes are read and averaged.
        """
        placed = (corners + (index - index_places(corners)[0])).astype(np.float32)
        scaled = [(placed - index) * size + index for size in _CORNER_SIZES]
        crops = [
            cut_out(picture, corner_square(quad.astype(np.float32)), CORNER_CROP) for quad in scaled
        ]
        cards, valid = self._classifier.read(crops)
        return CardReading(placed, cards.mean(axis=0), float(valid.mean()))


def pool_readings(whole: CardReading, corners: Sequence[CardReading]) -> Array:
    """Combine the reading of a whole card with those of its corners into probabilities.

    A corner counts as far as it looks like a face. No reading can rule a card out, so one that is
    confidently wrong cannot overrule two others. A card whose sign neither corner shows at all may
    be another game's: it has to be all the clearer.
    """
    total = np.log(whole.smoothed)
    for corner in corners:
        if corner.valid >= CORNER_FACE:
            total = total + CORNER_WEIGHT * corner.valid * np.log(corner.smoothed)
    raised = np.exp(total - total.max())
    shares: Array = raised / raised.sum() * whole.valid
    best = int(shares.argmax())
    if corners and max(corner.probabilities[best] for corner in corners) < CORNER_SHOWS:
        chance = shares[best]
        shares = shares * UNSUPPORTED / (chance * UNSUPPORTED + 1 - chance)
    return shares


def _may_be_sideways(corners: Corners) -> bool:
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    return bool(sides[1] + sides[3] < UPRIGHT * (sides[0] + sides[2]))


def _combine_ends(end: CardReading, other: CardReading) -> CardReading:
    """Return the surer of two rotations, less sure where the other one disagrees."""
    if end.probabilities.max() < other.probabilities.max():
        end, other = other, end
    if other.valid < FACE:
        return end
    shares = np.sqrt(end.smoothed * other.smoothed)
    return replace(end, probabilities=shares / shares.sum() * end.valid)


def cut_out(picture: Picture, corners: Corners, size: tuple[int, int]) -> Picture:
    """Rectify an outline into a crop of ``size`` (width, height)."""
    width, height = size
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    reduction = max(sides[0] + sides[2], 1) / (2 * width)
    if reduction > 2:
        # Average first: warping picks single pixels, which are noisy.
        step = float(int(reduction))
        low = np.maximum(np.floor(corners.min(axis=0)) - step, 0).astype(int)
        high = np.ceil(corners.max(axis=0)).astype(int) + int(step)
        part = picture[low[1] : high[1], low[0] : high[0]]
        if part.size:
            small = cv2.resize(part, None, fx=1 / step, fy=1 / step, interpolation=cv2.INTER_AREA)
            picture, corners = small, ((corners - low) / step).astype(np.float32)
    flat = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), flat)
    return cv2.warpPerspective(
        picture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )


def _given_to_lookalikes(deck: Sequence[Card], alike: Sequence[tuple[str, str]]) -> Array:
    """Return the matrix (symbols x symbols) that gives absent symbols' shares to lookalikes."""
    present = {card.symbol for card in deck}
    matrix = np.eye(len(SYMBOLS), dtype=np.float32)
    for pair in alike:
        for symbol, other in (pair, pair[::-1]):
            if symbol in present and other not in present:
                matrix[SYMBOLS.index(other)] = matrix[SYMBOLS.index(symbol)]
    return matrix


def _softmax(logits: Array) -> Array:
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares: Array = raised / raised.sum(axis=1, keepdims=True)
    return shares
