"""The state of a simulated table: the pile, the hands, and what they hold."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from lab.clips.ground_truth import Distraction, PileChange, TrueEvent
from lab.clips.hand_sprite import HandSprite, random_hand
from lab.clips.pose import Matrix, Pose

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
