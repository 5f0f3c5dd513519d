"""The table while a clip is made: the pile, what hands hold, and the hands."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from lab.clips.ground_truth import Distraction, PileChange, TrueEvent
from lab.clips.hand_sprite import HandSprite, random_hand
from lab.clips.pose import Matrix, Pose

PILE_DEPTH = 24
"""So many cards of the pile are drawn; those below cannot be seen any more."""


@dataclass(frozen=True, slots=True)
class PlacedCard:
    """A card of the pile."""

    card: str
    pose: Pose
    number: int


@dataclass(slots=True, eq=False)
class MovingHand:
    """A hand over the table, and the cards in it, the lowest first."""

    sprite: HandSprite
    pose: Pose
    held: list[PlacedCard] = field(default_factory=list)
    before: Pose | None = None


@dataclass
class Tabletop:
    """What there is to be seen, and what has happened so far.

    Attributes:
        rng: Where everything that is left to chance comes from.
        rate: Frames a second.
        pile: The pile, the lowest card first.
        reaches: Hands over the table.
        shake: What a bumped camera does to its picture, 3 by 3.
        glare: A reflection over the pile: x, y and radius in mm; None if there is none.
        now: The time in seconds.
        happened: What was done, in order.
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
        """A card that was not there before."""
        self._numbers += 1
        return PlacedCard(card, pose, self._numbers)

    def put(self, laid: PlacedCard) -> None:
        """Lay it on the pile."""
        self.pile = [*self.pile, laid][-PILE_DEPTH:]

    def move(self, poses: Mapping[int, Pose]) -> None:
        """Cards of the pile, by their numbers, lie elsewhere now; others stay where they are."""
        self.pile = [
            replace(one, pose=poses[one.number]) if one.number in poses else one
            for one in self.pile
        ]

    def tell(self, kind: PileChange | Distraction, card: str | None = None, note: str = "") -> None:
        """Write down what is being done now."""
        self.happened.append(TrueEvent(kind, self.now, card, note=note))

    def bring_hand(self, pose: Pose, sprite: HandSprite | None = None) -> MovingHand:
        """A hand comes in; a new one, or one that was drawn before."""
        hand = MovingHand(sprite or random_hand(self.rng), pose)
        self.hands.append(hand)
        return hand

    def remove_hand(self, hand: MovingHand) -> None:
        """The hand is gone."""
        self.hands.remove(hand)

    @property
    def top(self) -> PlacedCard | None:
        """What lies on top."""
        return self.pile[-1] if self.pile else None

    @property
    def top_card(self) -> str | None:
        """The id of the card on top."""
        return self.pile[-1].card if self.pile else None


Motion = Iterator[None]
"""What is being done, a step a frame."""
Action = Callable[[Tabletop], Motion]
"""Something to be done at the table."""
