"""A recogniser that knows the truth of a clip, and is as good or as bad as one likes."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from hardware.camera.types import Detection, Picture
from lab.clips.ground_truth import ClipFrame, VisibleCard

REMEMBERED = 800


@dataclass(frozen=True)
class ReaderErrors:
    """How the recogniser errs.

    Attributes:
        seen: Of which share of a card it has to see to find it.
        sharp: How fast a card may move, in its own heights a second, to be found.
        offset: Deviation of its corners, in shares of the card's height.
        miss: Chance that it overlooks a card in a frame.
        confuse: Chance that it takes a card for another in a frame, sure of itself.
        doubt: Chance that it is not sure in a frame.
        blind: Cards that it never reads.
        certain: What it gives a card that it is sure of.
    """

    seen: float = 0.6
    sharp: float = 2.5
    offset: float = 0.006
    miss: float = 0.02
    confuse: float = 0.0
    doubt: float = 0.05
    blind: frozenset[str] = frozenset()
    certain: float = 0.9995


@dataclass(frozen=True)
class _Told:
    """A frame, where the part lies that is asked about, and whether that is turned."""

    frame: ClipFrame
    corner: tuple[int, int]
    turned: bool


@dataclass
class GroundTruthReader:
    """Answers with what a clip's frame shows (``hardware.camera.types.Recogniser``).

    It is told of each frame before the frame is watched, and recognises a picture cut out of one
    by its pixels, as it is or turned by a quarter: then it errs otherwise.

    Attributes:
        deck: Cards that one can be taken for.
        faults: How it errs.
        seed: What its errors are drawn from.
    """

    deck: Sequence[str]
    faults: ReaderErrors = field(default_factory=ReaderErrors)
    seed: int = 0
    _told: OrderedDict[bytes, _Told] = field(default_factory=OrderedDict)

    def tell(self, frame: ClipFrame, crop: tuple[slice, slice]) -> None:
        """What is in the part of a frame that will be asked about (rows, columns)."""
        corner = (int(crop[1].start), int(crop[0].start))
        part = frame.picture[crop]
        self._told[_key(part)] = _Told(frame, corner, turned=False)
        self._told[_key(np.rot90(part))] = _Told(frame, corner, turned=True)
        while len(self._told) > REMEMBERED:
            self._told.popitem(last=False)

    def recognise(self, picture: Picture, *, parts: bool = True) -> list[Detection]:
        """The cards in the picture, the surest first; it finds no parts of any.

        Raises:
            LookupError: The picture is of no frame that it was told of.
        """
        del parts
        try:
            told = self._told[_key(picture)]
        except KeyError:
            raise LookupError("the oracle was never told of this picture") from None
        rng = np.random.default_rng([self.seed, told.frame.number, told.turned])
        height, width = picture.shape[:2][:: -1 if told.turned else 1]
        found = []
        for card in told.frame.cards:
            middle = card.corners.mean(axis=0) - told.corner
            inside = bool((middle > 0).all() and (middle < (width, height)).all())
            if inside and self._finds(card, rng):
                one = self._found(card, told.corner, rng)
                found.append(_turned(one, width) if told.turned else one)
        return sorted(found, key=lambda one: -next(iter(one.probabilities.values())))

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
        # The faces are the same upside down: either end may be taken for the upper one.
        corners = np.roll(shaken, 2 * int(rng.integers(2)), axis=0).astype(np.float32)
        return Detection(corners, self._chances(card.card, rng))

    def _chances(self, card: str, rng: np.random.Generator) -> dict[str, float]:
        faults = self.faults
        other = str(rng.choice([one for one in self.deck if one != card]))
        if rng.random() < faults.confuse:
            card, other = other, card
        doubtful = rng.random() < faults.doubt
        likely = float(rng.uniform(0.45, 0.8)) if doubtful else faults.certain
        return {card: likely, other: (1 - likely) * 0.8}


def _turned(one: Detection, width: int) -> Detection:
    """The same in the picture turned by a quarter (``numpy.rot90``)."""
    x, y = one.corners.T
    return replace(one, corners=np.stack((y, width - 1 - x), axis=1))


def _key(picture: npt.NDArray[np.uint8]) -> bytes:
    """Some of its pixels, enough to tell it from all others: every frame has its own noise."""
    return np.ascontiguousarray(picture[::23, ::19]).tobytes()
