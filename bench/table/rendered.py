"""A rendered and tracked discard pile, in one process and in simulated time."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from hardware.camera.pipeline import WATCHING, Pipeline, pile_body, sight_body
from hardware.camera.setup.follow import MatFollower, PilePosition
from hardware.camera.source import Frame as Shot
from hardware.camera.track import PileEvent, PileWatcher, window_of
from hardware.camera.types import Picture, Recogniser
from lab.films.film import FilmFrame
from lab.films.ground_truth_reader import GroundTruthReader, ReaderErrors
from lab.films.staging.deeds import Writer
from lab.virtual_camera.camera import Deed, VirtualCamera
from lab.virtual_camera.mat_setting import random_mat_setting
from lab.virtual_camera.steps import lay, only_with_pile

Post = Callable[[Mapping[str, Any]], None]
Keep = Callable[[Picture, float], None]
QUIET_S, MOST_S = 0.7, 6.0
"""Seconds of quiet before the next hand, and the most to wait for them."""


class NetworkWatcher:
    """The real pipeline: follows the mat and reads with the networks."""

    def __init__(self, recogniser: Recogniser) -> None:
        self._pipeline = Pipeline(recogniser, MatFollower(), live=False)

    @property
    def busy(self) -> bool:
        """Whether something moves or is being read."""
        return self._pipeline.busy

    @property
    def position(self) -> PilePosition:
        """Where the piles were in the last frame."""
        return self._pipeline.position or PilePosition(None, "searching")

    def take(self, frame: FilmFrame) -> list[PileEvent]:
        """Process a frame; return its events."""
        return self._pipeline.take(Shot(frame.picture, frame.time, frame.number))


class OracleWatcher:
    """The real pile tracker with a ground-truth reader."""

    def __init__(self, deck: tuple[str, ...], faults: ReaderErrors, seed: int) -> None:
        self._oracle = GroundTruthReader(deck, faults, seed)
        self._watcher = PileWatcher(self._oracle)

    @property
    def busy(self) -> bool:
        """Whether something moves or is being read."""
        return self._watcher.busy

    def take(self, frame: FilmFrame) -> list[PileEvent]:
        """Process a frame; return its events."""
        shape = frame.picture.shape[:2]
        self._oracle.tell(frame, window_of(frame.region, shape, self._watcher.limits).crop)
        return self._watcher.watch(frame.picture, frame.time, frame.region)


@dataclass
class Latencies:
    """Seconds to the referee's answer, from three moments.

    ``down``: the card was laid; ``free``: no hand hid it; ``gone``: no hand was over the pile.
    Frame times are simulated, processing times are measured, and frames are processed in order.
    """

    down: list[float] = field(default_factory=list)
    free: list[float] = field(default_factory=list)
    gone: list[float] = field(default_factory=list)


class RenderedPile:
    """The pile (``referee.demo.rounds.camera_table.Pile``).

    ``seed`` selects the table, the light, the print style and the movements. ``post`` posts an
    observation and returns after the referee has answered. ``keep`` gets each picture and its time.
    """

    def __init__(
        self,
        seed: int,
        players: int,
        size: tuple[int, int],
        rate: float,
        watching: NetworkWatcher | OracleWatcher,
        post: Post,
        keep: Keep | None = None,
    ) -> None:
        self.camera = VirtualCamera(random_mat_setting(seed, size, rate))
        self.latencies = Latencies()
        self._players = players
        self._rate = rate
        self._watching = watching
        self._post = post
        self._keep = keep
        self._rng = Random(f"hands/{seed}")
        self._sighted = False
        # Simulated time at which all frames so far are processed.
        self._done = 0.0

    def lay(self, card: str, seat: int | None = None) -> None:
        """Lay a card on top, by a seat's hand or any hand."""
        side = None if seat is None else self._side(seat)
        self._placed(lay(card, self._brisk(), side))

    def turn_up(self, card: str, seat: int) -> None:
        """Turn up the top card of the draw pile onto the pile."""
        self._placed(lay(card, self._brisk(), self._side(seat), drawn=True))

    def draw(self, seat: int) -> None:
        """Take the top card of the draw pile."""
        self.camera.do(lambda table: table.draw(self._brisk(), self._side(seat)))
        self._run()

    def _side(self, seat: int) -> float:
        return 360 * (seat - 1) / self._players

    def _brisk(self) -> float:
        return self._rng.uniform(0.9, 1.7)

    def _placed(self, deed: Deed) -> None:
        done = len(self.camera.shooting.happened)
        self.camera.do(deed)
        answered = self._run("placed")
        happened = self.camera.shooting.happened[done]
        if answered is not None:
            self.latencies.down.append(answered - happened.at)
            if happened.clear is not None:
                self.latencies.free.append(answered - happened.clear)
            if happened.gone is not None:
                self.latencies.gone.append(answered - happened.gone)

    def lift(self) -> None:
        """Take the top card away."""
        self.camera.do(only_with_pile(Writer.lift))
        self._run()

    def clear(self) -> None:
        """Take the whole pile away."""
        self.camera.do(only_with_pile(Writer.clear))
        self._run()

    def disturb(self) -> None:
        """Let a hand do something that is no move."""
        pick = self._rng.choice
        shown, seconds = pick([None, "blue-2"]), self._rng.uniform(0.2, 1.5)
        some: list[Deed] = [
            lambda table: table.nudge("pile"),
            lambda table: table.nudge("top"),
            Writer.square_up,
            lambda table: table.pass_over(shown),
            lambda table: table.hover(seconds),
            Writer.put_back,
        ]
        self.camera.do(only_with_pile(pick(some)))
        self._run()

    def _run(self, awaited: str = "") -> float | None:
        """Run until all is quiet; return when the awaited event was answered."""
        quiet = since = 0.0
        answered: float | None = None
        while quiet < QUIET_S and since < MOST_S:
            frame = self.camera.next()
            if frame is None:
                continue
            if self._keep:
                self._keep(frame.picture, frame.time)
            begun = time.perf_counter() - max(self._done, frame.time)
            for event in self._watching.take(frame):
                self._see()
                self._post(pile_body(event, 0))
                if event.kind == awaited or (awaited and event.kind in ("found", "unsure")):
                    answered = answered or time.perf_counter() - begun
            self._done = time.perf_counter() - begun
            if self.camera.busy:
                quiet = since = 0.0
                continue
            since += 1 / self._rate
            quiet = 0.0 if self._watching.busy else quiet + 1 / self._rate
        return answered

    def _see(self) -> None:
        if not self._sighted:
            self._post(sight_body(WATCHING))
            self._sighted = True
