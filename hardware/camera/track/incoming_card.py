"""Detects a card equal to the top one while a hand is still bringing it.

A hand that takes the top card up, to put it back, needs some time to get hold of it; a card that is
pushed goes straight to its new place. A face seen sooner, and off that way, is another copy.
"""

from collections.abc import Iterable, Iterator

import numpy as np

from hardware.camera.track.change import share
from hardware.camera.track.covered_card import Recognise
from hardware.camera.track.lookback import KeptFrame
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.top_cards import Quad, TopCard, card_height
from hardware.camera.track.window import fill


def saw_incoming_card(
    frames: Iterable[KeptFrame],
    old: TopCard,
    now: TopCard,
    below: Iterable[TopCard],
    limits: Thresholds,
    recognise: Recognise,
) -> bool:
    """Return whether an equal card was seen on its way.

    ``frames`` were kept while something moved, in order. Of the earlier tops, ``below``, one may be
    an equal card too.
    """
    ends = [one.corners.mean(axis=0) for one in (old, now)]
    lying = [one.corners.mean(axis=0) for one in below if one.card == now.card]
    least = limits.incoming.detour * card_height(now.corners)
    straight = _distance(*ends)
    for frame in _arriving(frames, old.corners, limits):
        for one in recognise(frame.picture):
            at = one.corners.mean(axis=0)
            if one.probabilities.get(now.card or "", 0.0) < limits.incoming.clear:
                continue
            aside = sum(_distance(at, end) for end in ends) - straight >= least
            if aside and all(_distance(at, other) >= least for other in lying):
                return True
    return False


def _arriving(frames: Iterable[KeptFrame], place: Quad, limits: Thresholds) -> Iterator[KeptFrame]:
    """Yield the frames with a hand that cannot yet be holding the card at a place."""
    there: float | None = None
    for frame in frames:
        size = (frame.reach.shape[1], frame.reach.shape[0])
        hidden = share(frame.reach, fill(size, place / 2))
        if there is None and hidden > limits.motion.over_pile:
            there = frame.time
        if there is not None and frame.time - there >= limits.incoming.grasp:
            return
        if frame.reach.any():
            yield frame


def _distance(one: Quad, other: Quad) -> float:
    return float(np.hypot(*(one - other)))
