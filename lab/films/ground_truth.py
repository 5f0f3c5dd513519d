"""The ground truth of a film: what happened, and which cards a frame shows."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy.typing as npt

PileChange = Literal["placed", "lifted", "cleared"]
"""Events that the tracker must report."""
Distraction = Literal[
    "nudged", "tidied", "put back", "passed", "hovered", "bumped", "moved lamp", "drawn"
]
"""Events that it must not report."""


@dataclass(slots=True)
class TrueEvent:
    """Something done to the pile."""

    kind: PileChange | Distraction
    at: float  # Time in seconds: the card down or lifted, or the hand above the pile
    card: str | None = None  # The card laid, or the top card after a lift
    clear: float | None = None  # Time from which no hand hid the top card, if any
    gone: float | None = None  # Time from which no hand was over the pile's area, if any
    note: str = ""
    until: float | None = None  # Latest time of its report, if ``at`` is known no more closely
    certain: bool = True  # If not, nothing is counted, whether it is reported or not


@dataclass(frozen=True, slots=True)
class VisibleCard:
    """A card in a frame."""

    card: str
    # Its corners in pixels, (4, 2), as ``hardware.camera.types`` has them.
    corners: npt.NDArray[Any]
    visible: float  # Visible share, 0 to 1
    speed: float  # Speed in the picture, in card heights per second
    held: bool  # Whether a hand carries it
    number: int  # Distinguishes equal cards
