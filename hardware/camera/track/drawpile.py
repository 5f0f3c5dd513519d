"""Whether a card came straight from the draw pile, told from what hands do at its place.

Who turns up the top card of the draw pile reaches for it and lays it in one go. An arm that only
passes over the place on its way to the pile is there no sooner than its hand is at the pile.
"""

from collections import deque
from dataclasses import dataclass, replace

import numpy as np

from hardware.camera.track.change import changed, comparable
from hardware.camera.track.motion import MotionDetector
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.window import Window, window_onto
from hardware.camera.types import Corners, Picture

PIXELS = 96
"""Longer side of the view of its place: whether a hand is there is all that matters."""
OVER, STILL_OVER = 0.1, 0.03
"""So much of the place moves, or looks otherwise than at most times, when a hand comes there, and
while it is there: of one that takes a card by its edge little more than the fingertips is seen."""
USUAL_EVERY, USUAL_OF = 0.4, 15
"""How it looks at most times: the middle of so many views, one every so many seconds."""
LEAST_USUAL = 5
PAUSE = 0.2
"""So long a hand may be overlooked."""
GRASP = 0.25
"""So long at least it takes to pick up a card."""
NEXT = 0.3
"""So soon after it left the place a hand is at the pile."""
LONGEST = 4.0
"""So long before the card was laid nobody reaches for it."""
CAME, STAYED = 0.99, 0.005
"""How likely a card came from there if a hand seems to have brought it, and if not;
``evaluate_drawpile`` measures how often that is so."""


@dataclass(slots=True)
class _Visit:
    """Something was over the place."""

    came: float
    left: float


class DrawPileWatcher:
    """Watches the draw pile's place. Given every frame in order; one is used from one thread."""

    def __init__(self, limits: Thresholds | None = None) -> None:
        self._limits = replace(limits or Thresholds(), pixels=PIXELS, margin=0.0)
        self.forget()

    def forget(self) -> None:
        """Begin anew."""
        self._motion = MotionDetector(self._limits)
        self._window: Window | None = None
        self._views: deque[Picture] = deque(maxlen=USUAL_OF)
        self._usual: Picture | None = None
        self._taken = float("-inf")
        self._visits: deque[_Visit] = deque(maxlen=8)

    def watch(self, frame: Picture, time: float, region: Corners) -> None:
        """Take a frame.

        Args:
            frame: The camera's picture, (height, width, 3).
            time: When it was taken, in seconds.
            region: Corners of the place in this frame, (4, 2).

        Raises:
            ValueError: The place is not in the picture.
        """
        view = self._look(frame, region)
        moving = float(self._motion.moving(view, time).mean())
        last = self._visits[-1] if self._visits else _Visit(float("-inf"), float("-inf"))
        stays = time - last.left <= PAUSE
        # What stays for longer than hands do is how the place looks from now on.
        hand = stays and time - last.came < LONGEST
        if time - self._taken >= USUAL_EVERY and not hand:
            self._taken = time
            self._views.append(view)
            if len(self._views) >= LEAST_USUAL:
                self._usual = np.median(self._views, axis=0).astype(np.uint8)
        if self._usual is None:
            return
        if max(moving, self._occupied(view, self._usual)) < (STILL_OVER if stays else OVER):
            return
        if stays:
            last.left = time
        else:
            self._visits.append(_Visit(time, time))

    def brought(self, seen: float, at: float) -> float | None:
        """How likely a card came from there; None if the place has not been watched for long.

        Args:
            seen: When something first moved at the pile.
            at: When the card was told of.
        """
        if self._usual is None:
            return None
        return CAME if any(_went_on(visit, seen, at) for visit in self._visits) else STAYED

    def _look(self, frame: Picture, region: Corners) -> Picture:
        old, new = self._window, window_onto(frame, region, self._limits, self._window)
        if old is not None and old.size != new.size:
            self.forget()
        self._window = new
        return new.view_of(frame)

    def _occupied(self, view: Picture, usual: Picture) -> float:
        return float(
            changed(comparable(usual, self._limits), comparable(view, self._limits)).mean()
        )


def _went_on(visit: _Visit, seen: float, at: float) -> bool:
    """Whether a hand that was at the place went on to the pile.

    It was there before anything moved at the pile; or its arm passed over the pile first, and it
    was gone from the place before the card lay still.
    """
    if visit.left - visit.came < GRASP or visit.came < seen - LONGEST:
        return False
    before = visit.came <= seen - GRASP and visit.left >= seen - NEXT
    return before or (visit.came > seen and visit.left <= at - NEXT)
