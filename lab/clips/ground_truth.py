"""What really happened in a clip, and what can be seen in each of its frames."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy.typing as npt

# What a watcher of the pile has to tell, and below it what it has to keep silent about.
PileChange = Literal["placed", "lifted", "cleared"]
Distraction = Literal[
    "nudged", "tidied", "put back", "passed", "hovered", "bumped", "moved lamp", "drawn"
]


@dataclass(slots=True)
class TrueEvent:
    """Something that was done to the pile.

    Attributes:
        kind: What it was.
        at: When it was done, in seconds: the card down, lifted, or the hand above the pile.
        card: The card laid, or after a lift the one that then lies on top.
        clear: From when on no hand hid the top of the pile; None if that never came.
        gone: From when on no hand was over the pile's place; None if that never came.
        note: More about it, such as which card was equal to which.
    """

    kind: PileChange | Distraction
    at: float
    card: str | None = None
    clear: float | None = None
    gone: float | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class VisibleCard:
    """A card in a frame.

    Attributes:
        card: Its id.
        corners: Its corners in pixels, (4, 2), as ``hardware.camera.types`` has them.
        visible: Which share of it is to be seen, 0 to 1.
        speed: How far it moves in the picture, in its own heights a second.
        held: Whether a hand carries it.
        number: Which one it is; two equal cards have different numbers.
    """

    card: str
    corners: npt.NDArray[Any]
    visible: float
    speed: float
    held: bool
    number: int


@dataclass(frozen=True, slots=True)
class ClipFrame:
    """A picture of a clip, (height, width, 3), with the cards that it shows, topmost first.

    ``hands`` counts them; ``free`` says that none is over the pile's place, whose corners are
    ``region``, (4, 2) in pixels.
    """

    number: int
    time: float
    picture: npt.NDArray[Any]
    cards: tuple[VisibleCard, ...]
    hands: int
    free: bool
    region: npt.NDArray[Any]
