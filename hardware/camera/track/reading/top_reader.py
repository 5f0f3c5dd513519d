"""Reads the top of the pile in several still frames until k of n agree.

A doubtful one is read again in the picture rotated by a quarter turn: to the networks that is
another one, and they seldom err twice alike. Of a card laid across one of its own colour they may
see the middle, but the outline of the card below; a card without a border they may miss.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from hardware.camera.track.reading.pile import TrackedPile
from hardware.camera.track.reading.sightings import (
    CardSighting,
    fuse,
    in_same_place,
    lies_in,
    to_sightings,
    topmost,
    without_covered,
)
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.view.change import ComparableView, changed, share
from hardware.camera.track.view.top_cards import (
    Quad,
    TopCard,
    card_height,
    corner_distance,
    estimate_shift,
)
from hardware.camera.track.view.window import Mask, Window
from hardware.camera.types import Detection, Picture, Recogniser


@dataclass(frozen=True, slots=True)
class WatchedFrame:
    """A frame, what is watched of it, and when it was taken, in seconds."""

    frame: Picture
    view: Picture
    window: Window
    time: float

    @property
    def zone(self) -> Mask:
        """Mask of the pile's place in the view."""
        return self.window.filled(self.window.zone)


class TopReader:
    """Finds the card on top of a pile, and asks the recogniser no more than it needs."""

    def __init__(self, recogniser: Recogniser, pile: TrackedPile, limits: Thresholds) -> None:
        self._recogniser = recogniser
        self._pile = pile
        self._limits = limits

    def read(self, watched: WatchedFrame, news: Mask | None) -> CardSighting | None:
        """Return the card on top in a frame, None if there is none.

        ``news`` masks what has changed since the last top was read; None if that is unknown.
        """
        picture = watched.window.cut(watched.frame)
        sightings = to_sightings(
            self._recogniser.recognise(picture, parts=False), watched.window, watched.time
        )
        if not self._is_certain_top(sightings, watched.window, news):
            sightings = to_sightings(
                self._recogniser.recognise(picture), watched.window, watched.time
            )
        sighting = self._topmost(sightings, watched, news)
        different = looks_different(sighting, self._pile.top, watched.view, self._limits)
        if not different and not is_doubtful(sighting, self._limits):
            return sighting
        again = to_sightings(
            recognise_rotated(self._recogniser, picture), watched.window, watched.time
        )
        other = self._topmost(again, watched, news)
        return combine_readings(sighting, other, self._limits, different=different)

    def _topmost(
        self, sightings: Sequence[CardSighting], watched: WatchedFrame, news: Mask | None
    ) -> CardSighting | None:
        candidates = without_covered(sightings, self._pile.tops(), watched.view, self._limits)
        while True:
            top = topmost(candidates, watched.view, watched.window, news, self._limits)
            if top is None or not self._stood_there(top, watched, news):
                return top
            candidates = [sighting for sighting in candidates if sighting is not top]

    def _stood_there(self, top: CardSighting, watched: WatchedFrame, news: Mask | None) -> bool:
        """Return whether a card that never was the top showed in the last still view already.

        It is held over the pile, and was when that view was taken.
        """
        # An unread top is tried again in views that show it, so the view before it came counts.
        tops = [lower for lower in self._pile.tops() if lower.unread is None]
        view, most = watched.view, self._limits.reading
        if not tops or tops[0].view.shape != view.shape:
            return False
        if news is not None and share(news, watched.window.filled(top.corners)) >= most.covered:
            return False
        near = self._limits.still.near * card_height(top.corners)
        known = (
            lower.card == top.card or corner_distance(top.corners, lower.corners) < near
            for lower in tops
        )
        if any(known):
            return False
        shift = estimate_shift(tops[0].view, top.corners, view, top.corners, self._limits)
        return shift.differs < most.whole

    def shows_whole(self, top: CardSighting, watched: WatchedFrame) -> bool:
        """Return whether all of the card read as the top shows, as far as that is known."""
        if not (top.whole and top.sure):
            return False
        before = next((lower for lower in self._pile.tops() if lower.card == top.card), None)
        if before is None or before.view.shape != watched.view.shape:
            return True
        shift = estimate_shift(before.view, before.corners, watched.view, top.corners, self._limits)
        return shift.differs <= self._limits.still.unmoved

    def _is_certain_top(
        self, sightings: Sequence[CardSighting], window: Window, news: Mask | None
    ) -> bool:
        """Return whether the only card whose middle shows is certainly the top.

        Then what sticks out below it, most of what there is to read, need not be read.
        """
        if len(sightings) != 1 or not lies_in(sightings[0], window, self._limits):
            return False
        if sightings[0].chance < self._limits.reading.certain:
            return False
        top = self._pile.top
        if top is None or news is None or sightings[0].card == top.card:
            return True
        return share(news, window.filled(top.corners)) >= self._limits.reading.whole


