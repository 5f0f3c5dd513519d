"""Decides what happened at the pile: a card laid, also on its equal, one lifted, or nothing.

``outcome_scorer`` says how likely each is; the likeliest updates the tracked pile.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from hardware.camera.track.events import Kind
from hardware.camera.track.outcome.episode import Episode
from hardware.camera.track.outcome.outcome_scorer import (
    OUTCOMES,
    Likelihoods,
    Outcome,
    OutcomeScorer,
    gather_evidence,
)
from hardware.camera.track.outcome.still_views import StillViews
from hardware.camera.track.reading.pile import TrackedPile
from hardware.camera.track.reading.sightings import CardSighting
from hardware.camera.track.reading.top_reader import without_held
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.view.change import ComparableView, changed, comparable, halved, share
from hardware.camera.track.view.lookback import KeptFrame
from hardware.camera.track.view.top_cards import (
    Quad,
    TopCard,
    card_height,
    corner_distance,
    estimate_shift,
)
from hardware.camera.track.view.window import Mask, fill
from hardware.camera.types import Picture

Recognise = Callable[[Picture], list[CardSighting]]
"""Recognises the cards in a kept picture; their corners are the view's."""


@dataclass(frozen=True)
class PileDecision:
    """An event before it is reported: see ``hardware.camera.track.events.PileEvent``.

    ``corners`` are the view's; None if unknown.
    """

    kind: Kind
    seen: float
    probabilities: Mapping[str, float]
    corners: Quad | None
    likelihoods: Mapping[Kind, float] = field(default_factory=dict)
    resolves: int | None = None


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

    @property
    def decision(self) -> PileDecision:
        """That it was laid, or may have been."""
        card, at = self.sighting, self.frame.time
        if self.sure:
            return PileDecision("placed", at, card.probabilities, card.corners)
        chances: dict[Kind, float] = {"placed": self.laid, "same": 1 - self.laid}
        return PileDecision("unsure", at, card.probabilities, card.corners, chances)


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
            laid = _laid(sighting, frame, top, (episode.before, after), beyond, limits)
            if laid is None:
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
    seen = [
        (sighting, frame)
        for frame in rest[: limits.covered.frames]
        # A card of a fan that is held over the pile is no card of the pile.
        for sighting in without_held(recognise(frame.picture), known, limits)
        if sighting.chance >= limits.covered.likely and not is_known(pile, sighting, top, limits)
    ]

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
    if share(fill(size, sighting.corners / 2, rim), beyond) >= most.explains:
        return 1.0
    place = fill(size, sighting.corners / 2, -rim)
    rest = place.copy()
    rest[fill(size, top.corners / 2, rim) > 0] = 0
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


@dataclass(frozen=True)
class TopReading:
    """A top that was read: which card, where, and the view of the pile with it."""

    probabilities: Mapping[str, float]
    corners: Quad
    view: ComparableView

    @property
    def top(self) -> TopCard:
        """The card, as a top of the pile."""
        return TopCard(self.probabilities, self.corners, self.view.view)


