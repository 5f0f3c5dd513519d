"""From a read top to what happened, and what is known of the pile afterwards."""

from collections.abc import Mapping
from dataclasses import dataclass

from hardware.camera.track.change import ComparableView, comparable
from hardware.camera.track.covered_card import CoveredCard, LookUp, find_covered_card
from hardware.camera.track.episode import Episode
from hardware.camera.track.events import Kind
from hardware.camera.track.hand_evidence import settle
from hardware.camera.track.incoming_card import saw_incoming_card
from hardware.camera.track.pile import TrackedPile
from hardware.camera.track.shift import estimate_shift
from hardware.camera.track.still_comparison import StillComparison, StillOutcome
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.top_cards import Quad, TopCard


@dataclass(frozen=True)
class PileDecision:
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
class TopReading:
    """A top that was read: which card, where, and what the pile then looks like."""

    probabilities: Mapping[str, float]
    corners: Quad
    now: ComparableView

    @property
    def top(self) -> TopCard:
        """The same as a top."""
        return TopCard(self.probabilities, self.corners, self.now.view)


def decide(
    pile: TrackedPile, episode: Episode, read: TopReading, limits: Thresholds, look_up: LookUp
) -> list[PileDecision]:
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
    pile: TrackedPile, episode: Episode, read: TopReading, limits: Thresholds, look_up: LookUp
) -> list[PileDecision]:
    old, began = pile.top, episode.began
    if not pile.known:
        pile.lay(read.top)
        return [PileDecision("found", began, read.probabilities, read.corners)]
    if old is None or pile.before is None:
        return _laid(
            pile, find_covered_card(pile, episode, read.top, limits, look_up), episode, read, limits
        )
    if old.unread is not None:
        return _resolved(pile, old, episode, read, limits)
    judge = StillComparison(
        limits, pile.before, read.now, old, pile.history, episode.visit.over, pile.empty
    )
    verdict = judge.outcome(read.probabilities, read.corners)
    before, after = (pile.before.view, old.corners), (read.now.view, read.corners)
    kinds = settle(verdict, episode.visit, before, after, pile.places, limits)
    if len(kinds) > 1 and verdict.shift is not None and not verdict.against:
        below = pile.history.latest_first()
        if saw_incoming_card(episode.lookback, old, read.top, below, limits, look_up):
            kinds = ("placed",)
    if "placed" in kinds:
        between = find_covered_card(pile, episode, read.top, limits, look_up)
        if between and (between.sure or len(kinds) == 1):
            # It lies on another card now, whatever it may have been.
            return _laid(pile, between, episode, read, limits)
    _apply(pile, verdict, kinds[0], read, limits)
    if kinds == ("same",):
        return []
    kind = kinds[0] if len(kinds) == 1 else "unsure"
    readings = kinds if len(kinds) > 1 else ()
    return [PileDecision(kind, began, read.probabilities, read.corners, readings)]


def _laid(
    pile: TrackedPile,
    between: CoveredCard | None,
    episode: Episode,
    read: TopReading,
    limits: Thresholds,
) -> list[PileDecision]:
    """A card was laid, on another one that was laid before it if there is one in between."""
    told = [_covered(pile, between, limits)] if between else []
    pile.lay(read.top)
    return [*told, PileDecision("placed", episode.began, read.probabilities, read.corners)]


def _covered(pile: TrackedPile, between: CoveredCard, limits: Thresholds) -> PileDecision:
    """Bring the pile up to the moment when that card lay on top."""
    one, kept = between.one, between.kept
    pile.lay(TopCard(one.probabilities, one.corners, kept.view))
    pile.before = comparable(kept.view, limits)
    kind: Kind = "placed" if between.sure else "unsure"
    readings: tuple[Kind, ...] = () if between.sure else ("placed", "same")
    return PileDecision(kind, kept.time, one.probabilities, one.corners, readings)


def _apply(
    pile: TrackedPile, verdict: StillOutcome, kind: Kind, read: TopReading, limits: Thresholds
) -> None:
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
    pile: TrackedPile, old: TopCard, episode: Episode, read: TopReading, limits: Thresholds
) -> list[PileDecision]:
    """A top could not be read, and now one can."""
    earlier = pile.history.latest_first()
    before = earlier[0] if earlier else None
    number, seen = old.unread, episode.began
    if before is not None and before.card is not None:
        shift = estimate_shift(before.view, before.corners, read.now.view, read.corners, limits)
        named = read.probabilities.get(before.card, 0.0) >= 0.5
        if shift.far < limits.near and (named or shift.differs <= limits.alike):
            pile.lift(before, before)
            pile.move(read.corners, None)
            return [PileDecision("same", seen, before.probabilities, read.corners, resolves=number)]
    pile.top = read.top
    kind: Kind = "placed" if before is not None or pile.history.complete else "found"
    return [PileDecision(kind, seen, read.probabilities, read.corners, resolves=number)]
