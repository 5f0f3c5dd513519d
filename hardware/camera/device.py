"""The camera as a device of the gateway: a thread that watches the pile and tells the sink."""

import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from hardware.camera.deck_recogniser import matcher_of, recogniser_of
from hardware.camera.decks import RULESETS, cards_of
from hardware.camera.enrol.capture import FaceCapturer
from hardware.camera.learn.learner import LearnOptions, TableLearner
from hardware.camera.learn.recall import LearntFaces
from hardware.camera.pipeline import STOPPED, Pipeline, Sight, pile_body, sight_body, warnings_body
from hardware.camera.reading.locate import Locator
from hardware.camera.reading.other_deck import warning
from hardware.camera.reading.recognise import MODELS, CardRecogniser, ModelError
from hardware.camera.setup.find_pile import PileFinder
from hardware.camera.setup.follow import Follower, PilePosition
from hardware.camera.setup.storage import SetupError, load_setup_for, setup_file
from hardware.camera.setup.unrest import Sign
from hardware.camera.source import Frame, Source, SourceError, open_source
from hardware.camera.stats import WatchStats
from hardware.camera.types import Picture, Recogniser
from hardware.camera.upkeep import Upkeep
from hardware.device import ThreadedDevice, log
from hardware.observation import CardLabel, DeviceStatus, Hint, Memory, Observation
from hardware.retry import Retry
from hardware.times import utc

_NAMES = ("source", "ruleset", "setup", "models", "faces", "learn", "learnt", "table", "lock")
LEARN = ("table", "deck", "off")
"""What faces are learnt for: this table, every table here with its deck, or not at all."""


@dataclass(frozen=True, slots=True)
class CameraOptions:
    """Options of a camera, named as for ``referee-table camera``; None means the default.

    ``lock``: keep focus, exposure and white balance as they are once the picture is good.
    """

    source: str
    ruleset: str | None = None
    setup: Path | None = None
    models: Path = MODELS
    faces: Path | None = None
    learn: LearnOptions | None = None
    lock: bool = True

    def recogniser(
        self, environ: Mapping[str, str], learnt: Sequence[LearntFaces] = ()
    ) -> CardRecogniser:
        """Return the recogniser of its cards. Raises ModelError."""
        return recogniser_of(self.ruleset, environ, self.models, self.faces, learnt)


def read_options(options: Mapping[str, Any]) -> CameraOptions:
    """Parse the options. Raises ValueError with a sentence for people."""
    unknown = sorted(options.keys() - set(_NAMES))
    if unknown:
        raise ValueError(f"there is no option {unknown[0]!r}; there are {', '.join(_NAMES)}")
    source = options.get("source", "0")
    if isinstance(source, int) and not isinstance(source, bool):
        source = str(source)
    if not isinstance(source, str) or not source.strip():
        raise ValueError('source is a camera\'s number as "0", an address, or a file')
    try:
        open_source(source)
    except SourceError as error:
        raise ValueError(f"source: {error}") from None
    ruleset = options.get("ruleset")
    if ruleset is not None and ruleset not in RULESETS:
        raise ValueError(f"ruleset is one of {', '.join(sorted(RULESETS))}, not {ruleset!r}")
    setup, models, faces = (_path(options, name) for name in ("setup", "models", "faces"))
    lock = options.get("lock", True)
    if not isinstance(lock, bool):
        raise ValueError(f"lock is true or false, not {lock!r}")
    learn = _learn(options, ruleset)
    return CameraOptions(source, ruleset, setup, models or MODELS, faces, learn, lock)


def _learn(options: Mapping[str, Any], ruleset: str | None) -> LearnOptions | None:
    """Return where faces are learnt; None if they are not, or without a deck to learn."""
    learn, file, table = (options.get(name) for name in ("learn", "learnt", "table"))
    if learn is not None and learn not in LEARN:
        raise ValueError(f"learn is one of {', '.join(LEARN)}, not {learn!r}")
    if learn == "off" or file is None or table is None or ruleset is None:
        return None
    return LearnOptions(Path(file), str(table), ruleset, shared=learn == "deck")


def _path(options: Mapping[str, Any], name: str) -> Path | None:
    text = options.get(name)
    if text is None:
        return None
    if not isinstance(text, str) or not text:
        raise ValueError(f"{name} is a path in quotes, not {text!r}")
    return Path(text).expanduser()


REOPEN_AFTER = 5.0  # seconds before a source that failed is opened again
REFRESH_EVERY = 2.0  # seconds between looks whether somebody has asked to forget faces
STATES = {None: "online", "no-pile": "silent", "no-pictures": "gone"}


