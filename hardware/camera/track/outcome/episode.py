"""Gathers evidence at the pile from the first movement until the outcome is clear."""

import cv2
import numpy as np

from hardware.camera.track.outcome.hand_visits import HandVisit
from hardware.camera.track.reading.pile import TrackedPile
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.view.change import (
    ComparableView,
    MotionDetector,
    changed,
    comparable,
    edge_connected,
    halved,
    share,
)
from hardware.camera.track.view.lookback import KeptFrame, Lookback
from hardware.camera.track.view.top_cards import Quad, card_height
from hardware.camera.track.view.window import Mask, Matrix, Window, fill
from hardware.camera.types import Picture


class Episode:
    """The time from a first movement until it is clear what happened.

    Attributes:
        quiet_since: When the pile became still and free of hands; None while it is not.
        reach: Mask of hands, at the view's size; None if unknown.
        all_quiet: Whether nothing moves anywhere in the view.
        resting: Mask of what reaches the view's edge and rests beside a top that shows.
        before: The pile before it, at half size; None if that was not known.
        zone: Mask of the pile's place, at the view's size; ``half_zone`` at half size.
    """

    def __init__(
        self,
        limits: Thresholds,
        window: Window,
        pile: TrackedPile,
        time: float,
        resting: Mask | None = None,
    ) -> None:
        self._limits = limits
        self.began = time
        self.quiet_since: float | None = None
        self.all_quiet = False
        self.reach: Mask | None = None
        self.visit = HandVisit(limits)
        self.lookback = Lookback(limits)
        last = pile.last_view
        self.before = None if last is None else comparable(halved(last.view), limits)
        self.zone = window.filled(window.zone)
        self.half_zone = halved(self.zone)
        self._top = None if pile.top is None else halved(window.filled(pile.top.corners))
        # The pile when its top was read: nobody touched it then.
        read = None if pile.top is None or last is None else pile.top.view
        same = read is not None and last is not None and read.shape == last.view.shape
        self._bare = comparable(halved(read), limits) if same else None
        self._moved_at = time
        self._camera_checked = False
        self._other = np.ones_like(self.half_zone)
        self.resting: Mask = np.zeros_like(self.zone)
        if resting is not None and resting.shape == self.zone.shape:
            self._rest(resting)
        self._over = False
        self._stirred_at = time
        self._searched_at = float("-inf")

    def add(
        self, view: Picture, picture: Picture, moving: Mask, motion: MotionDetector, time: float
    ) -> None:
        """Add a frame: its view, the picture for a recogniser, and what moves, at half size."""
        if moving.any():
            self._moved_at = time
        over = self._over = self._note_hands(view, picture, time)
        if over and time - self._moved_at >= self._limits.motion.static_after:
            over = False
        self.all_quiet = not moving.any()
        stirred = bool((moving & self.half_zone).any())
        if self.before is not None:
            # Movement where all looks as before is something going away. A hand too slow to show in
            # one frame is seen over the pile; a slow card is not read twice in one place.
            stirred = bool((motion.since_last & self._other & self.half_zone).any())
        if stirred:
            self._stirred_at = time
        if stirred or over:
            self.quiet_since = None
        elif self.quiet_since is None:
            self.quiet_since = time

    def settled(self, time: float) -> bool:
        """Return whether the pile has been still for long enough to trust a reading."""
        since = self.quiet_since
        return since is not None and time - since >= self._limits.motion.still_for - 1e-6

    @property
    def hidden(self) -> bool:
        """Whether a hand hides some of the pile's place."""
        if self.reach is None:
            return False
        return share(self.reach & (1 - self.resting), self.zone) >= self._limits.motion.over_pile

    def may_show_top(self, time: float) -> bool:
        """Return whether to look now for a top beside what hides some of the place, and rests."""
        most = self._limits.motion
        still = time - self._stirred_at >= most.still_for - 1e-6
        if not (still and self._over and time - self._searched_at >= most.refresh):
            return False
        self._searched_at = time
        return True

    def note_top(self, card: Quad, time: float) -> None:
        """Note that all of a card shows that may be the top, by its corners in the view.

        What reaches the edge hides nothing then, unless it moves on: it is that card itself, or
        a hand that rests beside the pile.
        """
        hand = self.hand_beside(card)
        if hand is None or self.reach is None:
            return
        most = self._limits.motion
        hand = hand & (1 - self.resting)
        if hand.any():
            hides = 0.0 if self._top is None else share(halved(hand), self._top)
            rests = time - self._stirred_at >= most.refresh - 1e-6
            if not rests or hides >= most.over_pile or self._share_at(hand, card):
                return
        self._rest(self.reach)

    def _rest(self, reach: Mask) -> None:
        self.resting = np.asarray(cv2.dilate(reach, np.ones((11, 11), np.uint8)))

    def held(self, card: Quad, time: float) -> bool:
        """Return whether a card came with what reaches the view's edge now, as held ones do.

        ``card`` are its corners in the view.
        """
        if self.reach is None or time - self._moved_at >= self._limits.held.lies_after:
            return False
        place = fill((self.reach.shape[1], self.reach.shape[0]), card)
        return share(self.reach, place) >= self._limits.held.came

    def touched(self, card: Quad, time: float) -> bool:
        """Return whether a hand still rests on a card, given by its corners in the view."""
        hand = self.hand_beside(card)
        if hand is None or time - self._moved_at >= self._limits.motion.static_after:
            return False
        return self._share_at(hand & (1 - self.resting), card) >= self._limits.motion.touch

    def hand_beside(self, card: Quad) -> Mask | None:
        """Return the mask of hands if a card lies at these corners in the view; None if unknown.

        A card that was laid just now belongs to the changes that reach the edge with the hand.
        """
        if self.reach is None:
            return None
        place = fill((self.reach.shape[1], self.reach.shape[0]), card, 4)
        hand = edge_connected(self.reach & (1 - place), gap=1)
        # Outlines that are off and shadows leave strips, which are narrower than fingers.
        wide = max(3, round(self._limits.held.finger * card_height(card)))
        finger = np.ones((wide, wide), np.uint8)
        fingers = edge_connected(cv2.morphologyEx(hand, cv2.MORPH_OPEN, finger), gap=1)
        return hand if fingers.any() else np.zeros_like(hand)

    def _share_at(self, hand: Mask, card: Quad) -> float:
        """Return the share of a card at whose edge a hand is."""
        near = np.asarray(cv2.dilate(hand, np.ones((11, 11), np.uint8)))
        return share(near, fill((hand.shape[1], hand.shape[0]), card))

    def camera_motion(self, view: Picture, pile: TrackedPile, time: float) -> Matrix | None:
        """Return the camera's motion once all is still again; None if it was not knocked.

        It is estimated once per episode.
        """
        still = self.all_quiet and time - self._moved_at >= self._limits.motion.still_for
        if self._camera_checked or not still or self.reach is None or pile.last_view is None:
            return None
        self._camera_checked = True
        return estimate_camera_motion(pile.last_view.view, view, 1 - self.zone, self._limits)

    def view_replaced(self, time: float) -> bool:
        """Return whether nothing moves, and most of what is around the pile looks different."""
        most = self._limits.motion
        if self.reach is None or time - self._moved_at < most.replaced_after:
            return False
        return share(self.reach, 1 - self.zone) >= most.replaced

    def pile_unchanged(self, view: ComparableView, pile: TrackedPile) -> bool:
        """Return whether the pile looks as it did before."""
        if pile.last_view is None or not pile.known:
            return False
        mask = changed(pile.last_view, view)
        untouched = self._limits.change.untouched
        if share(mask, self.zone) >= untouched:
            return False
        return self._top is None or share(halved(mask), self._top) < untouched

    def _note_hands(self, view: Picture, picture: Picture, time: float) -> bool:
        """Note where hands are; return whether one is over the pile."""
        if self.before is None:
            return False
        small = comparable(halved(view), self._limits)
        other = changed(self.before, small)
        self._other = cv2.dilate(other, np.ones((5, 5), np.uint8))
        reach = edge_connected(other)
        over = self._is_over(reach)
        if over and self._bare is not None:
            # A hand that rested for long may be in the view before; then it is what has gone.
            hand = edge_connected(other & changed(self._bare, small))
            over = self._is_over(hand)
            reach = reach if over else hand
        full = (view.shape[1], view.shape[0])
        self.reach = np.asarray(cv2.resize(reach, full, interpolation=cv2.INTER_NEAREST))
        self.visit.add(time, small.view, reach, over=over)
        if self.lookback.due(time):
            self.lookback.keep(KeptFrame(time, view, small, picture.copy(), reach))
        return over

    def _is_over(self, reach: Mask) -> bool:
        """Return whether hands, at half size, are over the pile, other than such as rest."""
        most = self._limits.motion.over_pile
        reach = reach & (1 - halved(self.resting))
        over = share(reach, self.half_zone) > most
        return over or (self._top is not None and share(reach, self._top) > most)


