"""Infers from two still views of the pile what happened in between.

Each explanation ("a card was laid", "the top was pushed", "the pile was pushed", "the top was
lifted") predicts the later view. Where the predictions differ, the view decides; where they hardly
differ, it is left open.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from hardware.camera.track.change import ComparableView, changed, comparable, share
from hardware.camera.track.events import Kind
from hardware.camera.track.shift import Shift, estimate_shift
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.top_cards import Quad, TopCard, TopHistory, card_height, corner_distance
from hardware.camera.track.window import Mask, fill
from hardware.camera.types import Picture


@dataclass(frozen=True)
class StillOutcome:
    """The conclusion from the views."""

    # One kind if that is decided, otherwise the two possible ones, likeliest first.
    kinds: tuple[Kind, ...]
    earlier: TopCard | None = None  # The earlier top that shows again, after a lift
    shift: Shift | None = None  # How the card moved, if it may be the same one
    # Whether the views speak against a card laid, if it is left open.
    contradicts_placed: bool = False
    pile_moved: bool = False  # Whether all that was seen of the pile moved by ``shift``
    top_moved: bool = False  # Whether the top alone moved
    # Whether what lies below the old top is known, and much of it would show if the top had moved.
    push_excluded: bool = False

    @property
    def open(self) -> bool:
        """Whether the views leave it open."""
        return len(self.kinds) > 1


@dataclass(frozen=True)
class _Evidence:
    """The area where an explanation and "a card was laid" predict different things."""

    size: float  # Area of it, in areas of a card
    changed: float  # Share of it that changed
    matched: float  # Share of it that is as predicted


@dataclass(frozen=True)
class StillComparison:
    """Two still views and what is known about them.

    ``history`` holds the tops before ``old``. ``hand`` says whether one was over the pile in
    between. ``empty`` is the place without cards, if it was ever seen so.
    """

    limits: Thresholds
    before: ComparableView
    after: ComparableView
    old: TopCard
    history: TopHistory
    hand: bool
    empty: ComparableView | None = None

    def outcome(self, chances: Mapping[str, float], corners: Quad) -> StillOutcome:
        """Return what happened, given the present top's probabilities and corners."""
        still = self.limits.still
        shift = estimate_shift(
            self.before.view, self.old.corners, self.after.view, corners, self.limits
        )
        if self._is_equal(chances, shift, still.equal_if_bared):
            bared = self._bared(corners) >= still.bared
            if bared or self._is_equal(chances, shift, still.equal):
                return self._same_face(corners, shift, bared=bared)
        return self._other_face(chances, corners)

    def _is_equal(self, chances: Mapping[str, float], shift: Shift, least: float) -> bool:
        same = sum(p * self.old.probabilities.get(card, 0.0) for card, p in chances.items())
        if same >= least:
            return True
        # An unturned face that looks the same is the same, whatever was read: a 6 reads as a 9 only
        # when it is turned.
        still = self.limits.still
        return shift.differs <= still.alike and shift.distance < still.near

    # -- the same face as before --

    def _same_face(self, corners: Quad, shift: Shift, *, bared: bool) -> StillOutcome:
        still = self.limits.still
        below = self.history.latest_first()[:1]
        if self.hand and below and below[0].card == self.old.card:
            least = still.clearly_moved * still.same_place * card_height(corners)
            moved = corner_distance(self.old.corners, below[0].corners) >= least
            if moved and self._shows(below[0], {below[0].card or "": 1.0}):
                return StillOutcome(("lifted",), below[0])
        # Laying a card covers some of the table and bares none of it.
        may_be_laid = self.hand and not bared
        if shift.distance < still.same_place:
            return StillOutcome(("same", "placed") if may_be_laid else ("same",), shift=shift)
        camera = self._evidence(shift.moved(self.before.view), corners)
        pile = self._evidence(self._pile_pushed(shift), corners)
        top = self._top_pushed(corners)
        for one in (camera, pile, top):
            if one.size >= still.least_proof and min(one.matched, one.changed) >= still.proof:
                alone = one is top
                return StillOutcome(("same",), shift=shift, pile_moved=not alone, top_moved=alone)
        if not may_be_laid:
            return StillOutcome(("same",), shift=shift)
        evidence = [one for one in (pile, top) if one.size >= still.least_proof]
        if len(evidence) == 2 and all(
            one.changed < still.remained and one.matched < still.proof for one in evidence
        ):
            # A pushed top would have bared some of what is known to lie below it.
            excluded = self._below() is not None and top.size >= still.much_proof
            return StillOutcome(("placed",), shift=shift, push_excluded=excluded)
        against = any(one.changed >= still.proof for one in evidence)
        kinds: tuple[Kind, ...] = ("same", "placed") if against else ("placed", "same")
        return StillOutcome(kinds, shift=shift, contradicts_placed=against)

    def _cards_mask(self) -> Mask:
        """Return a mask of the places where cards are known to have lain before."""
        was = fill(self._size, self.old.corners, 1)
        for one in self.history.latest_first():
            was |= fill(self._size, one.corners, 1)
        return was

    @cached_property
    def _table(self) -> ComparableView:
        """The place without cards, as it was seen or else inpainted from the table around."""
        if self.empty is not None and self.empty.view.shape == self.before.view.shape:
            return self.empty
        was = cv2.dilate(self._cards_mask(), np.ones((5, 5), np.uint8))
        view = cv2.inpaint(self.before.view, was, self.limits.still.inpaint, cv2.INPAINT_TELEA)
        return comparable(np.asarray(view), self.limits)

    def _bared(self, corners: Quad) -> float:
        """Return the area where cards lay and the table shows now, in areas of a card."""
        lay = changed(self._table, self.before) & self._cards_mask()
        lay[fill(self._size, corners, self._rim(corners)) > 0] = 0
        bare = lay & (1 - changed(self._table, self.after))
        return float(np.count_nonzero(bare)) / self._area(corners)

    def _pile_pushed(self, shift: Shift) -> Picture:
        """Return the view expected if all cards had moved by the shift, but not the table."""
        was = self._cards_mask()
        view = self.before.view.copy()
        view[was > 0] = self._table.view[was > 0]
        now = cv2.warpPerspective(was, shift.matrix, self._size, flags=cv2.INTER_NEAREST) > 0
        view[now] = shift.moved(self.before.view)[now]
        return view

    def _top_pushed(self, corners: Quad) -> _Evidence:
        """Return the evidence for a push of the top alone: what lay below shows where it was."""
        below = self._below()
        if below is not None:
            return self._evidence(below.view, corners, within=fill(self._size, self.old.corners))
        # An unknown card below hardly looks the same all over.
        left = self._outside(self.old.corners, corners)
        size = np.count_nonzero(left) / self._area(corners)
        moved = share(changed(self.before, self.after), left)
        return _Evidence(float(size) / self.limits.still.unknown_below, moved, moved)

    def _below(self) -> TopCard | None:
        """Return the top below the old one, if it still lies as it was seen."""
        below = self.history.latest_first()
        usable = below and below[0].fresh and below[0].view.shape == self.after.view.shape
        return below[0] if usable else None

    def _evidence(self, predicted: Picture, corners: Quad, within: Mask | None = None) -> _Evidence:
        expected = comparable(predicted, self.limits)
        differs = changed(self.before, expected)
        differs[fill(self._size, corners, self._rim(corners)) > 0] = 0
        if within is not None:
            differs &= within
        return _Evidence(
            float(np.count_nonzero(differs)) / self._area(corners),
            share(changed(self.before, self.after), differs),
            1 - share(changed(expected, self.after), differs),
        )

    # -- another face than before --

    def _other_face(self, chances: Mapping[str, float], corners: Quad) -> StillOutcome:
        still = self.limits.still
        now = changed(self.before, self.after)
        left, came = (
            self._outside(self.old.corners, corners),
            self._outside(corners, self.old.corners),
        )
        enough = still.least_proof * self._area(corners)
        back = next((top for top in self.history.latest_first() if self._shows(top, chances)), None)
        if back is not None and self._is_back(back, left, enough):
            return StillOutcome(("lifted",), back)
        gone = share(now, left) if np.count_nonzero(left) >= enough else None
        was_there = 1 - share(now, came) if np.count_nonzero(came) >= enough else None
        if gone is not None and gone < still.refuted:
            # The old top is still there, below.
            return StillOutcome(("placed",))
        if back is not None:
            return StillOutcome(("lifted",), back)
        near = self._near(chances, corners)
        if near is not None:
            decided = (gone or 0.0) >= still.proof
            return StillOutcome(("lifted",) if decided else ("lifted", "placed"), near)
        if self.history.complete or self.history.latest_first():
            return StillOutcome(("placed",))
        # Any card may lie below the first one that was seen.
        if was_there is not None and was_there < still.refuted:
            return StillOutcome(("placed",))
        if (gone or 0.0) >= still.proof and (was_there or 0.0) >= still.proof:
            return StillOutcome(("lifted",))
        return StillOutcome(("placed", "lifted"))

    def _shows(self, top: TopCard, chances: Mapping[str, float]) -> bool:
        """Return whether the view is the one with this card on top."""
        still = self.limits.still
        named = chances.get(top.card or "", 0.0) >= still.earlier_named
        if not named or top.view.shape != self.after.view.shape:
            return False
        around = fill(self._size, top.corners, 2) | fill(self._size, self.old.corners, 2)
        differs = share(changed(comparable(top.view, self.limits), self.after), around)
        return differs < still.earlier_differs

    def _is_back(self, top: TopCard, left: Mask, enough: float) -> bool:
        """Return whether the old top's place looks as it did with an earlier top."""
        expected = comparable(top.view, self.limits)
        differs = changed(self.before, expected) & left
        if np.count_nonzero(differs) < enough:
            return False
        return share(changed(self.before, self.after), differs) >= self.limits.still.proof

    def _near(self, chances: Mapping[str, float], corners: Quad) -> TopCard | None:
        """Return an earlier top that this may be, pushed a little when the others were lifted."""
        still = self.limits.still
        near = still.near * card_height(corners)
        for top in self.history.latest_first()[: still.earlier_tops]:
            named = chances.get(top.card or "", 0.0) >= still.earlier_named
            if named and corner_distance(corners, top.corners) < near:
                return top
        return None

    # -- parts of the picture --

    @property
    def _size(self) -> tuple[int, int]:
        return (self.after.view.shape[1], self.after.view.shape[0])

    def _rim(self, corners: Quad) -> int:
        return max(1, round(self.limits.still.rim * card_height(corners)))

    def _area(self, corners: Quad) -> float:
        return max(1.0, float(np.count_nonzero(fill(self._size, corners))))

    def _outside(self, inside: Quad, outside: Quad) -> Mask:
        """Return the part of one card's place outside the other's, away from the edges."""
        rim = self._rim(inside)
        mask = fill(self._size, inside, -rim)
        mask[fill(self._size, outside, rim) > 0] = 0
        return mask