@dataclass(frozen=True, slots=True)
class Feed:
    """Pictures from elsewhere than the source that the options name.

    ``follower`` makes what finds the pile in them, for a recogniser. ``shown`` is called after each
    look, in the camera's thread; its frame is None if none came.
    """

    source: Source
    follower: Callable[[Recogniser], Follower]
    shown: Callable[[Pipeline, Upkeep, Frame | None], None]


class Camera(ThreadedDevice):
    """A camera over the discard pile.

    ``tape``, if set, is given every picture for a recording: with its time on the monotonic clock,
    and where the piles are in it.
    """

    EXPECTED_ERRORS = (SourceError, SetupError, ModelError)
    pictures = True

    def __init__(
        self,
        name: str,
        options: CameraOptions,
        recogniser: Recogniser | None = None,
        feed: Feed | None = None,
    ) -> None:
        super().__init__(name, Retry(REOPEN_AFTER, REOPEN_AFTER))
        self._options = options
        self._feed = feed
        self._recogniser = recogniser
        self._learner: TableLearner | None = None
        self._labels: SimpleQueue[Sequence[CardLabel]] = SimpleQueue()
        self._refreshed = 0.0
        self._again = threading.Event()
        self.tape: Callable[[Picture, float, PilePosition], None] | None = None
        self._told_before = self._told = 0
        self._sight: Sight | None = None
        self._warned: tuple[Sign, ...] = ()
        self._figures = WatchStats()
        self._upkeep = Upkeep(None)

    def indicate(self, hints: Sequence[Hint]) -> None:
        """Do nothing: a camera has no lights."""

    def learn(self, labels: Sequence[CardLabel]) -> None:
        """Learn from what earlier observations turned out to be; another thread may call it."""
        self._labels.put(labels)

    def tell_again(self) -> None:
        """Report what is seen as if for the first time; another thread may call it."""
        self._again.set()

    def _restore(self, memory: Memory) -> None:
        self._told_before = self._told = int(memory.get("number", 0))

    def _observe(self) -> None:
        if self._recogniser is None:
            self._recogniser = self._prepared()
        with self._source() as source:
            follower = self._follower(source, self._recogniser)
            pipeline = Pipeline(self._recogniser, follower, live=source.live)
            # Another watching counts from 1 again.
            self._told_before = self._told
            clock = _Clock(source)
            self._upkeep = Upkeep(source.controls if self._options.lock else None)
            try:
                self._watch(source, pipeline, clock)
            finally:
                self._upkeep.close()
            if not source.live:
                # It would show the same again.
                self._idle(float("inf"))

    def _watch(self, source: Source, pipeline: Pipeline, clock: "_Clock") -> None:
        """Watch until told to stop, or the source ends."""
        while not (self._stopping.is_set() or source.ended):
            frame = source.read(0.25)
            if self._again.is_set():
                self._again.clear()
                self._sight = None
                pipeline.tell_again()
            if frame is not None:
                self._stopping.wait(clock.ahead(frame))
                self._look(pipeline, frame, clock)
                self._upkeep.look(
                    frame,
                    busy=pipeline.busy,
                    covered=pipeline.covered,
                    tremble=pipeline.tremble,
                )
                if self.tape is not None and pipeline.position is not None:
                    self.tape(frame.picture, clock.moment(frame), pipeline.position)
            elif source.live:
                pipeline.missing(time.monotonic())
            else:
                pipeline.ended()
            self._see(pipeline.sight)
            self._poll()
            self._report(pipeline, source, frame)
            if self._feed is not None:
                self._feed.shown(pipeline, self._upkeep, frame)

    def _prepared(self) -> Recogniser:
        """Return the recogniser, which learns if the options say so. Raises ModelError."""
        options = self._options
        if options.learn is None:
            return options.recogniser(os.environ)
        matcher = matcher_of(options.models)
        faces = LearntFaces(matcher, cards_of(options.learn.ruleset))
        recogniser = options.recogniser(os.environ, (faces,))
        capturer = FaceCapturer(Locator(options.models / "locator.onnx"), matcher)
        self._learner = TableLearner(options.learn, faces, recogniser, capturer)
        return recogniser

    def _source(self) -> AbstractContextManager[Source]:
        return open_source(self._options.source) if self._feed is None else self._feed.source

    def _follower(self, source: Source, recogniser: Recogniser) -> Follower:
        if self._feed is not None:
            return self._feed.follower(recogniser)
        file = self._options.setup or setup_file(os.environ)
        before = load_setup_for(file, source.name)
        return PileFinder(recogniser) if before is None else before.follower()

    def _look(self, pipeline: Pipeline, frame: Frame, clock: "_Clock") -> None:
        begun = time.perf_counter()
        events = pipeline.take(frame)
        self._figures.add(frame, time.perf_counter() - begun, len(events))
        # That the pile is seen again comes before what is seen.
        self._see(pipeline.sight, clock.seconds(frame.at))
        for event in events:
            self._told = self._told_before + event.number
            self._say(clock.seconds(event.seen), pile_body(event, self._told_before))
        if self._learner is not None and not pipeline.busy:
            self._learner.saw(events, self._told_before, frame.picture, pipeline.pile)

    def _see(self, sight: Sight, at: float | None = None) -> None:
        """Tell whether the pile is seen, if that is news, since ``at``; by default since now."""
        at = time.time() if at is None else at
        before, self._sight = self._sight, sight
        told = before is not None and (before.state, before.reason) == (sight.state, sight.reason)
        if sight.state != "starting" and not told:
            log.info("%s: %s %s", self.name, sight.state, sight.detail)
            self._warned = ()
            self._say(at, sight_body(sight))
        if sight.state == "watching" and self._upkeep.warnings != self._warned:
            self._warned = self._upkeep.warnings
            log.info("%s: %s", self.name, self._upkeep.sentence() or "nothing disturbs it any more")
            self._say(at, warnings_body(self._warned))

    def _say(self, at: float, body: Mapping[str, Any]) -> None:
        self._queue.add([Observation(utc(at), body)])

    def _poll(self) -> None:
        self._queue.flush({"number": self._told})
        if self._learner is None:
            return
        try:
            while True:
                self._learner.learn(self._labels.get_nowait())
        except Empty:
            pass
        if self._clock() - self._refreshed >= REFRESH_EVERY:
            self._refreshed = self._clock()
            self._learner.refresh()

    def _run(self) -> None:
        super()._run()
        if self._sight is not None and self._sight.reason != "no-pictures":
            self._say(time.time(), STOPPED)
        self._queue.flush({"number": self._told}, at_once=True)
        if self._learner is not None:
            self._learner.close()

    def _lost(self, detail: str) -> None:
        if self._status.detail != detail:
            log.info("%s is gone: %s", self.name, detail)
        self._see(Sight("blind", "no-pictures", detail))
        self._status = DeviceStatus("gone", detail, {}, self._figures.counts(len(self._queue)))

    def _report(self, pipeline: Pipeline, source: Source, frame: Frame | None) -> None:
        sight = pipeline.sight
        state = "starting" if sight.state == "starting" else STATES[sight.reason]
        doubt = warning(pipeline.other_decks) or self._upkeep.sentence()
        detail = self._queue.trouble or source.trouble or sight.detail or doubt
        if not detail and frame is not None:
            height, width = frame.picture.shape[:2]
            locked = f"; {self._upkeep.locked}" if self._upkeep.locked else ""
            detail = f"{source.name}, {width} × {height} pixels{locked}"
        elif not detail:
            detail = self._status.detail
        sees = {} if pipeline.card is None else {"on top": pipeline.card}
        figures = self._figures.counts(len(self._queue))
        if self._learner is not None:
            figures = {**figures, "faces learnt": self._learner.learnt}
            detail = self._learner.trouble or detail
        self._status = DeviceStatus(state, detail, {}, figures, sees)


class _Clock:
    """Converts a source's times; a film is shown at its own speed."""

    def __init__(self, source: Source) -> None:
        self._live = source.live
        self._first: tuple[float, float] | None = None

    def ahead(self, frame: Frame) -> float:
        """Return the seconds to wait until it is time for the frame."""
        if self._live:
            return 0.0
        now = time.monotonic()
        if self._first is None:
            self._first = (frame.at, now)
        at, began = self._first
        return max(0.0, began + frame.at - at - now)

    def moment(self, frame: Frame) -> float:
        """A frame's time on the monotonic clock."""
        if self._live or self._first is None:
            return frame.at
        return frame.at - self._first[0] + self._first[1]

    def seconds(self, at: float) -> float:
        """A moment in the source's time, in seconds since 1970."""
        if not self._live and self._first is not None:
            at = at - self._first[0] + self._first[1]
        return time.time() - (time.monotonic() - at)


def camera(name: str, options: Mapping[str, Any]) -> Camera:
    """The camera of these options (``CameraOptions``), not started. Raises ValueError."""
    return Camera(name, read_options(options))
