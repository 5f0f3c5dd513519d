"""Decides what happened at the pile: a card laid, also on its equal, one lifted, or nothing.

``outcome_scorer`` says how likely each is; the likeliest updates the tracked pile.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from hardware.camera.track.events import Kind
from hardware.camera.track.outcome.covered_card import (
    CoveredCard,
    Recognise,
    find_card_beside,
    find_covered_card,
)
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
from hardware.camera.track.view.change import ComparableView, comparable, share
from hardware.camera.track.view.top_cards import Quad, TopCard, estimate_shift
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


def _decision_on(covered: CoveredCard) -> PileDecision:
    """Return that a covered card was laid, or may have been."""
    card, at = covered.sighting, covered.frame.time
    if covered.sure:
        return PileDecision("placed", at, card.probabilities, card.corners)
    chances: dict[Kind, float] = {"placed": covered.laid, "same": 1 - covered.laid}
    return PileDecision("unsure", at, card.probabilities, card.corners, chances)


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
        placed = sum(decision.kind == "placed" for decision in decisions)
        if 0 < placed == len(decisions) < self.episode.visit.unseen:
            # Somebody laid more than what shows now, while cards were held over the pile.
            decisions.insert(0, self._something())
        hand = self.episode.hand_beside(self.reading.corners)
        if hand is not None and self.episode.reach is not None and hand.any():
            # The card that was read shows, even if it was still in the hand's reach.
            place = fill((hand.shape[1], hand.shape[0]), self.reading.corners)
            hand = self.episode.reach & (1 - place)
        self.pile.remember(self.reading.view, hand)
        top, last = self.pile.top, self.pile.last_view
        if top is not None and last is not None and top.view is self.reading.view.view:
            # Nor does its own view show hands that rest beside it.
            self.pile.top = replace(top, view=last.view)
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
        if unexplained and self.episode.visit.over:
            return [self._something()]
        return [] if likeliest == "same" else [self._decision(likeliest, likelihoods)]

    def _something(self) -> PileDecision:
        """Return that a card may have been laid, nobody knows which."""
        even: Mapping[Kind, float] = {"placed": 0.5, "same": 0.5}
        return PileDecision("unsure", self.episode.began, {}, None, even)

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
        return _decision_on(beside)

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
            decisions.append(_decision_on(between))
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
