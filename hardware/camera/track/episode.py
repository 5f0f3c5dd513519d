"""From when something moves at the pile until it is known what it was."""

from typing import Any

import cv2
import numpy as np

from hardware.camera.track.camera_motion import estimate_camera_motion
from hardware.camera.track.change import ComparableView, changed, comparable, edge_connected, share
from hardware.camera.track.hand_visits import HandVisit
from hardware.camera.track.lookback import KeptFrame, Lookback
from hardware.camera.track.pile import TrackedPile
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.window import Mask, Matrix, Window
from hardware.camera.types import Picture


class Episode:
    """Something moves, or has moved.

    Args:
        limits: The thresholds.
        window: What is watched.
        pile: What is known of the pile.
        time: When it began.

    Attributes:
        began: When it began.
        quiet_since: Since when nothing moves at the pile and no hand is over it; None if it does.
        reach: Where a hand is, at the view's size; None if that cannot be told.
        visit: What hands bring and take.
        lookback: Moments of it.
        all_quiet: Whether nothing moves anywhere.
        before: The pile before it, at half size; None if it was not known.
        half_zone: The pile's place, at half size.
    """

    def __init__(self, limits: Thresholds, window: Window, pile: TrackedPile, time: float) -> None:
        self._limits = limits
        self.began = time
        self.quiet_since: float | None = None
        self.all_quiet = False
        self.reach: Mask | None = None
        self.visit = HandVisit(limits)
        self.lookback = Lookback(limits)
        self.before = None if pile.before is None else comparable(halved(pile.before.view), limits)
        self._zone = window.filled(window.zone)
        self.half_zone = halved(self._zone)
        self._top = None if pile.top is None else halved(window.filled(pile.top.corners))
        self._moved_at = time
        self._carried = False
        self._other = np.ones_like(self.half_zone)

    def take(self, view: Picture, picture: Picture, moving: Mask, just: Mask, time: float) -> None:
        """A frame of it.

        Args:
            view: What is watched.
            picture: What a recogniser would be shown.
            moving: Where something moves, at half size.
            just: Where something has moved since the last frame, at half size.
            time: Its time.
        """
        if moving.any():
            self._moved_at = time
        over = self._notice(view, picture, time)
        if over and time - self._moved_at >= self._limits.static_after:
            over = False
        self.all_quiet = not moving.any()
        stirred = bool(moving.any())
        if self.before is not None:
            # Where all is as before, what moved has gone away. A hand too slow to show in one frame
            # is seen over the pile; a card too slow is not read twice in the same place.
            stirred = bool((just & self._other & self.half_zone).any())
        if stirred or over:
            self.quiet_since = None
        elif self.quiet_since is None:
            self.quiet_since = time

    def settled(self, time: float) -> bool:
        """Whether the pile has been quiet for long enough to believe in what is read there."""
        since = self.quiet_since
        return since is not None and time - since >= self._limits.still_for - 1e-6

    def _notice(self, view: Picture, picture: Picture, time: float) -> bool:
        """Where hands are; whether one is over the pile."""
        if self.before is None:
            return False
        small = comparable(halved(view), self._limits)
        other = changed(self.before, small)
        self._other = cv2.dilate(other, np.ones((5, 5), np.uint8))
        reach = edge_connected(other)
        over = share(reach, self.half_zone) > self._limits.over_pile
        if self._top is not None:
            over = over or share(reach, self._top) > self._limits.over_pile
        full = (view.shape[1], view.shape[0])
        self.reach = np.asarray(cv2.resize(reach, full, interpolation=cv2.INTER_NEAREST))
        self.visit.note(time, small.view, reach, over=over)
        if self.lookback.due(time):
            self.lookback.keep(KeptFrame(time, view, small, picture.copy(), reach))
        return over

    def camera_moved(self, view: Picture, pile: TrackedPile, time: float) -> Matrix | None:
        """How the camera was moved, if all is still again and that is what happened; asked once."""
        still = self.all_quiet and time - self._moved_at >= self._limits.still_for
        if self._carried or not still or self.reach is None or pile.before is None:
            return None
        self._carried = True
        return estimate_camera_motion(pile.before.view, view, 1 - self._zone, self._limits)

    def nothing_changed(self, now: ComparableView, pile: TrackedPile) -> bool:
        """Whether the pile looks as it did before."""
        if pile.before is None or not pile.known:
            return False
        mask = changed(pile.before, now)
        if share(mask, self._zone) >= self._limits.untouched:
            return False
        if self._top is None:
            return True
        return share(halved(mask), self._top) < self._limits.untouched


def halved(picture: Any) -> Any:
    """A picture or mask at half its size."""
    size = (picture.shape[1] // 2, picture.shape[0] // 2)
    if picture.ndim == 2:
        return cv2.resize(picture, size, interpolation=cv2.INTER_NEAREST)
    return cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
