"""Infers what happened from a reading of the top, and updates the tracked pile."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from hardware.camera.track.events import Kind
from hardware.camera.track.outcome.covered_card import CoveredCard, Recognise, find_covered_card
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
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.view.change import ComparableView, comparable
from hardware.camera.track.view.shift import estimate_shift
from hardware.camera.track.view.top_cards import Quad, TopCard
from hardware.camera.track.view.window import fill


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
class TopReading:
    """A top that was read: which card, where, and the view of the pile with it."""

    probabilities: Mapping[str, float]
    corners: Quad
    now: ComparableView

    @property
    def top(self) -> TopCard:
        """The card, as a top of the pile."""
        return TopCard(self.probabilities, self.corners, self.now.view)


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
        self.pile.remember(self.reading.now, reach)
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
        if likelihoods["placed"] >= self.limits.outcome.possible:
            between = self._covered_card()
            if between and (between.sure or self._is_clear(likelihoods)):
                # The top lies on the card in between, whatever happened to the old one.
                return self._laid(between)
        likeliest = max(OUTCOMES, key=likelihoods.__getitem__)
        self._update(views, likeliest)
        if not self._is_clear(likelihoods):
            return [self._decision("unsure", likelihoods)]
        return [] if likeliest == "same" else [self._decision(likeliest, likelihoods)]

    def _views(self, old: TopCard, last_view: ComparableView) -> StillViews:
        pile, reading = self.pile, self.reading
        return StillViews(
            self.limits,
            last_view,
            reading.now,
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

    def _laid(self, between: CoveredCard | None) -> list[PileDecision]:
        """Lay the top, on the card in between if there was one."""
        decisions = []
        if between:
            one, frame = between.sighting, between.frame
            self.pile.lay(TopCard(one.probabilities, one.corners, frame.view))
            self.pile.last_view = comparable(frame.view, self.limits)
            kind: Kind = "placed" if between.sure else "unsure"
            likelihoods: Mapping[Kind, float] = (
                {} if between.sure else {"placed": between.laid, "same": 1 - between.laid}
            )
            decisions.append(
                PileDecision(kind, frame.time, one.probabilities, one.corners, likelihoods)
            )
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
                before.view, before.corners, reading.now.view, reading.corners, self.limits
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
        said = sorted((likelihoods or {}).items(), key=lambda pair: -pair[1])
        return PileDecision(
            kind,
            self.episode.began,
            reading.probabilities,
            reading.corners,
            {outcome: chance for outcome, chance in said if chance >= possible},
            resolves,
        )
