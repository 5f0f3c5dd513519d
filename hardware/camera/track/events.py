"""What the watcher of the pile tells."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from hardware.camera.thresholds import SURE
from hardware.camera.types import Corners

Kind = Literal["found", "placed", "lifted", "cleared", "unsure", "unread", "same"]
"""
found: a card lay on top when watching began.
placed: a card was laid on top; also one equal to the card below.
lifted: cards were taken away, and an earlier one shows again.
cleared: there is no card any more.
unsure: the pictures leave open which of ``readings`` happened.
unread: something new seems to lie on top and cannot be read.
same: an earlier "unread" is answered: it is the card that lay there before.
"""


@dataclass(frozen=True, slots=True)
class PileEvent:
    """Something happened to the pile.

    Attributes:
        number: Counts the events of a watcher from 1.
        kind: What happened.
        seen: When the change was first seen, in the time given with the frames.
        at: When it was decided.
        probabilities: Of the card that now lies on top, likeliest first; empty if it is not known.
        corners: Its corners in the frame, (4, 2); None if they are not known.
        readings: What may have happened, if it is left open: kinds, likeliest first; "same" for
            nothing but a card moved.
        resolves: The number of the "unread" event that this one answers.
        arm: From where the hand reached in, in degrees clockwise from the upper side of the pile's
            place; None if it is not known.
        drawn: How likely that hand took the card from the draw pile just before; None if nobody
            watched.
    """

    number: int
    kind: Kind
    seen: float
    at: float
    probabilities: Mapping[str, float] = field(default_factory=dict)
    corners: Corners | None = None
    readings: tuple[Kind, ...] = ()
    resolves: int | None = None
    arm: float | None = None
    drawn: float | None = None

    @property
    def card(self) -> str | None:
        """The likeliest card on top."""
        return next(iter(self.probabilities), None)

    @property
    def sure(self) -> bool:
        """Whether one may go by it without asking."""
        if self.kind in ("cleared", "same"):
            return True
        if self.kind in ("unsure", "unread"):
            return False
        return next(iter(self.probabilities.values()), 0.0) >= SURE
