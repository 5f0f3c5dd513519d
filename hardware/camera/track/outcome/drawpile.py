"""Judges by the hands seen there whether a card came straight from the draw pile.

Who turns up the top card of the draw pile reaches for it and lays it in one go. An arm that only
passes over the place on its way is there no sooner than its hand is at the discard pile.
"""

from collections import deque
from dataclasses import dataclass, replace

import numpy as np

from hardware.camera.track.thresholds import DrawPileThresholds, Thresholds
from hardware.camera.track.view.change import MotionDetector, changed, comparable
from hardware.camera.track.view.window import Window, window_onto
from hardware.camera.types import Corners, Picture

VISITS = 8
"""Visits remembered: more than fit into the longest time a hand stays."""


@dataclass(slots=True)
class _Visit:
    came: float
    left: float


class DrawPileWatcher:
    """Watches the draw pile's place. Give it every frame in order, from one thread."""

    def __init__(self, limits: Thresholds | None = None) -> None:
        limits = limits or Thresholds()
        view = replace(limits.view, pixels=limits.draw_pile.pixels, margin=0.0)
        self._limits = replace(limits, view=view)
        self.forget()

    def forget(self) -> None:
        """Start over."""
        self._motion = MotionDetector(self._limits)
        self._window: Window | None = None
        self._views: deque[Picture] = deque(maxlen=self._limits.draw_pile.usual_of)
        self._usual: Picture | None = None
        self._sampled = float("-inf")
        self._visits: deque[_Visit] = deque(maxlen=VISITS)

    def watch(self, frame: Picture, time: float, region: Corners) -> None:
        """Process a frame taken at ``time`` (seconds); ``region`` is the place's corners, (4, 2).

        Raises ValueError if the place is not in the picture.
        """
        most = self._limits.draw_pile
        view = self._view_of(frame, region)
        moving = float(self._motion.moving(view, time).mean())
        last = self._visits[-1] if self._visits else _Visit(float("-inf"), float("-inf"))
        stays = time - last.left <= most.pause
        # Something that stays longer than hands do becomes the place's new appearance.
        hand = stays and time - last.came < most.longest
        if time - self._sampled >= most.usual_every and not hand:
            self._sampled = time
            self._views.append(view)
            if len(self._views) >= most.usual_least:
                self._usual = np.median(self._views, axis=0).astype(np.uint8)
        if self._usual is None:
            return
        differs = max(moving, self._differing(view, self._usual))
        if differs < (most.still_over if stays else most.over):
            return
        if stays:
            last.left = time
        else:
            self._visits.append(_Visit(time, time))

    def drawn_probability(self, seen: float, at: float) -> float | None:
        """Return the probability that a card came from there; None if it was not watched for long.

        Something first moved at the discard pile at ``seen``; the card was reported at ``at``.
        """
        if self._usual is None:
            return None
        most = self._limits.draw_pile
        from_there = any(_went_on(visit, seen, at, most) for visit in self._visits)
        return most.from_there if from_there else most.from_elsewhere

    def _view_of(self, frame: Picture, region: Corners) -> Picture:
        old, new = self._window, window_onto(frame, region, self._limits, self._window)
        if old is not None and old.size != new.size:
            self.forget()
        self._window = new
        return new.view_of(frame)

    def _differing(self, view: Picture, usual: Picture) -> float:
        views = comparable(usual, self._limits), comparable(view, self._limits)
        return float(changed(*views).mean())


def _went_on(visit: _Visit, seen: float, at: float, most: DrawPileThresholds) -> bool:
    """Return whether a hand that was at the place went on to the discard pile.

    Either it was there before anything moved at the discard pile, or its arm passed over that first
    and it had left the draw pile before the card lay still.
    """
    if visit.left - visit.came < most.grasp or visit.came < seen - most.longest:
        return False
    before = visit.came <= seen - most.grasp and visit.left >= seen - most.way
    return before or (visit.came > seen and visit.left <= at - most.way)