def is_doubtful(sighting: CardSighting | None, limits: Thresholds) -> bool:
    """Return whether a reading of the top, None for no card, may be wrong."""
    return sighting is None or not sighting.whole or sighting.chance < limits.reading.clear


def looks_different(
    sighting: CardSighting | None, top: TopCard | None, view: Picture, limits: Thresholds
) -> bool:
    """Return whether a card reads as the last top, in its place, but does not look like it."""
    if sighting is None or top is None or sighting.card != top.card or top.view.shape != view.shape:
        return False
    shift = estimate_shift(top.view, top.corners, view, sighting.corners, limits)
    return shift.distance < limits.still.near and shift.differs > limits.still.turned


def recognise_rotated(recogniser: Recogniser, picture: Picture) -> list[Detection]:
    """Find whole cards in the rotated picture; their corners are the picture's."""
    last = picture.shape[1] - 1
    detections = recogniser.recognise(np.ascontiguousarray(np.rot90(picture)), parts=False)
    return [
        replace(
            detection,
            corners=np.stack((last - detection.corners[:, 1], detection.corners[:, 0]), axis=1),
        )
        for detection in detections
    ]


def combine_readings(
    top: CardSighting | None, other: CardSighting | None, limits: Thresholds, *, different: bool
) -> CardSighting | None:
    """Combine a reading of the top with that of the rotated picture.

    ``different`` says that the first cannot be right, by ``looks_different``.
    """
    if other is None or not other.whole:
        return top
    if top is None:
        # An empty place sometimes looks like a card, but hardly ever like a certain one.
        return other if other.sure else None
    if different or not top.whole:
        return other if other.sure and other.card != top.card else top
    if other.card == top.card:
        return max(top, other, key=lambda sighting: sighting.chance)
    apart = np.hypot(*(top.corners.mean(axis=0) - other.corners.mean(axis=0)))
    if apart >= limits.reading.same_card * card_height(top.corners):
        return top
    chances, corners = fuse((top, other))
    return CardSighting(top.time, chances, corners)


class TopVote:
    """The readings of one still pile.

    Attributes:
        tries: Number of frames read.
        now: The still pile in the last of them; None before the first.
        settled: Whether it was read after the pile had been still for long enough.
    """

    def __init__(self, limits: Thresholds, since: float) -> None:
        self._limits = limits
        self._since = since
        self.tries = 0
        self.view: ComparableView | None = None
        self.settled = False
        self._sightings: list[CardSighting] = []
        self._last = since

    def due(self, time: float) -> bool:
        """Return whether to read this frame too."""
        most = self._limits.reading
        return self.tries < most.tries or time - self._last >= most.again

    def add(self, top: CardSighting | None, view: ComparableView, time: float) -> None:
        """Add a frame's top; None if no card was found there."""
        self.tries += 1
        self._last = time
        if top is not None:
            self.view = view
            self._sightings.append(top)
        elif not self._sightings:
            self.view = view

    def would_repeat(self, view: ComparableView, zone: Mask) -> bool:
        """Return whether the frame shows the same as the last one, which was read for certain.

        Reading the same picture again would repeat its errors, and its cost.
        """
        if self.view is None or not self._sightings:
            return False
        if self._sightings[-1].chance < self._limits.reading.certain:
            return False
        return share(changed(self.view, view), zone) < self._limits.change.untouched

    def repeat(self, time: float) -> None:
        """Count the last reading again, for another frame."""
        self.tries += 1
        self._last = time
        self._sightings.append(replace(self._sightings[-1], time=time))

    def wait(self, time: float) -> None:
        """Start over: what is on top is still held up. It is read again in a while."""
        self._sightings.clear()
        self.tries = self._limits.reading.tries
        self._since = self._last = time

    def answer(self, *, hurry: bool = False) -> tuple[dict[str, float], Quad] | None:
        """Return the card's probabilities and corners once enough frames agree, None before.

        ``hurry`` accepts a single sure reading, since no more frames will follow.
        """
        most = self._limits.reading
        agree = in_same_place(self._sightings, self._limits)
        counts = Counter(sighting.card for sighting in agree if sighting.sure)
        ranked: Sequence[tuple[str | None, int]] = counts.most_common(2)
        needed = 1 if hurry else most.agree
        if ranked:
            other = ranked[1][1] if len(ranked) > 1 else 0
            if ranked[0][1] >= needed + most.outvote * other:
                return fuse(agree)
        if self.tries >= most.tries and len(agree) >= most.agree:
            chances, corners = fuse(agree)
            if max(chances.values()) >= most.least:
                return chances, corners
        return None

    @property
    def blank(self) -> bool:
        """Whether several frames showed no card at all."""
        return not self._sightings and self.tries >= self._limits.reading.blank_tries

    def timed_out(self, time: float) -> bool:
        """Return whether to stop retrying and ask a player."""
        return time - self._since >= self._limits.reading.unread_after