@dataclass(frozen=True)
class Decider:
    """Infers what happened in one episode."""

    pile: TrackedPile
    episode: Episode
    reading: TopReading
    limits: Thresholds
    recognise: Recognise
    scorer: OutcomeScorer

    def decide(self) -> list[PileDecision]:
        """Return what happened, in order, and update the pile."""
        decisions = self._decide()
        reach = self.episode.reach
        if reach is not None:
            # The card that was read shows, even if it was still in a hand's reach.
            reach = reach & (1 - fill((reach.shape[1], reach.shape[0]), self.reading.corners))
        self.pile.remember(self.reading.view, reach)
        return decisions

    def _decide(self) -> list[PileDecision]:
        pile, old = self.pile, self.pile.top
        if not pile.known:
            pile.lay(self.reading.top)
            return [self._decision("found")]
        if old is None or pile.last_view is None:
            return self._laid(self._covered_card())
        if old.unread is not None:
            return [self._resolved(old)]
        views = self._views(old, pile.last_view)
        likelihoods = self.scorer.likelihoods(gather_evidence(pile, self.episode.visit, views))
        likeliest = max(OUTCOMES, key=likelihoods.__getitem__)
        unexplained = likeliest == "same" and self._is_unexplained(views)
        if likelihoods["placed"] >= self.limits.outcome.possible or unexplained:
            between = self._covered_card() or (self._card_beside() if unexplained else None)
            if between and unexplained and self._is_beside(between.sighting.corners):
                return [self._lay_beside(between)]
            if between and (between.sure or likelihoods["placed"] >= self.limits.outcome.certain):
                # The top lies on the card in between, whatever happened to the old one.
                return self._laid(between)
        self._update(views, likeliest)
        if not self._is_clear(likelihoods):
            return [self._decision("unsure", likelihoods)]
        if unexplained:
            even: Mapping[Kind, float] = {"placed": 0.5, "same": 0.5}
            return [PileDecision("unsure", self.episode.began, {}, None, even)]
        return [] if likeliest == "same" else [self._decision(likeliest, likelihoods)]

    def _is_unexplained(self, views: StillViews) -> bool:
        """Return whether something changed beside the old top, which lies there as before."""
        most, reach = self.limits.still, self.episode.reach
        within = self.episode.zone if reach is None else self.episode.zone & (1 - reach)
        # Whoever squares the pile up moves its top, too.
        unmoved = views.shift.distance < most.same_place
        return unmoved and views.changed_beside(within) >= most.beside

    def _is_beside(self, card: Quad) -> bool:
        """Return whether most of a card lies beside the top that was read."""
        size = (self.reading.view.view.shape[1], self.reading.view.view.shape[0])
        return share(fill(size, self.reading.corners), fill(size, card)) < 0.5

    def _lay_beside(self, beside: CoveredCard) -> PileDecision:
        """Lay a card that hides little of the old top, and was not read as the top."""
        card = beside.sighting
        self.pile.lay(TopCard(card.probabilities, card.corners, self.reading.view.view))
        return beside.decision

    def _views(self, old: TopCard, last_view: ComparableView) -> StillViews:
        pile, reading = self.pile, self.reading
        return StillViews(
            self.limits,
            last_view,
            reading.view,
            old,
            pile.history,
            reading.probabilities,
            reading.corners,
        )

    def _is_clear(self, likelihoods: Likelihoods) -> bool:
        return max(likelihoods.values()) >= self.limits.outcome.certain

    def _covered_card(self) -> CoveredCard | None:
        return find_covered_card(
            self.pile, self.episode, self.reading.top, self.limits, self.recognise
        )

    def _card_beside(self) -> CoveredCard | None:
        return find_card_beside(
            self.pile, self.episode, self.reading.top, self.limits, self.recognise
        )

    def _laid(self, between: CoveredCard | None) -> list[PileDecision]:
        """Lay the top, on the card in between if there was one."""
        decisions = []
        if between:
            card, frame = between.sighting, between.frame
            self.pile.lay(TopCard(card.probabilities, card.corners, frame.view))
            self.pile.last_view = comparable(frame.view, self.limits)
            decisions.append(between.decision)
        self.pile.lay(self.reading.top)
        return [*decisions, self._decision("placed")]

    def _update(self, views: StillViews, outcome: Outcome) -> None:
        pile, reading = self.pile, self.reading
        if outcome == "placed":
            pile.lay(reading.top)
        elif outcome == "lifted":
            earlier = views.earlier
            pile.lift(reading.top, earlier.top if earlier else None)
        else:
            whole, alone = views.pile_pushed, views.top_pushed
            pushed = max(whole, alone) >= self.limits.still.least_proof
            if views.shift.distance >= self.limits.still.same_place and not pushed:
                pile.mark_disturbed()
            pile.move_top(reading.corners, views.shift if pushed and whole >= alone else None)
            if pile.top is not None and pile.top.card == reading.top.card:
                pile.improve_reading(reading.probabilities, reading.corners)

    def _resolved(self, old: TopCard) -> PileDecision:
        """Replace a top that could not be read by the one that was read now."""
        pile, reading = self.pile, self.reading
        earlier = pile.history.latest_first()
        before = earlier[0] if earlier else None
        if before is not None and before.card is not None:
            shift = estimate_shift(
                before.view, before.corners, reading.view.view, reading.corners, self.limits
            )
            still = self.limits.still
            chance = reading.probabilities.get(before.card, 0.0)
            same = chance >= self.limits.reading.resolved or shift.differs <= still.alike
            if shift.distance < still.near and same:
                pile.lift(before, before)
                pile.move_top(reading.corners, None)
                return PileDecision(
                    "same",
                    self.episode.began,
                    before.probabilities,
                    reading.corners,
                    resolves=old.unread,
                )
        pile.top = reading.top
        kind: Kind = "placed" if before is not None or pile.history.complete else "found"
        return self._decision(kind, resolves=old.unread)

    def _decision(
        self, kind: Kind, likelihoods: Likelihoods | None = None, resolves: int | None = None
    ) -> PileDecision:
        reading, possible = self.reading, self.limits.outcome.possible
        ranked = sorted((likelihoods or {}).items(), key=lambda pair: -pair[1])
        return PileDecision(
            kind,
            self.episode.began,
            reading.probabilities,
            reading.corners,
            {outcome: chance for outcome, chance in ranked if chance >= possible},
            resolves,
        )
