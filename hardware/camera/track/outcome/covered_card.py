"""Looks back for a card that lay on top only for a moment, until the next one covered it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from hardware.camera.track.outcome.episode import Episode
from hardware.camera.track.reading.held import without_fans, without_held
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
    pile: TrackedPile, episode: Episode, top: TopCard, limits: Thresholds, recognise: Recognise
) -> CoveredCard | None:
    """Return the card that was laid before the present top; None if there was none.

    Hardly anybody lays a card so exactly that nothing shows of one laid a moment ago: if nothing
    has changed around the new top, it is doubtful that another card came.
    """
    if episode.before is None:
        return None
    most = limits.covered
    after = comparable(halved(top.view), limits)
    size = (after.view.shape[1], after.view.shape[0])
    corners = top.corners / 2
    area = max(1.0, float(np.count_nonzero(fill(size, corners))))
    beyond = changed(episode.before, after) & episode.half_zone
    beyond[fill(size, corners, round(most.rim * card_height(corners))) > 0] = 0
    shows = np.count_nonzero(beyond) >= most.least_beyond * area
    if not shows and episode.visit.lasted < most.twice:
        return None
    doubtful: CoveredCard | None = None
    rests = episode.lookback.rests(episode.before, after, episode.half_zone, area)
    for rest in rests[: most.rests if shows else most.unseen_rests]:
        for sighting, frame in _clearly_seen(pile, rest, top, limits, recognise):
            inside = share(episode.half_zone, fill(size, sighting.corners / 2))
            laid = _laid(sighting, frame, top, (episode.before, after), beyond, limits)
            # Neighbours hold theirs beside the place.
            if laid is None or inside < limits.reading.inside:
                continue
            seen = CoveredCard(sighting, frame, laid if shows else most.unseen)
            if seen.sure:
                return seen
            doubtful = doubtful or seen
    latest = episode.lookback.latest
    if doubtful or not shows or latest is None or latest.time - episode.began < most.hidden_for:
        return doubtful
    # A fan or an arm may have hidden the pile.
    return find_card_beside(pile, episode, top, limits, recognise)


def find_card_beside(
    pile: TrackedPile, episode: Episode, top: TopCard, limits: Thresholds, recognise: Recognise
) -> CoveredCard | None:
    """Return a new card that shows beside the top; None if there is none."""
    most, frame = limits.covered, episode.lookback.latest
    if episode.before is None or frame is None:
        return None
    new = changed(episode.before, comparable(halved(top.view), limits))
    size = (new.shape[1], new.shape[0])
    above = fill(size, top.corners / 2, round(most.rim * card_height(top.corners) / 2))
    for sighting in recognise(frame.picture):
        if sighting.chance < most.likely or is_known(pile, sighting, top, limits):
            continue
        place = fill(size, sighting.corners / 2, -1)
        shown = place & (1 - above)
        # A card that was pushed out from below is new at its edges only.
        enough = np.count_nonzero(shown) >= most.shown * np.count_nonzero(place)
        inside = share(episode.half_zone, place) >= limits.reading.inside
        if enough and inside and share(new, shown) >= most.explains:
            return CoveredCard(sighting, frame)
    return None


def _clearly_seen(
    pile: TrackedPile,
    rest: Sequence[KeptFrame],
    top: TopCard,
    limits: Thresholds,
    recognise: Recognise,
) -> list[tuple[CardSighting, KeptFrame]]:
    """Return the unknown cards seen during a rest, clearly or twice in one place."""
    known = [top.corners, *pile.outlines]
    seen: list[tuple[CardSighting, KeptFrame]] = []
    for frame in rest[: limits.covered.frames]:
        # A card of a fan that is held over the pile is no card of the pile.
        unknown = [
            sighting
            for sighting in without_held(recognise(frame.picture), known, limits)
            if sighting.chance >= limits.covered.likely
            and not is_known(pile, sighting, top, limits)
        ]
        seen += [(sighting, frame) for sighting in without_fans(unknown)]

    def same(first: CardSighting, other: CardSighting) -> bool:
        near = limits.covered.same_place * card_height(first.corners)
        return corner_distance(other.corners, first.corners) < near and first.card == other.card

    return [
        (sighting, frame)
        for sighting, frame in seen
        if sighting.chance >= limits.covered.clear
        or any(same(sighting, other) for other, at in seen if at is not frame)
    ]


def _laid(
    sighting: CardSighting,
    frame: KeptFrame,
    top: TopCard,
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
    rim = max(1, round(limits.still.rim * card_height(sighting.corners) / 2))
    since = changed(frame.small, after)
    around = fill(size, sighting.corners / 2, rim) & beyond
    # What shows around the new top has to look as the card did: one held over it does not.
    if share(around, beyond) >= most.explains and share(since, around) < most.still_there:
        return 1.0
    place = fill(size, sighting.corners / 2, -rim)
    rest = place.copy()
    rest[fill(size, top.corners / 2, rim) > 0] = 0
    shown = np.count_nonzero(rest) >= most.shown * np.count_nonzero(place)
    if shown and share(changed(before, after), rest) < most.older:
        # It sticks out from below as it did before: the watcher began when cards covered it.
        return None
    # Nothing can be concluded where it looks like what it lies on.
    rest &= changed(before, frame.small)
    least = limits.still.least_proof * np.count_nonzero(place) + most.least_pixels
    if np.count_nonzero(rest) >= least:
        gone = share(since, rest)
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


def is_known(pile: TrackedPile, sighting: CardSighting, top: TopCard, limits: Thresholds) -> bool:
    """Return whether a card seen in a frame may be the present top or one that lay there before.

    Cards are read badly under a hand, and those further down show beside the top.
    """
    below = pile.history.latest_first()
    tops = [top, *([pile.top] if pile.top else []), *below]
    possible = limits.covered.possible
    if any(sighting.probabilities.get(known.card or "", 0.0) >= possible for known in tops):
        # The other copy of a card further down would be far less likely.
        return True
    near = limits.covered.same_place * card_height(sighting.corners)
    return any(corner_distance(sighting.corners, lower.corners) < near for lower in below)
