"""The events that the pile tracker reports."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from hardware.camera.thresholds import SURE
from hardware.camera.types import Corners

Kind = Literal["found", "placed", "lifted", "cleared", "unsure", "unread", "same"]
"""
found: a card lay on top when watching began.
placed: a card was laid on top, possibly one equal to the card below.
lifted: cards were taken away, and an earlier one shows again.
cleared: no card is left.
unsure: the pictures leave open what happened; see ``likelihoods``.
unread: something new lies on top and cannot be read.
same: an earlier "unread" turned out to be the card that lay there before.
"""


@dataclass(frozen=True, slots=True)
class PileEvent:
    """Something happened to the pile."""

    number: int  # Position among the watcher's events, from 1
    kind: Kind
    seen: float  # When the change was first seen, in the frames' time
    at: float
    # Of the card now on top, likeliest first; empty if unknown.
    probabilities: Mapping[str, float] = field(default_factory=dict)
    corners: Corners | None = None  # Its corners in the frame, (4, 2); None if unknown
    # Probabilities of what may have happened, likeliest first, the unlikely left out. "same" means
    # that no card was laid or taken. Empty where there was nothing to choose from.
    likelihoods: Mapping[Kind, float] = field(default_factory=dict)
    resolves: int | None = None  # Number of the "unread" event that this one answers
    # Direction the hand came from, in degrees clockwise from the upper side of the pile's place (a
    # pipeline's: of the picture, if ``PilePosition.turned``); None if unknown.
    arm: float | None = None
    # Probability that the hand took the card from the draw pile just before; None if that was not
    # watched.
    drawn: float | None = None

    @property
    def card(self) -> str | None:
        """The likeliest card on top."""
        return next(iter(self.probabilities), None)

    @property
    def readings(self) -> tuple[Kind, ...]:
        """The possible kinds, likeliest first; empty unless ``kind`` is "unsure"."""
        return tuple(self.likelihoods) if self.kind == "unsure" else ()

    @property
    def sure(self) -> bool:
        """Whether the event needs no question."""
        if self.kind in ("cleared", "same"):
            return True
        if self.kind in ("unsure", "unread"):
            return False
        return next(iter(self.probabilities.values()), 0.0) >= SURE
