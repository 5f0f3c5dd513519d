"""Watches the pile over time: frames in, events out. No I/O, no clock."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from hardware.camera.track.events import PileEvent
from hardware.camera.track.outcome.covered_card import Recognise, find_card_beside
from hardware.camera.track.outcome.empty_place import is_blank, is_dark_table, is_empty
from hardware.camera.track.outcome.episode import Episode
from hardware.camera.track.outcome.outcome_scorer import OutcomeScorer, fitted_scorer
from hardware.camera.track.outcome.pile_decision import Decider, PileDecision, TopReading
from hardware.camera.track.reading.held import is_raised
from hardware.camera.track.reading.pile import TrackedPile
from hardware.camera.track.reading.sightings import CardSighting, to_sightings
from hardware.camera.track.reading.top_reader import TopReader, TopVote, WatchedFrame
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.view.change import (
    ComparableView,
    MotionDetector,
    changed,
    comparable,
)
from hardware.camera.track.view.top_cards import TopCard, card_height
from hardware.camera.track.view.window import Mask, SteadyRegion, Window, window_of, window_onto
from hardware.camera.types import Corners, Picture, Recogniser


def margin_for(window: Window, card: Corners, limits: Thresholds) -> float:
    """Return the border to watch, as ``ViewThresholds`` has it, for a card with corners (4, 2)."""
    sides = np.ptp(window.zone, axis=0)
    return float((limits.view.reach * card_height(card) - sides.min() / 2) / sides.max())


class PileWatcher:
    """Watches a pile of cards.

    Give it every frame in order. It asks the recogniser only when the pile is still after a change.
    Use one watcher from one thread.
    """

    def __init__(
        self,
        recogniser: Recogniser,
        limits: Thresholds | None = None,
        scorer: OutcomeScorer | None = None,
    ) -> None:
        self._recogniser = recogniser
        self._usual = limits or Thresholds()
        self._scorer = scorer or fitted_scorer()
        self._reported = 0
        self.forget()

    def forget(self) -> None:
        """Start over, as with another camera; the top is then reported as "found"."""
        self._start(self._usual)

    def _start(self, limits: Thresholds) -> None:
        self._limits = limits
        self._motion = MotionDetector(self._limits)
        self._pile = TrackedPile(self._limits)
        self._steady = SteadyRegion(self._limits)
        self._asked: Window | None = None
        self._time: float | None = None
        self._episode: Episode | None = None
        self._vote: TopVote | None = None
        # The last view of the idle pile, not yet known to be undisturbed.
        self._idle_view: tuple[float, Picture] | None = None
        # Hands that rested beside the top when the last episode ended, and when it did.
        self._hands: tuple[float, Mask] | None = None
        self._retries = 0
        self._reader = TopReader(self._recogniser, self._pile, self._limits)
        # When a card was last looked for in another view.
        self._looked_anew = float("-inf")

    @property
    def top(self) -> TopCard | None:
        """The card on top; None if there is none or nothing was seen yet."""
        return self._pile.top

    @property
    def limits(self) -> Thresholds:
        """The thresholds, with a wider border where the place is tight for its cards."""
        return self._limits

    @property
    def busy(self) -> bool:
        """Whether something moves, or is being read."""
        return self._episode is not None

    @property
    def knows_pile(self) -> bool:
        """Whether the pile, or its empty place, has been seen yet."""
        return self._pile.known

    @property
    def covered(self) -> bool:
        """Whether a hand hides some of the place, or it was never seen without one."""
        return self._episode is not None and (self._episode.hidden or not self.knows_pile)

    @property
    def tremble(self) -> float:
        """How far the camera trembles, root mean square, in pixels of the frame."""
        return self._steady.tremble

    def watch(self, frame: Picture, time: float, region: Corners) -> list[PileEvent]:
        """Take a frame and return what was decided now, in order; blank frames count as lost.

        ``time`` is in seconds and never decreases. ``region`` is the corners of the pile's place in
        this frame, (4, 2), in order around it. All of the pile should lie inside; the region may
        follow a camera that moves. Raises ValueError if it cannot be watched; the text says why.
        """
        window = self._window_onto(frame, time, region)
        watched = WatchedFrame(frame, window.view_of(frame), window, time)
        if is_blank(watched.view, self._limits) and not self._is_dark_table(watched):
            return []
        if self._time is not None and time - self._time > self._limits.motion.gap:
            self._motion.forget()
        self._time = time
        moving = self._motion.moving(watched.view, time)
        if self._episode is None:
            if not moving.any():
                return self._idle(watched)
            self._begin(watched)
        episode = self._episode
        assert episode is not None  # noqa: S101
        episode.add(watched.view, window.cut(frame), moving, self._motion, time)
        if self._shows_another_view(watched, episode):
            self.forget()
            return []
        if episode.quiet_since is not None:
            return self._quiet(watched, episode)
        matrix = episode.camera_motion(watched.view, self._pile, time)
        if matrix is not None:
            self._pile.follow_camera(matrix)
            self._hands = None
            self._begin(watched)
            return []
        if episode.may_show_top(time):
            self._look_beside(watched, episode)
        return self._interrupted(watched)

    def wait(self, time: float) -> None:
        """Note that until ``time`` the pile looks as in the last frame; for use while not busy."""
        self._time = time

    # -- what goes on --

    def _is_dark_table(self, watched: WatchedFrame) -> bool:
        last = self._pile.last_view
        return last is not None and is_dark_table(
            watched.view, last.view, 1 - watched.zone, self._limits
        )

    def _shows_another_view(self, watched: WatchedFrame, episode: Episode) -> bool:
        """Return whether the camera was turned, and a card lies where the pile was."""
        if self._steady.lost_at < episode.began or not episode.view_replaced(watched.time):
            return False
        if watched.time - self._looked_anew < self._limits.reading.unread_after:
            return False
        self._looked_anew = watched.time
        top = self._reader.read(watched, None)
        return top is not None and top.chance >= self._limits.reading.certain

    def _window_onto(self, frame: Picture, time: float, region: Corners) -> Window:
        asked = window_onto(frame, region, self._limits, self._asked)
        if self._asked is not None and self._asked.size != asked.size:
            self.forget()
        self._asked = asked
        steady = self._steady.at(frame, time, asked.region)
        # The part shown to recognisers need not be exact.
        window = window_of(steady, asked.shape, self._limits, asked.size)
        return replace(window, crop=asked.crop)

    def _begin(self, watched: WatchedFrame, vote: TopVote | None = None) -> None:
        resting = self._resting(watched.time)
        self._episode = Episode(self._limits, watched.window, self._pile, watched.time, resting)
        self._vote = vote
        self._idle_view = None

    def _end(self, time: float) -> None:
        self._hands = None
        if self._episode and self._episode.all_quiet and self._episode.resting.any():
            self._hands = (time, self._episode.resting)
        self._episode = None
        self._vote = None
        self._idle_view = None

    def _resting(self, time: float) -> Mask | None:
        """Return the mask of hands that have rested since the last episode; None if unknown."""
        if self._hands and time - self._hands[0] < self._limits.motion.static_after:
            return self._hands[1]
        return None

    def _idle(self, watched: WatchedFrame) -> list[PileEvent]:
        """Nothing moves: follow the light, and retry what could not be read."""
        if self._idle_view is None:
            self._idle_view = (watched.time, watched.view)
        elif watched.time - self._idle_view[0] >= self._limits.motion.refresh:
            # Nothing has begun to move since that view, so it shows the pile undisturbed.
            view = comparable(self._idle_view[1], self._limits)
            self._pile.remember(view, self._resting(watched.time))
            self._idle_view = (watched.time, watched.view)
        top, most = self._pile.top, self._limits.reading
        if top is None or top.unread is None or self._retries >= most.retries:
            return []
        vote = self._vote
        if vote is None or vote.timed_out(watched.time):
            self._retries += 1
            vote = self._vote = TopVote(self._limits, watched.time)
        if vote.tries >= most.tries:
            return []
        vote.add(
            self._reader.read(watched, None), comparable(watched.view, self._limits), watched.time
        )
        if vote.answer() is None:
            return []
        self._begin(watched, vote)
        return self._conclude(watched)

    def _interrupted(self, watched: WatchedFrame) -> list[PileEvent]:
        """Something moves at the pile; what was read just before is used."""
        vote = self._vote
        if vote is None or not vote.settled or vote.answer(hurry=True) is None:
            self._vote = None
            return []
        events = self._conclude(watched, hurry=True)
        self._begin(watched)
        return events

    def _quiet(self, watched: WatchedFrame, episode: Episode) -> list[PileEvent]:
        settled = episode.settled(watched.time)
        if self._vote and settled and self._vote.answer() is not None:
            return self._conclude(watched)
        view = comparable(watched.view, self._limits)
        if self._vote is None and episode.pile_unchanged(view, self._pile):
            return self._unchanged(watched, view, episode) if settled else []
        vote = self._vote = self._vote or TopVote(self._limits, watched.time)
        if not vote.due(watched.time):
            return []
        if vote.would_repeat(view, watched.zone):
            vote.repeat(watched.time)
        else:
            news = None
            if self._pile.last_view is not None and self._pile.top is not None:
                news = changed(self._pile.last_view, view)
            top = self._reader.read(watched, news)
            if top is not None and self._is_held(top, watched, episode):
                vote.wait(watched.time)
                return []
            vote.add(top, view, watched.time)
        if not settled:
            return []
        vote.settled = True
        if vote.answer() is not None:
            return self._conclude(watched)
        bare = vote.blank and not episode.hidden
        if bare and is_empty(view, self._pile.empty_view, watched.zone, self._limits):
            return self._cleared(watched, view, episode)
        return self._unread(watched, view, episode) if vote.timed_out(watched.time) else []

    def _is_held(self, top: CardSighting, watched: WatchedFrame, episode: Episode) -> bool:
        """Return whether the card read as the top is held over the pile, however still."""
        # An outline that is off looks raised too, but nothing hovers without a hand.
        if not episode.held(top.corners, watched.time):
            return False
        if is_raised(top.corners, self._pile.outlines, self._limits):
            return True
        # Cards are held beside one another; of those laid, all but the last lie there before.
        card = TopCard(top.probabilities, top.corners, watched.view)
        recognise = self._recognise_in(watched)
        return find_card_beside(self._pile, episode, card, self._limits, recognise) is not None

    def _look_beside(self, watched: WatchedFrame, episode: Episode) -> None:
        """Look for a top that shows whole beside what rests over some of the place."""
        top = self._reader.read(watched, None)
        if top is None or not self._reader.shows_whole(top, watched):
            return
        if not self._is_held(top, watched, episode):
            episode.note_top(top.corners, watched.time)

    # -- how it ends --

    def _unchanged(
        self, watched: WatchedFrame, view: ComparableView, episode: Episode
    ) -> list[PileEvent]:
        if not episode.all_quiet:
            return []
        decisions: Sequence[PileDecision] = ()
        top = self._pile.top
        if episode.visit.over and top is not None and top.card:
            # An equal card may have been laid exactly on it, or carried away behind the hand.
            reading = TopReading(top.probabilities, top.corners, view)
            decisions = self._decider(episode, reading, watched).decide()
        self._pile.remember(view, episode.reach)
        self._end(watched.time)
        return self._events(decisions, watched)

    def _conclude(self, watched: WatchedFrame, *, hurry: bool = False) -> list[PileEvent]:
        vote, episode = self._vote, self._episode
        answer = vote.answer(hurry=hurry) if vote else None
        if vote is None or episode is None or answer is None or vote.view is None:
            return []
        if not hurry and episode.touched(answer[1], watched.time):
            # The hand would be remembered along with the card.
            return []
        if not hurry and self._pile.top is None and self._limits is self._usual:
            margin = margin_for(watched.window, answer[1], self._usual)
            if margin > self._usual.view.margin:
                # What reaches the view's edge would look like a hand: look again at more.
                empty = self._pile.known
                self._start(replace(self._usual, view=replace(self._usual.view, margin=margin)))
                if empty:
                    self._pile.clear()
                return []
        decisions = self._decider(episode, TopReading(*answer, vote.view), watched).decide()
        # Of two cards laid in one episode it is unknown which arm laid which.
        is_single = len(decisions) == 1 and decisions[0].kind != "found"
        arm = episode.visit.arm_direction() if is_single else None
        self._end(watched.time)
        return self._events(decisions, watched, arm)

    def _decider(self, episode: Episode, reading: TopReading, watched: WatchedFrame) -> Decider:
        recognise = self._recognise_in(watched)
        return Decider(self._pile, episode, reading, self._limits, recognise, self._scorer)

    def _recognise_in(self, watched: WatchedFrame) -> Recognise:
        def recognise(picture: Picture) -> list[CardSighting]:
            return to_sightings(self._recogniser.recognise(picture), watched.window, watched.time)

        return recognise

    def _cleared(
        self, watched: WatchedFrame, view: ComparableView, episode: Episode
    ) -> list[PileEvent]:
        was = self._pile.top
        self._pile.clear()
        self._pile.remember(view, episode.reach)
        self._end(watched.time)
        decision = PileDecision("cleared", episode.began, {}, None)
        return [] if was is None else self._events([decision], watched)

    def _unread(
        self, watched: WatchedFrame, view: ComparableView, episode: Episode
    ) -> list[PileEvent]:
        decisions = []
        if not episode.hidden and (episode.visit.over or not self._pile.known):
            decisions.append(PileDecision("unread", episode.began, {}, None))
            number = self._reported + 1
            self._pile.lay(TopCard({}, watched.window.zone, view.view, unread=number))
            self._retries = 0
        self._pile.remember(view, episode.reach)
        self._end(watched.time)
        return self._events(decisions, watched)

    def _events(
        self, decisions: Sequence[PileDecision], watched: WatchedFrame, arm: float | None = None
    ) -> list[PileEvent]:
        first = self._reported + 1
        self._reported += len(decisions)
        return [
            PileEvent(
                number,
                decision.kind,
                decision.seen,
                watched.time,
                decision.probabilities,
                None if decision.corners is None else watched.window.to_frame(decision.corners),
                decision.likelihoods,
                decision.resolves,
                arm,
            )
            for number, decision in enumerate(decisions, first)
        ]
