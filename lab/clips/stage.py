"""The table while a clip is made: the pile, what hands hold, and the hands."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from lab.clips.hand import Hand, drawn
from lab.clips.poses import Matrix, Pose
from lab.clips.truth import Happening, Quiet, Told

KEPT = 24
"""So many cards of the pile are drawn; those below cannot be seen any more."""


@dataclass(frozen=True, slots=True)
class Laid:
    """A card of the pile."""

    card: str
    pose: Pose
    number: int


@dataclass(slots=True, eq=False)
class Reach:
    """A hand over the table, and the cards in it, the lowest first."""

    hand: Hand
    pose: Pose
    held: list[Laid] = field(default_factory=list)
    before: Pose | None = None


@dataclass
class Stage:
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
    pile: list[Laid] = field(default_factory=list)
    reaches: list[Reach] = field(default_factory=list)
    shake: Matrix = field(default_factory=lambda: np.eye(3))
    glare: tuple[float, float, float] | None = None
    now: float = 0.0
    happened: list[Happening] = field(default_factory=list)
    _numbers: int = 0

    def new(self, card: str, pose: Pose) -> Laid:
        """A card that was not there before."""
        self._numbers += 1
        return Laid(card, pose, self._numbers)

    def put(self, laid: Laid) -> None:
        """Lay it on the pile."""
        self.pile = [*self.pile, laid][-KEPT:]

    def move(self, poses: Mapping[int, Pose]) -> None:
        """Cards of the pile, by their numbers, lie elsewhere now; others stay where they are."""
        self.pile = [
            replace(one, pose=poses[one.number]) if one.number in poses else one
            for one in self.pile
        ]

    def tell(self, kind: Told | Quiet, card: str | None = None, note: str = "") -> None:
        """Write down what is being done now."""
        self.happened.append(Happening(kind, self.now, card, note=note))

    def reach(self, pose: Pose, hand: Hand | None = None) -> Reach:
        """A hand comes in; a new one, or one that was drawn before."""
        reach = Reach(hand or drawn(self.rng), pose)
        self.reaches.append(reach)
        return reach

    def leave(self, reach: Reach) -> None:
        """The hand is gone."""
        self.reaches.remove(reach)

    @property
    def top(self) -> Laid | None:
        """What lies on top."""
        return self.pile[-1] if self.pile else None

    @property
    def top_card(self) -> str | None:
        """The id of the card on top."""
        return self.pile[-1].card if self.pile else None


Doing = Iterator[None]
"""What is being done, a step a frame."""
Action = Callable[[Stage], Doing]
"""Something to be done at the table."""
