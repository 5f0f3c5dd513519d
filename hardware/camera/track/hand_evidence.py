"""Decides by what hands brought and took where the still views cannot.

The watcher has no probability here: it compares the area of the card's colours that a hand brought
with two thresholds, and leaves open what falls between. The likelihood of the first reading is
interpolated in the same way: ``HandThresholds.surest_open`` at the threshold beyond which it would
be reported outright, even at the one where the other reading becomes as good. Where hands were not
seen, or contradict the views, it is the middle of the two, 2/3.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hardware.camera.track.events import Kind
from hardware.camera.track.hand_visits import CardFlow, HandVisit
from hardware.camera.track.shift import Shift
from hardware.camera.track.still_comparison import StillOutcome
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.top_cards import Quad
from hardware.camera.types import Picture

Likelihoods = Mapping[Kind, float]
"""The possible events, likeliest first; a single kind if that is decided."""


def settle(
    outcome: StillOutcome,
    visit: HandVisit,
    before: tuple[Picture, Quad],
    after: tuple[Picture, Quad],
    below: Sequence[Quad],
    limits: Thresholds,
) -> Likelihoods:
    """Return what happened, by the still views and the hands seen in between.

    ``before`` and ``after`` are a view and the corners of the card on top in it; ``below`` are the
    corners of the pile's other cards.
    """
    shift = outcome.shift
    if not outcome.open and (shift is None or outcome.kinds != ("placed",)):
        return {outcome.kinds[0]: 1.0}
    outlines = (before[1], after[1], *below)
    now = visit.card_flow(*after, outlines, after[0])
    was = visit.card_flow(*before, outlines, after[0])
    if shift is not None:
        # The same face seen in two places: the light may be better in one of them.
        brought = max(now.brought, was.brought)
        return _EqualCard(outcome, shift, CardFlow(brought, now.watched), limits).settle()
    if now.brought >= limits.hands.brought:
        return {"placed": 1.0}
    if _came_empty(now, limits) or was.brought <= -limits.hands.brought:
        return {"lifted": 1.0}
    kinds = outcome.kinds
    return _open(kinds[0], kinds[1], _doubt(kinds[0], now, limits), limits)


@dataclass(frozen=True)
class _EqualCard:
    """A card equal to the top one was laid on it, or the top one was moved."""

    outcome: StillOutcome
    shift: Shift
    flow: CardFlow
    limits: Thresholds

    def settle(self) -> Likelihoods:
        hands, still = self.limits.hands, self.limits.still
        brought = self.flow.brought
        if not self.outcome.open:
            return self._seems_laid()
        if self.shift.distance < still.same_place:
            if brought < hands.brought_unseen:
                return {"same": 1.0}
            return unchanged_or_laid(brought, self.limits)
        if brought >= hands.brought:
            if not self.outcome.contradicts_placed:
                return {"placed": 1.0}
            # Cards that stick out of a pile while it is squared up look like brought ones.
            return _open("same", "placed", _position(brought, hands.brought, 1.0), self.limits)
        if self._came_empty or (self.flow.watched and self.outcome.contradicts_placed):
            return {"same": 1.0}
        # An equal card that was laid nearly always shows in the views, which would have decided.
        return _open("same", "placed", _doubt("same", self.flow, self.limits), self.limits)

    def _seems_laid(self) -> Likelihoods:
        near = self.shift.distance < self.limits.still.near
        # Nobody who pushes a card turns it round.
        turned = self.shift.differs >= self.limits.still.turned
        if near and self._came_empty:
            # Corners that are slightly off make a push look like another card.
            first: tuple[Kind, Kind] = ("placed", "same") if turned else ("same", "placed")
            return _open(*first, 0.5, self.limits)
        # It lies where an equal card would, and no hand was seen to bring one. The top may have
        # been pushed off a card that looks much the same, if little is known of what lies below.
        unseen = self.flow.brought < self.limits.hands.brought
        if near and unseen and not self.outcome.push_excluded and not turned:
            return _open("placed", "same", _doubt("placed", self.flow, self.limits), self.limits)
        return {"placed": 1.0}

    @property
    def _came_empty(self) -> bool:
        return _came_empty(self.flow, self.limits)


def unchanged_or_laid(brought: float, limits: Thresholds) -> Likelihoods:
    """Return the likelihoods where the pile looks unchanged and a hand brought a card's colours.

    The more colours came, the likelier an equal card was laid exactly on the top: a whole card's
    area makes it even.
    """
    return _open("same", "placed", _position(brought, limits.hands.brought_unseen, 1.0), limits)


def _came_empty(flow: CardFlow, limits: Thresholds) -> bool:
    return flow.watched and flow.brought < limits.hands.nothing_brought


def _doubt(first: Kind, flow: CardFlow, limits: Thresholds) -> float:
    """Return how strongly the colours brought contradict the first reading, from 0 to 1."""
    if not flow.watched:
        return 0.5
    laid = _position(flow.brought, limits.hands.nothing_brought, limits.hands.brought)
    return 1 - laid if first == "placed" else laid


def _position(value: float, low: float, high: float) -> float:
    """Return a value's position between two others, from 0 to 1."""
    return min(max((value - low) / (high - low), 0.0), 1.0)


def _open(first: Kind, second: Kind, doubt: float, limits: Thresholds) -> Likelihoods:
    surest = limits.hands.surest_open
    chance = surest - (surest - 0.5) * doubt
    return {first: chance, second: 1 - chance}
