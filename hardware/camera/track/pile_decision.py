"""Infers what happened from a reading of the top, and updates the tracked pile."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from hardware.camera.track.change import ComparableView, comparable
from hardware.camera.track.covered_card import CoveredCard, Recognise, find_covered_card
from hardware.camera.track.episode import Episode
from hardware.camera.track.events import Kind
from hardware.camera.track.hand_evidence import settle
from hardware.camera.track.incoming_card import saw_incoming_card
from hardware.camera.track.pile import TrackedPile
from hardware.camera.track.shift import estimate_shift
from hardware.camera.track.still_comparison import StillComparison, StillOutcome
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.top_cards import Quad, TopCard
from hardware.camera.track.window import fill


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
        outcome, likelihoods = self._compared(old, pile.last_view)
        if "placed" in likelihoods:
            between = self._covered_card()
            if between and (between.sure or len(likelihoods) == 1):
                # The top lies on the card in between, whatever happened to the old one.
                return self._laid(between)
        likeliest, *others = likelihoods
        self._update(outcome, likeliest)
        if others:
            return [self._decision("unsure", likelihoods=likelihoods)]
        return [] if likeliest == "same" else [self._decision(likeliest)]

    def _compared(
        self, old: TopCard, last_view: ComparableView
    ) -> tuple[StillOutcome, Mapping[Kind, float]]:
        """Combine the evidence of the still views with that of hands and their cards."""
        pile, episode, reading = self.pile, self.episode, self.reading
        comparison = StillComparison(
            self.limits,
            last_view,
            reading.now,
            old,
            pile.history,
            episode.visit.over,
            pile.empty_view,
        )
        outcome = comparison.outcome(reading.probabilities, reading.corners)
        before, after = (last_view.view, old.corners), (reading.now.view, reading.corners)
        likelihoods = settle(outcome, episode.visit, before, after, pile.outlines, self.limits)
        doubtful_equal = len(likelihoods) > 1 and outcome.shift is not None
        if doubtful_equal and not outcome.contradicts_placed:
            below = pile.history.latest_first()
            frames = episode.lookback
            if saw_incoming_card(frames, old, reading.top, below, self.limits, self.recognise):
                return outcome, {"placed": 1.0}
        return outcome, likelihoods

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

    def _update(self, outcome: StillOutcome, kind: Kind) -> None:
        pile, reading = self.pile, self.reading
        if kind == "placed":
            pile.lay(reading.top)
        elif kind == "lifted":
            pile.lift(reading.top, outcome.earlier)
        else:
            shift = outcome.shift
            moved = shift is None or shift.distance >= self.limits.still.same_place
            if moved and not (outcome.pile_moved or outcome.top_moved):
                pile.mark_disturbed()
            pile.move_top(reading.corners, shift if outcome.pile_moved else None)
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
        self,
        kind: Kind,
        *,
        likelihoods: Mapping[Kind, float] | None = None,
        resolves: int | None = None,
    ) -> PileDecision:
        return PileDecision(
            kind,
            self.episode.began,
            self.reading.probabilities,
            self.reading.corners,
            likelihoods or {},
            resolves,
        )
