"""Reads the top of the pile in a frame; a doubtful one again, in the picture rotated.

To the networks the picture rotated by a quarter turn is another one, and they seldom err twice
alike. Of a card laid across one of its own colour they may see the middle, but the outline of the
card below; a card without a border they may miss.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from hardware.camera.track.change import ComparableView, share
from hardware.camera.track.held import HeldCard, is_raised
from hardware.camera.track.pile import TrackedPile
from hardware.camera.track.shift import estimate_shift
from hardware.camera.track.sightings import (
    CardSighting,
    fuse,
    lies_in,
    to_sightings,
    topmost,
    without_covered,
)
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.top_cards import TopCard, card_height
from hardware.camera.track.window import Mask, Window
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
        self._held = HeldCard(limits)

    def read(self, now: WatchedFrame, news: Mask | None) -> CardSighting | None:
        """Return the card on top in a frame, None if there is none.

        ``news`` masks what has changed since the last top was read; None if that is unknown.
        """
        picture = now.window.cut(now.frame)
        found = to_sightings(self._recogniser.recognise(picture, parts=False), now.window, now.time)
        if not self._is_certain_top(found, now.window, news):
            found = to_sightings(self._recogniser.recognise(picture), now.window, now.time)
        one = self._topmost(found, now, news)
        different = looks_different(one, self._pile.top, now.view, self._limits)
        if not different and not is_doubtful(one, self._limits):
            return one
        again = to_sightings(recognise_rotated(self._recogniser, picture), now.window, now.time)
        other = self._topmost(again, now, news)
        return combine_readings(one, other, self._limits, different=different)

    def _topmost(
        self, found: Sequence[CardSighting], now: WatchedFrame, news: Mask | None
    ) -> CardSighting | None:
        candidates = without_covered(found, self._pile.tops(), now.view, self._limits)
        return topmost(candidates, now.view, now.window, news, self._limits)

    def is_held(self, top: CardSighting | None, view: ComparableView, time: float) -> bool:
        """Return whether the card read as the top seems to be held above the pile."""
        if top is None or not is_raised(top.corners, self._pile.outlines, self._limits):
            self._held.forget()
            return False
        return self._held.sways(top.corners, view, time)

    def _is_certain_top(
        self, found: Sequence[CardSighting], window: Window, news: Mask | None
    ) -> bool:
        """Return whether the only card whose middle shows is certainly the top.

        Then what sticks out below it, most of what there is to read, need not be read.
        """
        if len(found) != 1 or not lies_in(found[0], window):
            return False
        if found[0].chance < self._limits.reading.certain:
            return False
        top = self._pile.top
        if top is None or news is None or found[0].card == top.card:
            return True
        return share(news, window.filled(top.corners)) >= self._limits.reading.whole


def is_doubtful(one: CardSighting | None, limits: Thresholds) -> bool:
    """Return whether a reading of the top, None for no card, may be wrong."""
    return one is None or not one.whole or one.chance < limits.reading.clear


def looks_different(
    one: CardSighting | None, top: TopCard | None, now: Picture, limits: Thresholds
) -> bool:
    """Return whether a card reads as the last top, in its place, but does not look like it."""
    if one is None or top is None or one.card != top.card or top.view.shape != now.shape:
        return False
    shift = estimate_shift(top.view, top.corners, now, one.corners, limits)
    return shift.distance < limits.still.near and shift.differs > limits.still.turned


def recognise_rotated(recogniser: Recogniser, picture: Picture) -> list[Detection]:
    """Find whole cards in the rotated picture; their corners are the picture's."""
    last = picture.shape[1] - 1
    found = recogniser.recognise(np.ascontiguousarray(np.rot90(picture)), parts=False)
    return [
        replace(one, corners=np.stack((last - one.corners[:, 1], one.corners[:, 0]), axis=1))
        for one in found
    ]


def combine_readings(
    one: CardSighting | None, other: CardSighting | None, limits: Thresholds, *, different: bool
) -> CardSighting | None:
    """Combine a reading of the top with that of the rotated picture.

    ``different`` says that the first cannot be right, by ``looks_different``.
    """
    if other is None or not other.whole:
        return one
    if one is None:
        # An empty place sometimes looks like a card, but hardly ever like a certain one.
        return other if other.sure else None
    if different or not one.whole:
        return other if other.sure and other.card != one.card else one
    if other.card == one.card:
        return max(one, other, key=lambda sighting: sighting.chance)
    apart = np.hypot(*(one.corners.mean(axis=0) - other.corners.mean(axis=0)))
    if apart >= limits.reading.same_card * card_height(one.corners):
        return one
    chances, corners = fuse((one, other))
    return CardSighting(one.time, chances, corners)
