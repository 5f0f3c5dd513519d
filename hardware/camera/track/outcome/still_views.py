"""Measures how well two still views of the pile agree with what may have happened in between.

Explanations predict the later view: the pile or its top was pushed, cards were lifted. Where a
prediction differs from a pile on which another card was laid, the later view speaks for one or the
other.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.view.change import ComparableView, changed, comparable, share
from hardware.camera.track.view.top_cards import (
    Quad,
    Shift,
    TopCard,
    TopHistory,
    card_height,
    corner_distance,
    estimate_shift,
)
from hardware.camera.track.view.window import Mask, fill


@dataclass(frozen=True, slots=True)
class EarlierTop:
    """An earlier top that may show again, if cards were lifted."""

    top: TopCard
    chance: float  # Probability that the top reads as this card
    differs: float  # Share around it that differs from the view with it on top
    distance: float  # From its place to the top's, in card heights


@dataclass(frozen=True)
class StillViews:
    """The views before and after, and what is known of the pile.

    ``old`` is the top before, ``history`` holds those under it; ``chances`` and ``corners`` are the
    card and the corners of the present top. Areas are in areas of a card. The area for an
    explanation is what speaks for it less what speaks for a card laid.
    """

    limits: Thresholds
    before: ComparableView
    after: ComparableView
    old: TopCard
    history: TopHistory
    chances: Mapping[str, float]
    corners: Quad

    @cached_property
    def shift(self) -> Shift:
        """How the top moved, if it is the same card."""
        moved = self._shift_to(self.corners)
        if moved.differs <= self.limits.still.unmoved:
            return moved
        # One of the outlines may be off, and the card have stayed where it was: no other card came
        # where this one was read.
        unmoved = self._shift_to(self.old.corners)
        stayed = unmoved.differs <= self.limits.still.unmoved and self.came <= 0
        return unmoved if stayed else moved

    def _shift_to(self, corners: Quad) -> Shift:
        return estimate_shift(
            self.before.view, self.old.corners, self.after.view, corners, self.limits
        )

    @property
    def same_face(self) -> float:
        """Probability that the top reads as the same card as before."""
        return sum(p * self.old.probabilities.get(card, 0.0) for card, p in self.chances.items())

    @cached_property
    def pile_pushed(self) -> float:
        """The area for: the whole pile moved with the top, with or without the table around it."""
        moved = comparable(self.shift.moved(self.before.view), self.limits)
        cards = fill(self._size, self.old.corners, 1)
        for card in self.history.latest_first():
            cards |= fill(self._size, card.corners, 1)
        shifted = cv2.warpPerspective(cards, self.shift.matrix, self._size, flags=cv2.INTER_NEAREST)
        alone = self._area_for(moved, self._around & shifted) + self._unlike_below
        return max(alone, self._area_for(moved, self._around))

    @cached_property
    def top_pushed(self) -> float:
        """The area for: the top alone was pushed, and what lay below shows where it was."""
        below = self.history.latest_first()[:1]
        if below and below[0].fresh and below[0].view.shape == self.after.view.shape:
            place = fill(self._size, self.old.corners) & self._around
            return self._area_for(comparable(below[0].view, self.limits), place)
        return self._unlike_below

    @cached_property
    def left(self) -> float:
        """The area of the old top's place beside the top that changed, less what did not."""
        return self._area_changed(self.old.corners, self.corners)

    @property
    def _unlike_below(self) -> float:
        """The area for: something unknown shows there now, which hardly looks the same all over."""
        return self.left / self.limits.still.unknown_below

    def changed_beside(self, within: Mask) -> float:
        """Return the area of a mask (height, width) that changed beside the top."""
        return self._area(self._changes & self._around & within)

    @property
    def came(self) -> float:
        """The same of the top's place beside the old one's."""
        return self._area_changed(self.corners, self.old.corners)

    @cached_property
    def earlier(self) -> EarlierTop | None:
        """The earlier top that most likely shows again; None if none may."""
        candidates = [
            self._earlier(top)
            for top in self.history.latest_first()
            if top.view.shape == self.after.view.shape
            and self.chances.get(top.card or "", 0.0) >= self.limits.still.earlier_named
        ]
        return max(
            candidates,
            key=lambda top: top.chance * (1.5 - top.differs - min(top.distance, 0.5)),
            default=None,
        )

    def _earlier(self, top: TopCard) -> EarlierTop:
        around = fill(self._size, top.corners, 2) | fill(self._size, self.old.corners, 2)
        differs = share(changed(comparable(top.view, self.limits), self.after), around)
        distance = corner_distance(self.corners, top.corners) / card_height(self.corners)
        return EarlierTop(top, self.chances[top.card or ""], differs, distance)

    # -- parts of the picture --

    def _area_for(self, expected: ComparableView, within: Mask) -> float:
        differs = changed(self.before, expected) & within
        matched = differs & (1 - changed(expected, self.after))
        return self._area(matched) - self._area(differs & (1 - self._changes))

    def _area_changed(self, inside: Quad, outside: Quad) -> float:
        """Return the changed area of one card's place outside the other's, less the unchanged."""
        place = fill(self._size, inside, -self._rim)
        place[fill(self._size, outside, self._rim) > 0] = 0
        return self._area(place & self._changes) - self._area(place & (1 - self._changes))

    @cached_property
    def _changes(self) -> Mask:
        return changed(self.before, self.after)

    @cached_property
    def _around(self) -> Mask:
        """Mask of all but the present top: laying it changed nothing there."""
        return np.asarray(1 - fill(self._size, self.corners, self._rim))

    @property
    def _size(self) -> tuple[int, int]:
        return (self.after.view.shape[1], self.after.view.shape[0])

    @property
    def _rim(self) -> int:
        return max(1, round(self.limits.still.rim * card_height(self.corners)))

    def _area(self, mask: Mask) -> float:
        card = int(np.count_nonzero(fill(self._size, self.corners)))
        return int(np.count_nonzero(mask)) / max(1, card)
