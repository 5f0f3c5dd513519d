"""An equal card in the hand that brings it, seen before it lies on the top one.

Whoever takes the top card up, to put it back, has hold of it only some time after the hand came;
a card that is pushed goes straight to where it lies then. Where its face is seen sooner, and aside
of that way, it is another copy of it.
"""

from collections.abc import Iterable, Iterator

import numpy as np

from hardware.camera.track.change import share
from hardware.camera.track.covered_card import LookUp
from hardware.camera.track.lookback import KeptFrame
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.top_cards import Quad, TopCard, card_height
from hardware.camera.track.window import fill

GRASP = 0.25
"""So long at least it takes to get hold of a card that lies there, in seconds."""
CLEAR = 0.9
"""So surely a card has to be read in a hand."""
ASIDE = 0.15
"""So much longer, in card heights, than straight from place to place the way over there has to be:
corners of moving cards are inexact."""


def saw_incoming_card(
    moments: Iterable[KeptFrame],
    old: TopCard,
    now: TopCard,
    below: Iterable[TopCard],
    limits: Thresholds,
    look_up: LookUp,
) -> bool:
    """Whether an equal card was seen on its way.

    Args:
        moments: What was kept while something moved, in order.
        old: The top before.
        now: The top now.
        below: The earlier tops, among which there may be an equal one too.
        limits: The thresholds.
        look_up: For these moments.
    """
    ends = [one.corners.mean(axis=0) for one in (old, now)]
    lying = [one.corners.mean(axis=0) for one in below if one.card == now.card]
    least = ASIDE * card_height(now.corners)
    straight = _far(*ends)
    for kept in _arriving(moments, old.corners, limits):
        for one in look_up(kept.picture):
            at = one.corners.mean(axis=0)
            if one.probabilities.get(now.card or "", 0.0) < CLEAR:
                continue
            aside = sum(_far(at, end) for end in ends) - straight >= least
            if aside and all(_far(at, other) >= least for other in lying):
                return True
    return False


def _arriving(moments: Iterable[KeptFrame], place: Quad, limits: Thresholds) -> Iterator[KeptFrame]:
    """The moments from when a hand is seen until it can have hold of what lies at a place."""
    there: float | None = None
    for kept in moments:
        size = (kept.reach.shape[1], kept.reach.shape[0])
        if there is None and share(kept.reach, fill(size, place / 2)) > limits.over_pile:
            there = kept.time
        if there is not None and kept.time - there >= GRASP:
            return
        if kept.reach.any():
            yield kept


def _far(one: Quad, other: Quad) -> float:
    return float(np.hypot(*(one - other)))