def estimate_camera_motion(
    before: Picture, later: Picture, around: Mask, limits: Thresholds
) -> Matrix | None:
    """Return the 3 by 3 map from pixels of an earlier view to those of a later one.

    None if the camera has not moved, or the table has too little texture to show it. ``around`` is
    the part of the view without the pile, (height, width).
    """
    size = (later.shape[1], later.shape[0])
    small = (size[0] // 2, size[1] // 2)
    first, second = (
        cv2.cvtColor(cv2.resize(v, small, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
        for v in (before, later)
    )
    frame = cv2.createHanningWindow(small, cv2.CV_32F)
    (dx, dy), _ = cv2.phaseCorrelate(first.astype(np.float32), second.astype(np.float32), frame)
    start = np.array([[1, 0, dx], [0, 1, dy]], np.float32)
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 50, 1e-4)
    try:
        _, fine = cv2.findTransformECC(
            first, second, start, cv2.MOTION_EUCLIDEAN, stop, np.ones_like(first), 5
        )
    except cv2.error:
        return None
    double = np.diag([2.0, 2.0, 1.0])
    matrix = double @ np.vstack([fine, [0, 0, 1]]).astype(np.float64) @ np.linalg.inv(double)
    if np.hypot(*matrix[:2, 2]) > limits.motion.farthest_knock * max(size):
        return None
    # Compare only what both views show.
    inside = cv2.warpPerspective(np.ones(later.shape[:2], np.uint8), matrix, size)
    inside = np.asarray(cv2.erode(inside, np.ones((5, 5), np.uint8)) & around)
    least = limits.motion.knock_overlap * int(np.count_nonzero(around))
    if int(np.count_nonzero(inside)) < least:
        return None
    after = comparable(later, limits)
    shifted = cv2.warpPerspective(before, matrix, size, borderMode=cv2.BORDER_REPLICATE)
    undone = share(changed(comparable(np.asarray(shifted), limits), after), inside)
    usual = share(changed(comparable(before, limits), after), inside)
    explained = undone < limits.motion.knock_explains * usual
    return np.asarray(matrix) if undone < limits.motion.knock_differs and explained else None
