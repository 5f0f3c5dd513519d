"""The pile watched over time: frames in, events out. No input, no output, no clock of its own."""

from collections.abc import Sequence

from hardware.camera.track.blank_frame import is_blank, is_dark_table
from hardware.camera.track.change import ComparableView, changed, comparable, share
from hardware.camera.track.decision import PileDecision, TopReading, decide
from hardware.camera.track.empty import is_empty
from hardware.camera.track.episode import Episode
from hardware.camera.track.events import PileEvent
from hardware.camera.track.motion import MotionDetector
from hardware.camera.track.pile import TrackedPile
from hardware.camera.track.reading import TopVote
from hardware.camera.track.rotated_reread import (
    combine_readings,
    is_doubtful,
    looks_different,
    recognise_rotated,
)
from hardware.camera.track.sightings import (
    WHOLE,
    CardSighting,
    lies_in,
    to_sightings,
    topmost,
    without_covered,
)
from hardware.camera.track.thresholds import Thresholds
from hardware.camera.track.top_cards import TopCard
from hardware.camera.track.window import Window, window_onto
from hardware.camera.types import Corners, Picture, Recogniser


class PileWatcher:
    """Watches a pile of cards.

    It is given every frame in order, by ``watch``; the recogniser is asked only when the pile is
    still after a change. One watcher is used from one thread.

    Args:
        recogniser: Reads cards.
        limits: The thresholds.
    """

    def __init__(self, recogniser: Recogniser, limits: Thresholds | None = None) -> None:
        self._recogniser = recogniser
        self._limits = limits or Thresholds()
        self._told = 0
        self.forget()

    def forget(self) -> None:
        """Begin anew, as with another camera; the top will be told as "found"."""
        self._motion = MotionDetector(self._limits)
        self._pile = TrackedPile(self._limits)
        self._window: Window | None = None
        self._time: float | None = None
        self._episode: Episode | None = None
        self._reading: TopVote | None = None
        self._fresh: tuple[float, Picture] | None = None
        self._retries = 0

    @property
    def top(self) -> TopCard | None:
        """What is known of the card on top; None if there is none or nothing was seen yet."""
        return self._pile.top

    @property
    def busy(self) -> bool:
        """Whether something moves, or is being read."""
        return self._episode is not None

    def watch(self, frame: Picture, time: float, region: Corners) -> list[PileEvent]:
        """Take a frame. One that shows nothing, black or of one colour, is as good as lost.

        Args:
            frame: The camera's picture, (height, width, 3).
            time: When it was taken, in seconds; never less than before.
            region: Corners of the pile's place in this frame, (4, 2), in order around it. All of
                the pile should lie inside. When the camera was moved, it may move along.

        Returns:
            What was decided now, in the order in which it happened.

        Raises:
            ValueError: The region cannot be watched; the text says why.
        """
        window = self._look_through(frame, region)
        view = window.view_of(frame)
        if is_blank(view) and not self._bare(view, window):
            return []
        if self._time is not None and time - self._time > self._limits.gap:
            self._motion.forget()
        self._time = time
        moving = self._motion.moving(view, time)
        if self._episode is None:
            if not moving.any():
                return self._idle(frame, view, time, window)
            self._begin(time, window)
        episode = self._episode
        assert episode is not None  # noqa: S101
        episode.take(view, window.cut(frame), moving, self._motion.just, time)
        if episode.quiet_since is None:
            matrix = episode.camera_moved(view, self._pile, time)
            if matrix is not None:
                self._pile.carry(matrix)
                self._begin(time, window)
                return []
            return self._interrupted(time, window)
        return self._quiet(frame, view, time, window, episode)

    # -- what goes on --

    def _bare(self, view: Picture, window: Window) -> bool:
        before = self._pile.before
        around = 1 - window.filled(window.zone)
        return before is not None and is_dark_table(view, before.view, around)

    def _look_through(self, frame: Picture, region: Corners) -> Window:
        old, new = self._window, window_onto(frame, region, self._limits, self._window)
        if old is not None and old.size != new.size:
            self.forget()
        self._window = new
        return new

    def _begin(self, time: float, window: Window) -> None:
        self._episode = Episode(self._limits, window, self._pile, time)
        self._reading = None
        self._fresh = None

    def _end(self) -> None:
        self._episode = None
        self._reading = None
        self._fresh = None

    def _idle(self, frame: Picture, view: Picture, time: float, window: Window) -> list[PileEvent]:
        """Nothing moves: follow the light, and try again what could not be read."""
        if self._fresh is None:
            self._fresh = (time, view)
        elif time - self._fresh[0] >= self._limits.refresh:
            # What it looked like then is good: nothing has begun to move since.
            self._pile.still(comparable(self._fresh[1], self._limits))
            self._fresh = (time, view)
        top = self._pile.top
        if top is None or top.unread is None or self._retries >= self._limits.retries:
            return []
        reading = self._reading
        if reading is None or reading.timed_out(time):
            self._retries += 1
            reading = self._reading = TopVote(self._limits, time)
        if reading.tries >= self._limits.readings:
            return []
        now = comparable(view, self._limits)
        reading.add(self._read_top(frame, view, None, time, window), now, time)
        if reading.answer() is None:
            return []
        self._begin_again(reading, time, window)
        return self._conclude(time, window)

    def _begin_again(self, reading: TopVote, time: float, window: Window) -> None:
        self._begin(time, window)
        self._reading = reading

    def _interrupted(self, time: float, window: Window) -> list[PileEvent]:
        """Something moves at the pile; what was read just before is not lost."""
        reading = self._reading
        if reading is None or not reading.settled or reading.answer(hurry=True) is None:
            self._reading = None
            return []
        told = self._conclude(time, window, hurry=True)
        self._begin(time, window)
        return told

    def _quiet(
        self, frame: Picture, view: Picture, time: float, window: Window, episode: Episode
    ) -> list[PileEvent]:
        settled = episode.settled(time)
        if self._reading and settled and self._reading.answer() is not None:
            return self._conclude(time, window)
        now = comparable(view, self._limits)
        if self._reading is None and episode.nothing_changed(now, self._pile):
            return self._nothing(now, time, window, episode) if settled else []
        reading = self._reading or TopVote(self._limits, time)
        self._reading = reading
        if not reading.due(time):
            return []
        if reading.would_repeat(now, window.filled(window.zone)):
            reading.repeat(time)
        else:
            news = None
            if self._pile.before is not None and self._pile.top is not None:
                news = changed(self._pile.before, now)
            reading.add(self._read_top(frame, view, news, time, window), now, time)
        if not settled:
            return []
        reading.settled = True
        if reading.answer() is not None:
            return self._conclude(time, window)
        if reading.blank and self._hidden(episode, window) < self._limits.over_pile:
            zone = window.filled(window.zone)
            if is_empty(now, self._pile.empty, zone, self._limits):
                return self._cleared(now, time, window, episode)
        if reading.timed_out(time):
            return self._unread(now, time, window, episode)
        return []

    def _read_top(
        self, frame: Picture, view: Picture, news: Picture | None, time: float, window: Window
    ) -> CardSighting | None:
        picture = window.cut(frame)
        found = to_sightings(self._recogniser.recognise(picture, parts=False), window, time)
        if not self._alone(found, window, news):
            found = to_sightings(self._recogniser.recognise(picture), window, time)
        one = self._topmost(found, view, news, window)
        astray = looks_different(one, self._pile.top, view, self._limits)
        if not astray and not is_doubtful(one, self._limits):
            return one
        again = to_sightings(recognise_rotated(self._recogniser, picture), window, time)
        return combine_readings(one, self._topmost(again, view, news, window), astray=astray)

    def _topmost(
        self, found: Sequence[CardSighting], view: Picture, news: Picture | None, window: Window
    ) -> CardSighting | None:
        on_top = without_covered(found, self._pile.tops(), view, self._limits)
        return topmost(on_top, view, window, news)

    def _alone(self, found: Sequence[CardSighting], window: Window, news: Picture | None) -> bool:
        """Whether this is certainly the top: the one card whose middle shows, and no other can be.

        Then what sticks out below it, most of what there is to read, need not be read.
        """
        if len(found) != 1 or not lies_in(found[0], window):
            return False
        if found[0].chance < self._limits.certain:
            return False
        top = self._pile.top
        if top is None or news is None or found[0].card == top.card:
            return True
        return share(news, window.filled(top.corners)) >= WHOLE

    def _hidden(self, episode: Episode, window: Window) -> float:
        if episode.reach is None:
            return 0.0
        return share(episode.reach, window.filled(window.zone))

    # -- how it ends --

    def _nothing(
        self, now: ComparableView, time: float, window: Window, episode: Episode
    ) -> list[PileEvent]:
        """The pile looks as before."""
        if not episode.all_quiet:
            return []
        told: list[PileDecision] = []
        top, before = self._pile.top, self._pile.before
        if episode.visit.over and top is not None and top.card and before is not None:
            seen = before.view, top.corners
            carried = episode.visit.carried(*seen, self._pile.places, now.view)
            if carried.brought >= self._limits.brought_unseen:
                # An equal card laid exactly on it, or carried away behind the hand.
                told.append(
                    PileDecision(
                        "unsure",
                        episode.began,
                        top.probabilities,
                        top.corners,
                        ("same", "placed"),
                    )
                )
        self._pile.still(now)
        self._end()
        return self._tell(told, time, window)

    def _conclude(self, time: float, window: Window, *, hurry: bool = False) -> list[PileEvent]:
        reading, episode = self._reading, self._episode
        answer = reading.answer(hurry=hurry) if reading else None
        if reading is None or episode is None or answer is None or reading.now is None:
            return []

        def look_up(picture: Picture) -> list[CardSighting]:
            return to_sightings(self._recogniser.recognise(picture), window, time)

        read = TopReading(*answer, reading.now)
        told = decide(self._pile, episode, read, self._limits, look_up)
        # Of two cards laid in one go nobody can say which arm was whose.
        arm = episode.visit.arm() if len(told) == 1 and told[0].kind != "found" else None
        self._end()
        return self._tell(told, time, window, arm)

    def _cleared(
        self, now: ComparableView, time: float, window: Window, episode: Episode
    ) -> list[PileEvent]:
        """No card is there any more, or yet."""
        was = self._pile.top
        self._pile.clear()
        self._pile.still(now, episode.reach)
        self._end()
        if was is None:
            return []
        return self._tell([PileDecision("cleared", episode.began, {}, None)], time, window)

    def _unread(
        self, now: ComparableView, time: float, window: Window, episode: Episode
    ) -> list[PileEvent]:
        """Whatever lies there cannot be read."""
        hidden = self._hidden(episode, window) >= self._limits.over_pile
        told: list[PileDecision] = []
        if not hidden and (episode.visit.over or not self._pile.known):
            told.append(PileDecision("unread", episode.began, {}, None))
            self._pile.lay(TopCard({}, window.zone, now.view, unread=self._told + 1))
            self._retries = 0
        self._pile.still(now, episode.reach)
        self._end()
        return self._tell(told, time, window)

    def _tell(
        self,
        told: Sequence[PileDecision],
        time: float,
        window: Window,
        arm: float | None = None,
    ) -> list[PileEvent]:
        events = []
        for one in told:
            self._told += 1
            corners = None if one.corners is None else window.to_frame(one.corners)
            events.append(
                PileEvent(
                    self._told,
                    one.kind,
                    one.seen,
                    time,
                    one.probabilities,
                    corners,
                    one.readings,
                    one.resolves,
                    arm,
                )
            )
        return events
