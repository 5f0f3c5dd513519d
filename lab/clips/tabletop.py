"""The state of a simulated table: the pile, the hands, and what they hold."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from lab.clips.ground_truth import Distraction, PileChange, TrueEvent
from lab.clips.pose import Matrix, Pose
from lab.draw.scenes.hands import random_skin

Layer = npt.NDArray[Any]

SCALE = 2.5
"""Pixels per millimetre in the layers."""
LEFT, TOP, RIGHT, BOTTOM = -75.0, -30.0, 75.0, 430.0
"""Extent of the layers in mm around the point where thumb and fingers meet; the arm is below."""

_FINGERS = (
    # Knuckle, joint and tip, and thickness, in mm.
    (((-27.0, 74.0), (-33.0, 36.0), (-14.0, 4.0)), 17.0),
    (((-9.0, 66.0), (-13.0, 24.0), (-3.0, -9.0)), 18.0),
    (((10.0, 68.0), (10.0, 28.0), (9.0, -3.0)), 17.0),
    (((26.0, 76.0), (29.0, 44.0), (22.0, 14.0)), 14.5),
)
_THUMB = (((-38.0, 112.0), (-46.0, 72.0), (-30.0, 38.0), (-7.0, 9.0)), 20.0)


@dataclass(frozen=True)
class HandSprite:
    """A hand in two layers, (height, width, 4) in BGRA.

    ``under`` is below a held card, ``over`` is the thumb on the card.
    """

    under: Layer
    over: Layer

    @property
    def to_mm(self) -> Matrix:
        """Transform from the layers' pixels to the hand's millimetres."""
        return np.array([[1 / SCALE, 0, LEFT], [0, 1 / SCALE, TOP], [0, 0, 1.0]])


def random_hand(rng: np.random.Generator) -> HandSprite:
    """Return a random left or right hand."""
    tone, sleeve = random_skin(rng), rng.uniform(10, 245, 3)
    thick, cuff = rng.uniform(0.88, 1.12), rng.uniform(160, 300)
    shape = (round((BOTTOM - TOP) * SCALE), round((RIGHT - LEFT) * SCALE), 4)
    under: Layer = np.zeros(shape, np.uint8)
    over: Layer = np.zeros(shape, np.uint8)
    _limb(under, ((2.0, 100.0), (6.0, 200.0), (10.0, 440.0)), 62.0 * thick, tone)
    _limb(under, ((10.0, cuff), (12.0, 300.0), (14.0, 470.0)), 82.0 * thick, sleeve)
    _limb(under, ((-10.0, 98.0), (8.0, 108.0)), 70.0 * thick, tone)
    for points, width in _FINGERS:
        _limb(under, points, width * thick, tone)
    _limb(over, _THUMB[0], _THUMB[1] * thick, tone)
    if rng.random() < 0.5:
        under, over = np.flip(under, 1), np.flip(over, 1)
    return HandSprite(np.ascontiguousarray(under), np.ascontiguousarray(over))


def _limb(
    layer: Layer,
    points: tuple[tuple[float, float], ...],
    thick: float,
    tone: npt.NDArray[np.float64],
) -> None:
    """Draw a rounded line with a dark rim, lit from the upper left."""
    line = (_smooth(np.array(points)) - (LEFT, TOP)) * SCALE
    lit = np.array([-0.14, -0.18]) * thick * SCALE
    # The rim separates the fingers.
    for part, light in ((1.0, 0.55), (0.93, 0.8), (0.72, 0.92), (0.5, 1.0), (0.26, 1.06)):
        tint = (*(float(v) for v in np.minimum(tone * light, 255)), 255.0)
        path = np.round((line + lit * (1 - part)) * 16).astype(np.int32)
        width = max(1, round(thick * SCALE * part))
        cv2.polylines(layer, [path], False, tint, width, cv2.LINE_AA, 4)


def _smooth(points: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Round the bends of a line (Chaikin), keeping its ends."""
    for _ in range(3 if len(points) > 2 else 0):
        early = 0.75 * points[:-1] + 0.25 * points[1:]
        late = 0.25 * points[:-1] + 0.75 * points[1:]
        cut = np.stack([early, late], axis=1).reshape(-1, 2)
        points = np.vstack([points[:1], cut[1:-1], points[-1:]])
    return points


PILE_DEPTH = 24
"""Most cards kept; those below are hidden."""


@dataclass(frozen=True, slots=True)
class PlacedCard:
    """A card on the pile or in a hand."""

    card: str
    pose: Pose
    number: int


@dataclass(slots=True, eq=False)
class MovingHand:
    """A hand over the table, and the cards it holds, the lowest first."""

    sprite: HandSprite
    pose: Pose
    held: list[PlacedCard] = field(default_factory=list)
    before: Pose | None = None


@dataclass
class Tabletop:
    """The table and what has happened so far.

    Attributes:
        pile: The pile, the lowest card first.
        reaches: Hands over the table.
        shake: Shift of the picture by a bumped camera, 3 by 3.
        glare: A reflection over the pile: x, y and radius in mm.
    """

    rng: np.random.Generator
    rate: float = 30.0
    pile: list[PlacedCard] = field(default_factory=list)
    hands: list[MovingHand] = field(default_factory=list)
    shake: Matrix = field(default_factory=lambda: np.eye(3))
    glare: tuple[float, float, float] | None = None
    now: float = 0.0
    happened: list[TrueEvent] = field(default_factory=list)
    _numbers: int = 0

    def new(self, card: str, pose: Pose) -> PlacedCard:
        """Return a new card."""
        self._numbers += 1
        return PlacedCard(card, pose, self._numbers)

    def put(self, laid: PlacedCard) -> None:
        """Lay a card on the pile."""
        self.pile = [*self.pile, laid][-PILE_DEPTH:]

    def move(self, poses: Mapping[int, Pose]) -> None:
        """Move cards of the pile, given by number."""
        self.pile = [
            replace(one, pose=poses[one.number]) if one.number in poses else one
            for one in self.pile
        ]

    def tell(self, kind: PileChange | Distraction, card: str | None = None, note: str = "") -> None:
        """Record an event at the current time."""
        self.happened.append(TrueEvent(kind, self.now, card, note=note))

    def bring_hand(self, pose: Pose, sprite: HandSprite | None = None) -> MovingHand:
        """Add a hand and return it; with a random sprite unless one is given."""
        hand = MovingHand(sprite or random_hand(self.rng), pose)
        self.hands.append(hand)
        return hand

    def remove_hand(self, hand: MovingHand) -> None:
        """Remove a hand."""
        self.hands.remove(hand)

    @property
    def top(self) -> PlacedCard | None:
        """The top card."""
        return self.pile[-1] if self.pile else None

    @property
    def top_card(self) -> str | None:
        """The id of the top card."""
        return self.pile[-1].card if self.pile else None


Motion = Iterator[None]
"""An action under way, one step per frame."""
Action = Callable[[Tabletop], Motion]
"""Something to do at the table."""
