"""A simulated card recogniser that knows the ground truth, with configurable errors."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from hardware.camera.types import Detection, Picture
from lab.films.film import FilmFrame
from lab.films.ground_truth import VisibleCard

REMEMBERED = 800


@dataclass(frozen=True)
class ReaderErrors:
    """Errors of the reader."""

    seen: float = 0.6  # Least visible share of a card it finds
    sharp: float = 2.5  # Greatest speed of a card it finds, in card heights per second
    offset: float = 0.006  # Standard deviation of the corners, in card heights
    miss: float = 0.02  # Probability of missing a card in a frame
    confuse: float = 0.0  # Probability of a confident wrong reading in a frame
    doubt: float = 0.05  # Probability of an unsure reading in a frame
    blind: frozenset[str] = frozenset()  # Cards it never finds
    certain: float = 0.9995  # Probability of a confident reading


@dataclass(frozen=True)
class _Told:
    """A frame, the corner of its crop, and whether the crop is rotated."""

    frame: FilmFrame
    corner: tuple[int, int]
    turned: bool


@dataclass
class GroundTruthReader:
    """A ``hardware.camera.types.Recogniser`` that answers from a film's ground truth.

    Register each frame with ``tell`` before it is tracked. The reader identifies a crop by its
    pixels, upright or rotated by a quarter turn; the two have independent errors.
    """

    deck: Sequence[str]  # Cards for wrong readings
    faults: ReaderErrors = field(default_factory=ReaderErrors)
    seed: int = 0
    _told: OrderedDict[bytes, _Told] = field(default_factory=OrderedDict)

    def tell(self, frame: FilmFrame, crop: tuple[slice, slice]) -> None:
        """Register the crop (rows, columns) of a frame."""
        corner = (int(crop[1].start), int(crop[0].start))
        part = frame.picture[crop]
        self._told[_key(part)] = _Told(frame, corner, turned=False)
        self._told[_key(np.rot90(part))] = _Told(frame, corner, turned=True)
        while len(self._told) > REMEMBERED:
            self._told.popitem(last=False)

    def recognise(self, picture: Picture, *, parts: bool = True) -> list[Detection]:
        """Return the cards in the picture, the surest first; never parts of cards.

        Raises LookupError if the picture is no registered crop.
        """
        del parts
        try:
            told = self._told[_key(picture)]
        except KeyError:
            raise LookupError("this picture was never registered") from None
        rng = np.random.default_rng([self.seed, told.frame.number, told.turned])
        height, width = picture.shape[:2][:: -1 if told.turned else 1]
        readings = []
        for card in told.frame.cards:
            middle = card.corners.mean(axis=0) - told.corner
            inside = bool((middle > 0).all() and (middle < (width, height)).all())
            if inside and self._finds(card, rng):
                reading = self._found(card, told.corner, rng)
                readings.append(_turned(reading, width) if told.turned else reading)
        return sorted(readings, key=lambda reading: -next(iter(reading.probabilities.values())))

    def _finds(self, card: VisibleCard, rng: np.random.Generator) -> bool:
        faults = self.faults
        if card.card in faults.blind or card.visible < faults.seen or card.speed > faults.sharp:
            return False
        return bool(rng.random() >= faults.miss)

    def _found(
        self, card: VisibleCard, corner: tuple[int, int], rng: np.random.Generator
    ) -> Detection:
        faults = self.faults
        height = float(np.hypot(*(card.corners[3] - card.corners[0])))
        shaken = card.corners - corner + rng.normal(0, faults.offset * height, (4, 2))
        # Faces look the same upside down, so either end may come first.
        corners = np.roll(shaken, 2 * int(rng.integers(2)), axis=0).astype(np.float32)
        return Detection(corners, self._chances(card.card, rng))

    def _chances(self, card: str, rng: np.random.Generator) -> dict[str, float]:
        faults = self.faults
        other = str(rng.choice([name for name in self.deck if name != card]))
        if rng.random() < faults.confuse:
            card, other = other, card
        doubtful = rng.random() < faults.doubt
        likely = float(rng.uniform(0.45, 0.8)) if doubtful else faults.certain
        return {card: likely, other: (1 - likely) * 0.8}


def _turned(reading: Detection, width: int) -> Detection:
    """Rotate a reading by a quarter turn (``numpy.rot90``)."""
    x, y = reading.corners.T
    return replace(reading, corners=np.stack((y, width - 1 - x), axis=1))


def _key(picture: npt.NDArray[np.uint8]) -> bytes:
    """Return a sample of the pixels; it is unique, as every frame has its own noise."""
    return np.ascontiguousarray(picture[::23, ::19]).tobytes()
