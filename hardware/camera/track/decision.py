"""From a read top to what happened, and what is known of the pile afterwards."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from hardware.camera.cards import Picture
from hardware.camera.track.change import Look, changed, look, share
from hardware.camera.track.episode import Episode, halved
from hardware.camera.track.events import Kind
from hardware.camera.track.judge import Judge, Verdict
from hardware.camera.track.lookback import Kept
from hardware.camera.track.outcome import settled
from hardware.camera.track.pile import Pile
from hardware.camera.track.shift import shift_of
from hardware.camera.track.sightings import Sighting
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.tops import Quad, Top, height_of, unturned
from hardware.camera.track.window import fill

POSSIBLE = 0.001
"""A card that is no less likely may be the one that was seen."""
CLEAR = 0.999
"""In a moment while hands move, cards that lie there are read so surely, and held ones seldom.

Each card told of those that drawn hands laid so was read at 0.9999 or more; what was told and had
not been laid, at 0.991 and 0.998."""
SAME_PLACE = 0.05
"""So far, in card heights, what is seen of a card below may lie from it."""

LookUp = Callable[[Picture], list[Sighting]]
"""Recognises a picture that was kept."""


@dataclass(frozen=True)
class Decision:
    """What happened, before it is told: see ``hardware.camera.track.events.PileEvent``.

    ``corners`` are the view's; None if they are not known.
    """

    kind: Kind
    seen: float
    probabilities: Mapping[str, float]
    corners: Quad | None
    readings: tuple[Kind, ...] = ()
    resolves: int | None = None


@dataclass(frozen=True)
class Read:
    """A top that was read: which card, where, and what the pile then looks like."""

    probabilities: Mapping[str, float]
    corners: Quad
    now: Look

    @property
    def top(self) -> Top:
        """The same as a top."""
        return Top(self.probabilities, self.corners, self.now.view)


def decide(
    pile: Pile, episode: Episode, read: Read, limits: Thresholds, look_up: LookUp
) -> list[Decision]:
    """What happened; the pile is brought up to date.

    Args:
        pile: What was known of the pile.
        episode: What was seen while something moved.
        read: What lies on top now.
        limits: The thresholds.
        look_up: For moments that were kept.
    """
    told = _decide(pile, episode, read, limits, look_up)
    pile.still(read.now, episode.reach)
    return told


def _decide(
    pile: Pile, episode: Episode, read: Read, limits: Thresholds, look_up: LookUp
) -> list[Decision]:
    old, began = pile.top, episode.began
    if not pile.known:
        pile.lay(read.top)
        return [Decision("found", began, read.probabilities, read.corners)]
    if old is None or pile.before is None:
        return _laid(pile, _covered(pile, episode, read, limits, look_up), episode, read, limits)
    if old.unread is not None:
        return _resolved(pile, old, episode, read, limits)
    judge = Judge(limits, pile.before, read.now, old, pile.history, episode.visit.over, pile.empty)
    verdict = judge.verdict(read.probabilities, read.corners)
    before, after = (pile.before.view, old.corners), (read.now.view, read.corners)
    kinds = settled(verdict, episode.visit, before, after, pile.places, limits)
    if "placed" in kinds:
        between = _covered(pile, episode, read, limits, look_up)
        if between and (between.sure or len(kinds) == 1):
            # It lies on another card now, whatever it may have been.
            return _laid(pile, between, episode, read, limits)
    _apply(pile, verdict, kinds[0], read, limits)
    if kinds == ("same",):
        return []
    kind = kinds[0] if len(kinds) == 1 else "unsure"
    readings = kinds if len(kinds) > 1 else ()
    return [Decision(kind, began, read.probabilities, read.corners, readings)]


def _laid(
    pile: Pile, between: "_Between | None", episode: Episode, read: Read, limits: Thresholds
) -> list[Decision]:
    """A card was laid, on another one that was laid before it if there is one in between."""
    told = [between.apply(pile, limits)] if between else []
    pile.lay(read.top)
    return [*told, Decision("placed", episode.began, read.probabilities, read.corners)]


def _apply(pile: Pile, verdict: Verdict, kind: Kind, read: Read, limits: Thresholds) -> None:
    """Bring the pile up to date."""
    if kind == "placed":
        pile.lay(read.top)
    elif kind == "lifted":
        pile.lift(read.top, verdict.earlier)
    else:
        whole = verdict.shift if verdict.whole else None
        moved = verdict.shift is None or verdict.shift.far >= limits.same_place
        if moved and not (verdict.whole or verdict.alone):
            pile.stir()
        pile.move(read.corners, whole)
        if pile.top is not None and pile.top.card == read.top.card:
            pile.read_again(read.probabilities, read.corners)


def _resolved(
    pile: Pile, old: Top, episode: Episode, read: Read, limits: Thresholds
) -> list[Decision]:
    """A top could not be read, and now one can."""
    earlier = pile.history.latest_first()
    before = earlier[0] if earlier else None
    number, seen = old.unread, episode.began
    if before is not None and before.card is not None:
        shift = shift_of(before.view, before.corners, read.now.view, read.corners, limits)
        named = read.probabilities.get(before.card, 0.0) >= 0.5
        if shift.far < limits.near and (named or shift.differs <= limits.alike):
            pile.lift(before, before)
            pile.move(read.corners, None)
            return [Decision("same", seen, before.probabilities, read.corners, resolves=number)]
    pile.top = read.top
    kind: Kind = "placed" if before is not None or pile.history.complete else "found"
    return [Decision(kind, seen, read.probabilities, read.corners, resolves=number)]


def _covered(
    pile: Pile, episode: Episode, read: Read, limits: Thresholds, look_up: LookUp
) -> "_Between | None":
    """A card that was laid, and covered before the pile was still."""
    if episode.before is None:
        return None
    after = look(halved(read.now.view), limits)
    area = max(1.0, float(np.count_nonzero(fill(_size(read.now), read.corners)))) / 4
    rests = episode.lookback.rests(episode.before, after, episode.half_zone, area)
    doubtful: _Between | None = None
    for kept in rests[: limits.looked_back]:
        for one in look_up(kept.picture):
            kind = _lay_there(pile, one, kept, read, (episode.before, after), limits)
            if kind == "placed":
                return _Between(one, kept, sure=True)
            if kind == "unsure":
                doubtful = doubtful or _Between(one, kept, sure=False)
    return doubtful


@dataclass(frozen=True)
class _Between:
    """A card that lay on top for a moment, or was held there if that is not ``sure``."""

    one: Sighting
    kept: Kept
    sure: bool

    def apply(self, pile: Pile, limits: Thresholds) -> Decision:
        """Bring the pile up to that moment."""
        one, kept = self.one, self.kept
        pile.lay(Top(one.probabilities, one.corners, kept.view))
        pile.before = look(kept.view, limits)
        kind: Kind = "placed" if self.sure else "unsure"
        readings: tuple[Kind, ...] = () if self.sure else ("placed", "same")
        return Decision(kind, kept.time, one.probabilities, one.corners, readings)


def _lay_there(
    pile: Pile,
    one: Sighting,
    kept: Kept,
    read: Read,
    looks: tuple[Look, Look],
    limits: Thresholds,
) -> Kind | None:
    """Whether a card seen at a moment lay on the pile then; None if it did not.

    ``looks`` are the pile before and now, at half size.
    """
    before, after = looks
    clear = max(one.probabilities.values(), default=0.0) >= CLEAR
    if not clear or is_known(pile, one, read):
        return None
    size = (kept.small.view.shape[1], kept.small.view.shape[0])
    rim = max(1, round(limits.rim * height_of(one.corners) / 2))
    place = fill(size, one.corners / 2, -rim)
    rest = place.copy()
    rest[fill(size, read.corners / 2, rim) > 0] = 0
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


def is_known(pile: Pile, one: Sighting, read: Read) -> bool:
    """Whether a card seen at a moment may be the one on top now, or one that lay there before.

    Under a hand cards are read badly, and those further down show beside the top.
    """
    below = pile.history.latest_first()
    tops = [read.top, *([pile.top] if pile.top else []), *below]
    if any(one.probabilities.get(top.card or "", 0.0) >= POSSIBLE for top in tops):
        # That it is the other copy of a card further down is far less likely.
        return True
    near = SAME_PLACE * height_of(one.corners)
    apart = (np.hypot(*(unturned(one.corners, top.corners) - top.corners).T).max() for top in below)
    return any(far < near for far in apart)


def _size(now: Look) -> tuple[int, int]:
    return (now.view.shape[1], now.view.shape[0])
