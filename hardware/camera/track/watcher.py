"""Watches the pile over time: frames in, events out. No I/O, no clock."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from hardware.camera.track.events import PileEvent
from hardware.camera.track.outcome.episode import Episode
from hardware.camera.track.outcome.hand_visits import colours
from hardware.camera.track.outcome.outcome_scorer import OutcomeScorer, fitted_scorer
from hardware.camera.track.outcome.pile_decision import Decider, PileDecision, TopReading
from hardware.camera.track.reading.pile import TrackedPile
from hardware.camera.track.reading.sightings import CardSighting, to_sightings
from hardware.camera.track.reading.top_reader import TopReader, TopVote, WatchedFrame
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.view.change import (
    ComparableView,
    MotionDetector,
    changed,
    comparable,
    contrast,
    share,
)
from hardware.camera.track.view.top_cards import TopCard
from hardware.camera.track.view.window import Mask, SteadyRegion, Window, window_of, window_onto
from hardware.camera.types import Corners, Picture, Recogniser


def is_empty(
    now: ComparableView, empty: ComparableView | None, zone: Mask, limits: Thresholds
) -> bool:
    """Return whether no card lies in the zone; ``empty`` is an earlier view of it empty, if any."""
    most = limits.empty
    if empty is not None and empty.view.shape == now.view.shape:
        return share(changed(empty, now), zone) < most.differs
    grey = cv2.cvtColor(now.view, cv2.COLOR_BGR2GRAY)
    strength = np.abs(contrast(cv2.GaussianBlur(grey, (5, 5), 0)))
    inside, around = zone > 0, zone == 0
    # An empty place looks like the table around it.
    busy, usual = float(strength[inside].mean()), float(strength[around].mean())
    if busy > max(most.plain, most.busier * usual):
        return False
    smooth = cv2.GaussianBlur(now.view, (0, 0), 2)
    here, there = (colours(smooth, part.astype(np.uint8)) for part in (inside, around))
    common = (there >= most.common * there.sum()).astype(np.uint8)
    # Neighbouring colours count too: light falls off from one side to the other.
    near = np.asarray(cv2.dilate(common, np.ones((3, 3), np.uint8)))
    return float(here[near == 0].sum()) < most.foreign * float(here.sum())


def is_blank(view: Picture, limits: Thresholds) -> bool:
    """Return whether the view is black or one colour all over."""
    grey = cv2.cvtColor(np.ascontiguousarray(view[::4, ::4]), cv2.COLOR_BGR2GRAY)
    return bool(np.percentile(grey, 99) < limits.view.dark or grey.std() < limits.view.flat)


def is_dark_table(view: Picture, before: Picture, around: Mask, limits: Thresholds) -> bool:
    """Return whether a blank view shows a dark table whose cards, seen ``before``, have gone.

    ``around`` is the part of both views that shows the table.
    """
    if before.shape != view.shape or not around.any():
        return False
    now, earlier = (picture[around > 0].mean(axis=0) for picture in (view, before))
    # A covered lens and a lost signal are darker than any visible table.
    most = limits.view.dark_table
    return bool(np.abs(now - earlier).max() < most and earlier.max() > most)


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
        self._limits = limits or Thresholds()
        self._scorer = scorer or fitted_scorer()
        self._reported = 0
        self.forget()

    def forget(self) -> None:
        """Start over, as with another camera; the top is then reported as "found"."""
        self._motion = MotionDetector(self._limits)
        self._pile = TrackedPile(self._limits)
        self._steady = SteadyRegion(self._limits)
        self._asked: Window | None = None
        self._time: float | None = None
        self._episode: Episode | None = None
        self._vote: TopVote | None = None
        # The last view of the idle pile, not yet known to be undisturbed.
        self._idle_view: tuple[float, Picture] | None = None
        self._retries = 0
        self._reader = TopReader(self._recogniser, self._pile, self._limits)
        # When a card was last looked for in another view.
        self._looked_anew = float("-inf")

    @property
    def top(self) -> TopCard | None:
        """The card on top; None if there is none or nothing was seen yet."""
        return self._pile.top

    @property
    def busy(self) -> bool:
        """Whether something moves, or is being read."""
        return self._episode is not None

    @property
    def covered(self) -> bool:
        """Whether a hand hides some of the place, or it was never seen without one."""
        return self._episode is not None and (self._episode.hidden or not self._pile.known)

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
        now = WatchedFrame(frame, window.view_of(frame), window, time)
        if is_blank(now.view, self._limits) and not self._is_dark_table(now):
            return []
        if self._time is not None and time - self._time > self._limits.motion.gap:
            self._motion.forget()
        self._time = time
        moving = self._motion.moving(now.view, time)
        if self._episode is None:
            if not moving.any():
                return self._idle(now)
            self._begin(now)
        episode = self._episode
        assert episode is not None  # noqa: S101
        episode.add(now.view, window.cut(frame), moving, self._motion, time)
        if self._shows_another_view(now, episode):
            self.forget()
            return []
        if episode.quiet_since is not None:
            return self._quiet(now, episode)
        matrix = episode.camera_motion(now.view, self._pile, time)
        if matrix is not None:
            self._pile.follow_camera(matrix)
            self._begin(now)
            return []
        return self._interrupted(now)

    def wait(self, time: float) -> None:
        """Note that until ``time`` the pile looks as in the last frame; for use while not busy."""
        self._time = time

    # -- what goes on --

    def _is_dark_table(self, now: WatchedFrame) -> bool:
        last = self._pile.last_view
        return last is not None and is_dark_table(now.view, last.view, 1 - now.zone, self._limits)

    def _shows_another_view(self, now: WatchedFrame, episode: Episode) -> bool:
        """Return whether the camera was turned, and a card lies where the pile was."""
        if self._steady.lost_at < episode.began or not episode.view_replaced(now.time):
            return False
        if now.time - self._looked_anew < self._limits.reading.unread_after:
            return False
        self._looked_anew = now.time
        top = self._reader.read(now, None)
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

    def _begin(self, now: WatchedFrame, vote: TopVote | None = None) -> None:
        self._episode = Episode(self._limits, now.window, self._pile, now.time)
        self._vote = vote
        self._idle_view = None

    def _end(self) -> None:
        self._episode = None
        self._vote = None
        self._idle_view = None

    def _idle(self, now: WatchedFrame) -> list[PileEvent]:
        """Nothing moves: follow the light, and retry what could not be read."""
        if self._idle_view is None:
            self._idle_view = (now.time, now.view)
        elif now.time - self._idle_view[0] >= self._limits.motion.refresh:
            # Nothing has begun to move since that view, so it shows the pile undisturbed.
            self._pile.remember(comparable(self._idle_view[1], self._limits))
            self._idle_view = (now.time, now.view)
        top, most = self._pile.top, self._limits.reading
        if top is None or top.unread is None or self._retries >= most.retries:
            return []
        vote = self._vote
        if vote is None or vote.timed_out(now.time):
            self._retries += 1
            vote = self._vote = TopVote(self._limits, now.time)
        if vote.tries >= most.tries:
            return []
        vote.add(self._reader.read(now, None), comparable(now.view, self._limits), now.time)
        if vote.answer() is None:
            return []
        self._begin(now, vote)
        return self._conclude(now)

    def _interrupted(self, now: WatchedFrame) -> list[PileEvent]:
        """Something moves at the pile; what was read just before is used."""
        vote = self._vote
        if vote is None or not vote.settled or vote.answer(hurry=True) is None:
            self._vote = None
            return []
        events = self._conclude(now, hurry=True)
        self._begin(now)
        return events

    def _quiet(self, now: WatchedFrame, episode: Episode) -> list[PileEvent]:
        settled = episode.settled(now.time)
        if self._vote and settled and self._vote.answer() is not None:
            return self._conclude(now)
        view = comparable(now.view, self._limits)
        if self._vote is None and episode.pile_unchanged(view, self._pile):
            return self._unchanged(now, view, episode) if settled else []
        vote = self._vote = self._vote or TopVote(self._limits, now.time)
        if not vote.due(now.time):
            return []
        if vote.would_repeat(view, now.zone):
            vote.repeat(now.time)
        else:
            news = None
            if self._pile.last_view is not None and self._pile.top is not None:
                news = changed(self._pile.last_view, view)
            top = self._reader.read(now, news)
            held = self._reader.is_held(top, view, now.time)
            # An outline that is off looks raised too, but nothing hovers without a hand.
            if held and top is not None and episode.touched(top.corners, now.time):
                vote.wait(now.time)
                return []
            vote.add(top, view, now.time)
        if not settled:
            return []
        vote.settled = True
        if vote.answer() is not None:
            return self._conclude(now)
        bare = vote.blank and not episode.hidden
        if bare and is_empty(view, self._pile.empty_view, now.zone, self._limits):
            return self._cleared(now, view, episode)
        return self._unread(now, view, episode) if vote.timed_out(now.time) else []

    # -- how it ends --

    def _unchanged(
        self, now: WatchedFrame, view: ComparableView, episode: Episode
    ) -> list[PileEvent]:
        if not episode.all_quiet:
            return []
        decisions: Sequence[PileDecision] = ()
        top = self._pile.top
        if episode.visit.over and top is not None and top.card:
            # An equal card may have been laid exactly on it, or carried away behind the hand.
            reading = TopReading(top.probabilities, top.corners, view)
            decisions = self._decider(episode, reading, now).decide()
        self._pile.remember(view)
        self._end()
        return self._events(decisions, now)

    def _conclude(self, now: WatchedFrame, *, hurry: bool = False) -> list[PileEvent]:
        vote, episode = self._vote, self._episode
        answer = vote.answer(hurry=hurry) if vote else None
        if vote is None or episode is None or answer is None or vote.now is None:
            return []
        if not hurry and episode.touched(answer[1], now.time):
            # The hand would be remembered along with the card.
            return []
        decisions = self._decider(episode, TopReading(*answer, vote.now), now).decide()
        # Of two cards laid in one episode it is unknown which arm laid which.
        one = len(decisions) == 1 and decisions[0].kind != "found"
        arm = episode.visit.arm_direction() if one else None
        self._end()
        return self._events(decisions, now, arm)

    def _decider(self, episode: Episode, reading: TopReading, now: WatchedFrame) -> Decider:
        def recognise(picture: Picture) -> list[CardSighting]:
            return to_sightings(self._recogniser.recognise(picture), now.window, now.time)

        return Decider(self._pile, episode, reading, self._limits, recognise, self._scorer)

    def _cleared(
        self, now: WatchedFrame, view: ComparableView, episode: Episode
    ) -> list[PileEvent]:
        was = self._pile.top
        self._pile.clear()
        self._pile.remember(view, episode.reach)
        self._end()
        decision = PileDecision("cleared", episode.began, {}, None)
        return [] if was is None else self._events([decision], now)

    def _unread(self, now: WatchedFrame, view: ComparableView, episode: Episode) -> list[PileEvent]:
        decisions = []
        if not episode.hidden and (episode.visit.over or not self._pile.known):
            decisions.append(PileDecision("unread", episode.began, {}, None))
            number = self._reported + 1
            self._pile.lay(TopCard({}, now.window.zone, view.view, unread=number))
            self._retries = 0
        self._pile.remember(view, episode.reach)
        self._end()
        return self._events(decisions, now)

    def _events(
        self, decisions: Sequence[PileDecision], now: WatchedFrame, arm: float | None = None
    ) -> list[PileEvent]:
        first = self._reported + 1
        self._reported += len(decisions)
        return [
            PileEvent(
                number,
                one.kind,
                one.seen,
                now.time,
                one.probabilities,
                None if one.corners is None else now.window.to_frame(one.corners),
                one.likelihoods,
                one.resolves,
                arm,
            )
            for number, one in enumerate(decisions, first)
        ]
