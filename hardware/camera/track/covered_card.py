"""A card that was laid, and covered before the pile was still: two quick plays."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from hardware.camera.track.change import ComparableView, changed, comparable, share
from hardware.camera.track.episode import Episode, halved
from hardware.camera.track.events import Kind
from hardware.camera.track.lookback import KeptFrame
from hardware.camera.track.pile import TrackedPile
from hardware.camera.track.sightings import CardSighting
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.top_cards import Quad, TopCard, aligned, card_height
from hardware.camera.track.window import Mask, fill
from hardware.camera.types import Picture

POSSIBLE = 0.001
"""A card that is no less likely may be the one that was seen."""
CLEAR = 0.999
"""In a moment while hands move, cards that lie there are read so surely, and held ones seldom.

Each card told of those that drawn hands laid so was read at 0.9999 or more; what was told and had
not been laid, at 0.991 and 0.998."""
LIKELY = 0.9
"""One read so surely lies there as well if it is seen in the same place a moment later."""
SAME_PLACE = 0.05
"""So far, in card heights, what is seen of a card below may lie from it."""
RIM = 0.045
"""So far around the new top, in card heights, nothing is told from what changed there."""
LEAST_BEYOND = 0.02
"""So much has to have changed around it, in areas of a card, for another card to have come: it was
0.055 and more in seven cases where drawn hands laid two, and 0.024 and less in 50 of 51 where they
laid one."""
EXPLAINS = 0.7
"""A card that so much of this lies on lay there."""
AT_A_REST = 2
"""So many moments of a rest are recognised."""
LookUp = Callable[[Picture], list[CardSighting]]
"""Recognises a picture that was kept."""


@dataclass(frozen=True)
class CoveredCard:
    """A card that lay on top for a moment, or was held there if that is not ``sure``."""

    one: CardSighting
    kept: KeptFrame
    sure: bool


def find_covered_card(
    pile: TrackedPile, episode: Episode, now: TopCard, limits: Thresholds, look_up: LookUp
) -> CoveredCard | None:
    """The card that was laid before the one that is on top ``now``; None if there was none.

    Nobody lays a card so exactly that nothing shows of the one laid a moment ago: where nothing
    has changed around the new top, no other card came.
    """
    if episode.before is None:
        return None
    after = comparable(halved(now.view), limits)
    size = (after.view.shape[1], after.view.shape[0])
    area = max(1.0, float(np.count_nonzero(fill(size, now.corners / 2))))
    beyond = changed(episode.before, after) & episode.half_zone
    beyond[fill(size, now.corners / 2, round(RIM * card_height(now.corners / 2))) > 0] = 0
    if np.count_nonzero(beyond) < LEAST_BEYOND * area:
        return None
    looks = (episode.before, after)
    doubtful: CoveredCard | None = None
    for rest in episode.lookback.rests(*looks, episode.half_zone, area)[: limits.looked_back]:
        for one, kept in _lying(pile, rest, now, look_up):
            kind = _lay_there(one, kept, now, looks, beyond, limits)
            if kind == "placed":
                return CoveredCard(one, kept, sure=True)
            if kind == "unsure":
                doubtful = doubtful or CoveredCard(one, kept, sure=False)
    return doubtful


def _lying(
    pile: TrackedPile, rest: Sequence[KeptFrame], now: TopCard, look_up: LookUp
) -> list[tuple[CardSighting, KeptFrame]]:
    """Cards seen clearly while something rested; what is less clear has to be seen twice."""
    seen = [
        (one, kept)
        for kept in rest[:AT_A_REST]
        for one in look_up(kept.picture)
        if _chance(one) >= LIKELY and not is_known(pile, one, now)
    ]
    return [
        (one, kept)
        for one, kept in seen
        if _chance(one) >= CLEAR or any(_same(one, other) for other, at in seen if at is not kept)
    ]


def _chance(one: CardSighting) -> float:
    return max(one.probabilities.values(), default=0.0)


def _same(one: CardSighting, other: CardSighting) -> bool:
    near = _far(other.corners, one.corners) < SAME_PLACE * card_height(one.corners)
    return near and one.card == other.card


def _lay_there(
    one: CardSighting,
    kept: KeptFrame,
    now: TopCard,
    looks: tuple[ComparableView, ComparableView],
    beyond: Mask,
    limits: Thresholds,
) -> Kind | None:
    """Whether a card seen at a moment lay on the pile then; None if it did not.

    ``looks`` are the pile before and now, ``beyond`` is what changed around the new top, all at
    half size.
    """
    before, after = looks
    size = (kept.small.view.shape[1], kept.small.view.shape[0])
    rim = max(1, round(limits.rim * card_height(one.corners) / 2))
    if share(fill(size, one.corners / 2, rim), beyond) >= EXPLAINS:
        return "placed"
    place = fill(size, one.corners / 2, -rim)
    rest = place.copy()
    rest[fill(size, now.corners / 2, rim) > 0] = 0
    # Where a hand hid it, or it looks like what it lies on, nothing can be told.
    rest &= changed(before, kept.small)
    if np.count_nonzero(rest) >= limits.least_proof * np.count_nonzero(place) + 4:
        gone = share(changed(kept.small, after), rest)
        if gone < 0.5:
            return "placed"
        if gone >= 0.75:
            return None
    # All of it is covered now. In a hand it could have been taken away again.
    hidden = share(np.asarray(cv2.dilate(kept.reach, np.ones((3, 3), np.uint8))), place)
    return "placed" if hidden < 0.02 else "unsure"


def is_known(pile: TrackedPile, one: CardSighting, now: TopCard) -> bool:
    """Whether a card seen at a moment may be the one on top now, or one that lay there before.

    Under a hand cards are read badly, and those further down show beside the top.
    """
    below = pile.history.latest_first()
    tops = [now, *([pile.top] if pile.top else []), *below]
    if any(one.probabilities.get(top.card or "", 0.0) >= POSSIBLE for top in tops):
        # That it is the other copy of a card further down is far less likely.
        return True
    near = SAME_PLACE * card_height(one.corners)
    return any(_far(one.corners, top.corners) < near for top in below)


def _far(one: Quad, other: Quad) -> float:
    return float(np.hypot(*(aligned(one, other) - other).T).max())
