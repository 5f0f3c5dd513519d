"""What happened between two still pictures of the pile.

Each reading of it ("a card was laid", "the top was pushed", "the pile was pushed", "the top was
lifted") says what the later picture has to look like. Where these predictions differ, the
picture decides; where they hardly differ, it is left open.
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
from hardware.camera.track.top_cards import Quad, TopCard, TopHistory, aligned, card_height
from hardware.camera.track.window import Mask, fill
from hardware.camera.types import Picture

BESIDE = 3
"""From so many pixels around cards it is told how the table goes on below them."""


@dataclass(frozen=True)
class StillOutcome:
    """What happened.

    Attributes:
        kinds: One kind if it is decided, otherwise those possible, likeliest first.
        earlier: The earlier top that shows again, after a lift.
        shift: How the card moved, if it may be the same one.
        against: Whether the pictures speak against a card laid, if it is left open.
        whole: Whether all that was seen of the pile moved so, and not the top alone.
        alone: Whether the top alone moved.
        proved: Whether what lies below the old top is known, and much of it would show if that had
            moved.
    """

    kinds: tuple[Kind, ...]
    earlier: TopCard | None = None
    shift: Shift | None = None
    against: bool = False
    whole: bool = False
    alone: bool = False
    proved: bool = False

    @property
    def open(self) -> bool:
        """Whether the pictures leave it open."""
        return len(self.kinds) > 1


@dataclass(frozen=True)
class _Proof:
    """Where a reading predicts something else than "a card was laid" does.

    ``size`` in shares of a card's area; ``changed`` is the share of it that did change, ``matched``
    the share that is as predicted.
    """

    size: float
    changed: float
    matched: float


@dataclass(frozen=True)
class StillComparison:
    """Two still pictures and what is known about them.

    Attributes:
        limits: The thresholds.
        before: The pile before.
        after: The pile now.
        old: The top before.
        history: What was below it.
        hand: Whether a hand was over the pile in between.
        empty: The place without cards, if it was ever seen so.
    """

    limits: Thresholds
    before: ComparableView
    after: ComparableView
    old: TopCard
    history: TopHistory
    hand: bool
    empty: ComparableView | None = None

    def outcome(self, chances: Mapping[str, float], corners: Quad) -> StillOutcome:
        """What happened, if the top now is read so, there."""
        shift, limits = self._shift(corners), self.limits
        if self._equal(chances, shift, limits.hardly):
            bared = self._bared(corners) >= limits.bared
            if bared or self._equal(chances, shift, limits.equal):
                return self._same_face(corners, shift, bared=bared)
        return self._other_face(chances, corners)

    def _shift(self, corners: Quad) -> Shift:
        before, after = self.before.view, self.after.view
        return estimate_shift(before, self.old.corners, after, corners, self.limits)

    def _equal(self, chances: Mapping[str, float], shift: Shift, least: float) -> bool:
        same = sum(p * self.old.probabilities.get(card, 0.0) for card, p in chances.items())
        if same >= least:
            return True
        # A face that did not turn and looks the same is the same whatever was read: a 6 is a 9
        # only when it is turned.
        return shift.differs <= self.limits.alike and shift.far < self.limits.near

    # -- the same face as before --

    def _same_face(self, corners: Quad, shift: Shift, *, bared: bool) -> StillOutcome:
        limits = self.limits
        below = self.history.latest_first()[:1]
        if self.hand and below and below[0].card == self.old.card:
            apart = np.hypot(*(aligned(self.old.corners, below[0].corners) - below[0].corners).T)
            moved = apart.max() >= 2 * limits.same_place * card_height(corners)
            if moved and self._shows(below[0], {below[0].card or "": 1.0}):
                return StillOutcome(("lifted",), below[0])
        # Whoever lays a card covers some of the table, and shows none of it.
        laid = self.hand and not bared
        if shift.far < limits.same_place:
            return StillOutcome(("same", "placed") if laid else ("same",), shift=shift)
        camera = self._proof(shift.moved(self.before.view), corners)
        pile = self._proof(self._pile_pushed(shift), corners)
        top = self._top_pushed(corners)
        for one in (camera, pile, top):
            if one.size >= limits.least_proof and min(one.matched, one.changed) >= limits.proof:
                alone = one is top
                return StillOutcome(("same",), shift=shift, whole=not alone, alone=alone)
        if not laid:
            return StillOutcome(("same",), shift=shift)
        proofs = [one for one in (pile, top) if one.size >= limits.least_proof]
        if len(proofs) == 2 and all(
            one.changed < limits.remained and one.matched < limits.proof for one in proofs
        ):
            # Of a top that was pushed some of what is known to lie below it would show.
            proved = self._below() is not None and top.size >= limits.much_proof
            return StillOutcome(("placed",), shift=shift, proved=proved)
        against = any(one.changed >= limits.proof for one in proofs)
        kinds: tuple[Kind, ...] = ("same", "placed") if against else ("placed", "same")
        return StillOutcome(kinds, shift=shift, against=against)

    def _places(self) -> Mask:
        """Where cards are known to have lain before."""
        was = fill(self._size, self.old.corners, 1)
        for one in self.history.latest_first():
            was |= fill(self._size, one.corners, 1)
        return was

    @cached_property
    def _table(self) -> ComparableView:
        """The place without cards, as it was seen or else as it probably goes on below them."""
        if self.empty is not None and self.empty.view.shape == self.before.view.shape:
            return self.empty
        was = cv2.dilate(self._places(), np.ones((5, 5), np.uint8))
        view = cv2.inpaint(self.before.view, was, BESIDE, cv2.INPAINT_TELEA)
        return comparable(np.asarray(view), self.limits)

    def _bared(self, corners: Quad) -> float:
        """Where cards lay and the table shows now, as a share of a card's area."""
        lay = changed(self._table, self.before) & self._places()
        lay[fill(self._size, corners, self._rim(corners)) > 0] = 0
        bare = lay & (1 - changed(self._table, self.after))
        return float(np.count_nonzero(bare)) / self._area(corners)

    def _pile_pushed(self, shift: Shift) -> Picture:
        """The picture if all cards had moved so, and the table had not."""
        was = self._places()
        view = self.before.view.copy()
        view[was > 0] = self._table.view[was > 0]
        size = self._size
        now = cv2.warpPerspective(was, shift.matrix, size, flags=cv2.INTER_NEAREST) > 0
        view[now] = shift.moved(self.before.view)[now]
        return view

    def _top_pushed(self, corners: Quad) -> _Proof:
        """If only the top was pushed, what lay below shows where it was."""
        below = self._below()
        if below is not None:
            return self._proof(below.view, corners, within=fill(self._size, self.old.corners))
        # What lay below is not known; that it looks the same all over is unlikely.
        left = self._left(self.old.corners, corners)
        size = np.count_nonzero(left) / self._area(corners)
        moved = share(changed(self.before, self.after), left)
        return _Proof(float(size) / 3, moved, moved)

    def _below(self) -> TopCard | None:
        """What lies below the old top, if it still lies as it was seen."""
        below = self.history.latest_first()
        usable = below and below[0].fresh and below[0].view.shape == self.after.view.shape
        return below[0] if usable else None

    def _proof(self, predicted: Picture, corners: Quad, within: Mask | None = None) -> _Proof:
        expected = comparable(predicted, self.limits)
        differs = changed(self.before, expected)
        differs[fill(self._size, corners, self._rim(corners)) > 0] = 0
        if within is not None:
            differs &= within
        return _Proof(
            float(np.count_nonzero(differs)) / self._area(corners),
            share(changed(self.before, self.after), differs),
            1 - share(changed(expected, self.after), differs),
        )

    # -- another face than before --

    def _other_face(self, chances: Mapping[str, float], corners: Quad) -> StillOutcome:
        now = changed(self.before, self.after)
        left, came = self._left(self.old.corners, corners), self._left(corners, self.old.corners)
        enough = self.limits.least_proof * self._area(corners)
        back = next((top for top in self.history.latest_first() if self._shows(top, chances)), None)
        if back is not None and self._is_back(back, left, enough):
            return StillOutcome(("lifted",), back)
        gone, was_there = None, None
        if np.count_nonzero(left) >= enough:
            gone = share(now, left)
        if np.count_nonzero(came) >= enough:
            was_there = 1 - share(now, came)
        if gone is not None and gone < self.limits.refuted:
            # The old top is still there, below.
            return StillOutcome(("placed",))
        if back is not None:
            return StillOutcome(("lifted",), back)
        near = self._near(chances, corners)
        if near is not None:
            if (gone or 0.0) >= self.limits.proof:
                return StillOutcome(("lifted",), near)
            return StillOutcome(("lifted", "placed"), near)
        if self.history.complete or self.history.latest_first():
            return StillOutcome(("placed",))
        # Below the first card that was seen there may have been any.
        if was_there is not None and was_there < self.limits.refuted:
            return StillOutcome(("placed",))
        if (gone or 0.0) >= self.limits.proof and (was_there or 0.0) >= self.limits.proof:
            return StillOutcome(("lifted",))
        return StillOutcome(("placed", "lifted"))

    def _shows(self, top: TopCard, chances: Mapping[str, float]) -> bool:
        """Whether the picture is the one with this card on top."""
        if chances.get(top.card or "", 0.0) < 0.3 or top.view.shape != self.after.view.shape:
            return False
        around = fill(self._size, top.corners, 2) | fill(self._size, self.old.corners, 2)
        return share(changed(comparable(top.view, self.limits), self.after), around) < 0.1

    def _is_back(self, top: TopCard, left: Mask, enough: float) -> bool:
        """Whether the old top's place shows what an earlier picture, and not the last, shows."""
        expected = comparable(top.view, self.limits)
        differs = changed(self.before, expected) & left
        if np.count_nonzero(differs) < enough:
            return False
        return share(changed(self.before, self.after), differs) >= self.limits.proof

    def _near(self, chances: Mapping[str, float], corners: Quad) -> TopCard | None:
        """An earlier top that this may be, pushed a little when the others were lifted."""
        for top in self.history.latest_first()[:3]:
            if chances.get(top.card or "", 0.0) >= 0.3:
                apart = np.hypot(*(aligned(corners, top.corners) - top.corners).T).max()
                if apart < self.limits.near * card_height(corners):
                    return top
        return None

    # -- parts of the picture --

    @property
    def _size(self) -> tuple[int, int]:
        return (self.after.view.shape[1], self.after.view.shape[0])

    def _rim(self, corners: Quad) -> int:
        return max(1, round(self.limits.rim * card_height(corners)))

    def _area(self, corners: Quad) -> float:
        return max(1.0, float(np.count_nonzero(fill(self._size, corners))))

    def _left(self, inside: Quad, outside: Quad) -> Mask:
        """What of one card's place is no place of the other, well away from the edges."""
        rim = self._rim(inside)
        mask = fill(self._size, inside, -rim)
        mask[fill(self._size, outside, rim) > 0] = 0
        return mask
