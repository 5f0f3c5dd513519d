"""Finds a card that was laid and covered before the pile was still: two quick plays."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from hardware.camera.track.outcome.episode import Episode
from hardware.camera.track.reading.held import without_held
from hardware.camera.track.reading.pile import TrackedPile
from hardware.camera.track.reading.sightings import CardSighting
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.view.change import ComparableView, changed, comparable, halved, share
from hardware.camera.track.view.lookback import KeptFrame
from hardware.camera.track.view.top_cards import TopCard, card_height, corner_distance
from hardware.camera.track.view.window import Mask, fill
from hardware.camera.types import Picture

Recognise = Callable[[Picture], list[CardSighting]]
"""Recognises the cards in a kept picture; their corners are the view's."""


@dataclass(frozen=True)
class CoveredCard:
    """A card that lay on top for a moment.

    ``laid`` is the probability that it lay there; below 1 a hand may have been holding it.
    """

    sighting: CardSighting
    frame: KeptFrame
    laid: float = 1.0

    @property
    def sure(self) -> bool:
        """Whether it certainly lay there."""
        return self.laid == 1.0


def find_covered_card(
    pile: TrackedPile, episode: Episode, now: TopCard, limits: Thresholds, recognise: Recognise
) -> CoveredCard | None:
    """Return the card that was laid before the present top; None if there was none.

    Nobody lays a card so exactly that nothing shows of one laid a moment ago: if nothing has
    changed around the new top, no other card came.
    """
    if episode.before is None:
        return None
    most = limits.covered
    after = comparable(halved(now.view), limits)
    size = (after.view.shape[1], after.view.shape[0])
    corners = now.corners / 2
    area = max(1.0, float(np.count_nonzero(fill(size, corners))))
    beyond = changed(episode.before, after) & episode.half_zone
    beyond[fill(size, corners, round(most.rim * card_height(corners))) > 0] = 0
    if np.count_nonzero(beyond) < most.least_beyond * area:
        return None
    doubtful: CoveredCard | None = None
    rests = episode.lookback.rests(episode.before, after, episode.half_zone, area)
    for rest in rests[: most.rests]:
        for one, frame in _clearly_seen(pile, rest, now, limits, recognise):
            laid = _laid(one, frame, now, (episode.before, after), beyond, limits)
            if laid == 1.0:
                return CoveredCard(one, frame)
            if laid is not None:
                doubtful = doubtful or CoveredCard(one, frame, laid)
    return doubtful or _sticks_out(pile, episode, now, after, limits, recognise)


def _sticks_out(
    pile: TrackedPile,
    episode: Episode,
    now: TopCard,
    after: ComparableView,
    limits: Thresholds,
    recognise: Recognise,
) -> CoveredCard | None:
    """Return a new card that shows below the top, laid while a fan or an arm hid the pile."""
    most, frame = limits.covered, episode.lookback.latest
    if episode.before is None or frame is None or frame.time - episode.began < most.hidden_for:
        return None
    new = changed(episode.before, after)
    size = (new.shape[1], new.shape[0])
    above = fill(size, now.corners / 2, round(most.rim * card_height(now.corners) / 2))
    for one in recognise(frame.picture):
        if one.chance < most.likely or is_known(pile, one, now, limits):
            continue
        place = fill(size, one.corners / 2, -1)
        shown = place & (1 - above)
        # A card that was pushed out from below is new at its edges only.
        enough = np.count_nonzero(shown) >= most.shown * np.count_nonzero(place)
        if enough and share(new, shown) >= most.explains and share(episode.half_zone, place) > 0.5:
            return CoveredCard(one, frame)
    return None


def _clearly_seen(
    pile: TrackedPile,
    rest: Sequence[KeptFrame],
    now: TopCard,
    limits: Thresholds,
    recognise: Recognise,
) -> list[tuple[CardSighting, KeptFrame]]:
    """Return the unknown cards seen during a rest, clearly or twice in one place."""
    known = [now.corners, *pile.outlines]
    seen = [
        (one, frame)
        for frame in rest[: limits.covered.frames]
        # A card of a fan that is held over the pile is no card of the pile.
        for one in without_held(recognise(frame.picture), known, limits)
        if one.chance >= limits.covered.likely and not is_known(pile, one, now, limits)
    ]

    def same(one: CardSighting, other: CardSighting) -> bool:
        near = limits.covered.same_place * card_height(one.corners)
        return corner_distance(other.corners, one.corners) < near and one.card == other.card

    return [
        (one, frame)
        for one, frame in seen
        if one.chance >= limits.covered.clear
        or any(same(one, other) for other, at in seen if at is not frame)
    ]


def _laid(
    one: CardSighting,
    frame: KeptFrame,
    now: TopCard,
    views: tuple[ComparableView, ComparableView],
    beyond: Mask,
    limits: Thresholds,
) -> float | None:
    """Return the probability that a card in a frame lay on the pile then; None if it did not.

    ``views`` are the pile before and now, ``beyond`` is what changed around the new top, all at
    half size.
    """
    before, after = views
    most = limits.covered
    size = (frame.small.view.shape[1], frame.small.view.shape[0])
    rim = max(1, round(limits.still.rim * card_height(one.corners) / 2))
    if share(fill(size, one.corners / 2, rim), beyond) >= most.explains:
        return 1.0
    place = fill(size, one.corners / 2, -rim)
    rest = place.copy()
    rest[fill(size, now.corners / 2, rim) > 0] = 0
    # Nothing can be concluded where it looks like what it lies on.
    rest &= changed(before, frame.small)
    least = limits.still.least_proof * np.count_nonzero(place) + most.least_pixels
    if np.count_nonzero(rest) >= least:
        gone = share(changed(frame.small, after), rest)
        if gone < most.still_there:
            return 1.0
        if gone >= most.vanished:
            return None
    # The new top hides all of it. A hand that was holding it may have taken it away again: the
    # more of it that hand hid, the likelier, up to an even chance.
    hidden = share(np.asarray(cv2.dilate(frame.reach, np.ones((3, 3), np.uint8))), place)
    if hidden < most.held:
        return 1.0
    surest = most.surest
    return surest - (surest - 0.5) * hidden


def is_known(pile: TrackedPile, one: CardSighting, now: TopCard, limits: Thresholds) -> bool:
    """Return whether a card seen in a frame may be the present top or one that lay there before.

    Cards are read badly under a hand, and those further down show beside the top.
    """
    below = pile.history.latest_first()
    tops = [now, *([pile.top] if pile.top else []), *below]
    possible = limits.covered.possible
    if any(one.probabilities.get(top.card or "", 0.0) >= possible for top in tops):
        # The other copy of a card further down would be far less likely.
        return True
    near = limits.covered.same_place * card_height(one.corners)
    return any(corner_distance(one.corners, top.corners) < near for top in below)
