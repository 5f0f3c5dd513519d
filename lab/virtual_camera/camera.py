"""A camera above a simulated table."""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Self

import cv2
import numpy as np

from hardware.virtual_board.loop import Act, Loop, Schedule
from hardware.virtual_board.ports import PortError
from lab.films.drawn import CARDS, drawn_stage
from lab.films.film import FilmFrame
from lab.films.ground_truth import TrueEvent
from lab.films.staging.deeds import Writer
from lab.films.staging.moment import Optics
from lab.films.staging.people import random_person
from lab.films.staging.script import Habits
from lab.films.staging.sensor import Camera
from lab.films.staging.shooting import Shooting
from lab.films.staging.timeline import Timeline
from lab.virtual_camera.faults import NO_FAULTS, PictureFaults, garbled, unsteady
from lab.virtual_camera.mat_setting import PILE_AREA, TableSetting
from lab.virtual_camera.port import PicturePort

Told = Callable[[Mapping[str, Any]], None]
Deed = Callable[[Writer], None]
"""Something done at the table: what happens is written as soon as it begins."""
LATE_FRAMES = 3
"""Frames behind the clock from which drawing is skipped."""
PLUG_AGAIN_S = 0.25


class VirtualCamera:
    """A table with a camera above it; thread-safe.

    Hands take turns at the pile: each begins when the one before it has left. After ``start`` the
    simulation follows the clock and serves pictures at ``port``; without it, ``next`` returns one
    frame after another, as fast as they can be drawn.

    Args:
        speed: Speed of the simulation relative to the clock.
        tell: Called for each true event, and again when its result becomes visible.
        clock: Seconds, for tests.

    Attributes:
        covered: Whether something covers the lens.
        frozen: Whether no pictures come.
        stuck: Whether the same picture repeats.
    """

    def __init__(
        self,
        setting: TableSetting,
        port: PicturePort | None = None,
        *,
        speed: float = 1.0,
        tell: Told | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if not 0.01 <= speed <= 100:
            raise ValueError("the speed is from 0.01 to 100")
        self.writer, self._lighting = _writer(setting), setting.lighting
        region = setting.eye.place_of(*PILE_AREA)
        stage = drawn_stage(setting.eye, region, setting.table, setting.faces, setting.seed)
        camera = Camera(setting.sensor, setting.eye.size, setting.seed)
        self.shooting = Shooting(
            stage, setting.eye, region, self.writer, camera, setting.rate, Optics()
        )
        self.port = port or PicturePort()
        self.faults: PictureFaults = NO_FAULTS
        self.covered = self.frozen = self.stuck = False
        self.pictures = self.skipped = 0
        self._rng = np.random.default_rng([setting.seed, 41])
        self._hands: deque[Deed] = deque()
        self._schedule = Schedule()
        self._last: FilmFrame | None = None
        self._late: deque[tuple[float, bytes]] = deque()
        self._tell = tell
        self._told = 0
        self._unseen: dict[int, TrueEvent] = {}
        self._speed = speed
        self._clock = clock
        self._began: float | None = None
        self._lock = threading.RLock()
        self._loop = Loop(lambda: self.turn() / 1000 / speed, list)

    # Running

    def start(self) -> Self:
        """Plug in, and run in a thread. Raises PortError."""
        self.port.plug()
        self._loop.start("virtual-camera")
        return self

    def close(self) -> None:
        """Stop, and close the port. Re-raises a failure of drawing."""
        self._loop.stop()
        self.port.unplug()
        if self._loop.failure:
            raise self._loop.failure

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    def now_ms(self) -> float:
        """Return the simulated time in ms."""
        return self.shooting.time * 1000

    def at(self, due_ms: float, act: Act) -> None:
        """Schedule an act for the next frame at or after that time."""
        with self._lock:
            self._schedule.add(due_ms, act)

    def turn(self) -> float:
        """Advance to the present; return the simulated ms until the next frame."""
        with self._lock:
            if self._began is None:
                self._began = self._clock()
            passed = (self._clock() - self._began) * 1000 * self._speed
            step = 1000 / self.shooting.rate
            behind = passed - self.shooting.number * step
            if behind >= 0:
                draw = self.port.readers > 0 and behind < LATE_FRAMES * step
                frame = self.next(draw=draw)
                self._publish(frame)
                behind -= step
            return max(0.0, -behind)

    def next(self, *, draw: bool = True) -> FilmFrame | None:
        """Advance by a frame and return its picture, or None if the camera gives none.

        Without ``draw`` no picture is rendered.
        """
        with self._lock:
            while act := self._schedule.pop_due(self.now_ms()):
                act()
            if self._hands and not self._acting:
                self._write(self._hands.popleft())
            frame = self._frame() if draw else None
            if frame is None:
                self.shooting.look()
                self.skipped += 1
            self._say()
            self.shooting.tick()
            return frame

    def since(self, moment: float) -> float:
        """Return how many clock seconds ago a simulated moment was; 0 before ``start``."""
        if self._began is None:
            return 0.0
        return self._clock() - self._began - moment / self._speed

    # Hands at the table

    def do(self, deed: Deed, *, at_once: bool = False) -> None:
        """Queue a deed after those under way, or start it at once."""
        with self._changing():
            if at_once:
                self._write(deed)
            else:
                self._hands.append(deed)

    def film(self, *deeds: Deed) -> Iterator[FilmFrame]:
        """Yield the frames, as fast as they can be drawn, while deeds are done."""
        for deed in deeds:
            self.do(deed)
        while self.busy:
            if (frame := self.next()) is not None:
                yield frame

    @property
    def busy(self) -> bool:
        """Whether a hand is over the table or queued."""
        with self._lock:
            return self._acting or bool(self._hands)

    @property
    def top(self) -> str | None:
        """The true top card."""
        with self._lock:
            pile = self.shooting.moment.pile
            return pile[-1].card if pile else None

    def relit(self, level: float) -> None:
        """Change the light to a share of what it was at first."""
        with self._changing():
            timeline, light = self.writer.timeline, self._lighting.times(level)
            timeline.lighting = replace(timeline.lighting, lamp=light.lamp, around=light.around)

    # The camera and its cable

    def set_faults(self, **changes: Any) -> None:
        """Change fields of ``PictureFaults``. Raises ValueError."""
        with self._changing():
            self.faults = replace(self.faults, **changes)

    def mend(self) -> None:
        """Remove all faults of the pictures."""
        with self._changing("lens"):
            self.faults = NO_FAULTS
            self.covered = self.frozen = self.stuck = False

    def unplug(self, seconds: float | None = None) -> None:
        """Pull the cable, for good or for some seconds."""
        with self._changing("cable"):
            self.port.unplug()
            self._later("cable", seconds, self._plug_or_wait)

    def plug(self) -> None:
        """Plug the cable in. Raises PortError."""
        with self._changing("cable"):
            self.port.plug()

    def hide(self, seconds: float | None = None) -> None:
        """Cover the lens, for good or for some seconds."""
        self._lens("covered", seconds)

    def freeze(self, seconds: float | None = None) -> None:
        """Stop giving pictures, for good or for some seconds."""
        self._lens("frozen", seconds)

    def stick(self, seconds: float | None = None) -> None:
        """Repeat the same picture, for good or for some seconds."""
        self._lens("stuck", seconds)

    # What can be seen

    def view(self) -> dict[str, Any]:
        """Return the whole state. Re-raises a failure of drawing."""
        if self._loop.failure:
            raise self._loop.failure
        with self._lock:
            moment = self.shooting.moment
            return {
                "now_ms": round(self.now_ms(), 1),
                "pile": [sheet.card for sheet in moment.pile],
                "hands": len(moment.guests),
                "busy": self.busy,
                "plugged": self.port.plugged,
                "readers": self.port.readers,
                "pictures": self.pictures,
                "skipped": self.skipped,
                "covered": self.covered,
                "frozen": self.frozen,
                "stuck": self.stuck,
                "faults": self.faults.as_dict(),
            }

    # Inside

    @property
    def _acting(self) -> bool:
        return self.writer.now > self.shooting.time

    def _write(self, deed: Deed) -> None:
        """Let a deed begin now; the next one waits for whatever ends last."""
        ends, self.writer.now = self.writer.now, self.shooting.time
        deed(self.writer)
        self.writer.now = max(ends, self.writer.now)

    def _frame(self) -> FilmFrame | None:
        if self.frozen or not self._given():
            return None
        if self.stuck and self._last is not None:
            return replace(self._last, number=self.shooting.number, time=self.shooting.time)
        frame = self.shooting.take(covered=self.covered)
        shown = unsteady(frame.picture, self.faults, frame.time, self._rng)
        frame = replace(frame, picture=shown)
        self._last = frame
        self.pictures += 1
        return frame

    def _given(self) -> bool:
        if self.shooting.number % self.faults.every:
            return False
        return not self.faults.drop or bool(self._rng.random() >= self.faults.drop)

    def _publish(self, frame: FilmFrame | None) -> None:
        if frame is not None:
            quality = [cv2.IMWRITE_JPEG_QUALITY, round(self.faults.quality)]
            done, data = cv2.imencode(".jpg", frame.picture, quality)
            if done:
                jpeg = garbled(data.tobytes(), self.faults.garble, self._rng)
                self._late.append((self.now_ms() + self.faults.lag_ms, jpeg))
        while self._late and self._late[0][0] <= self.now_ms():
            self.port.publish(self._late.popleft()[1])

    def _say(self) -> None:
        """Report new true events, and those whose result became visible."""
        happened = self.shooting.happened
        for number in range(self._told, len(happened)):
            event = happened[number]
            self._unseen[number] = event
            if self._tell:
                self._tell(
                    {
                        "number": number + 1,
                        "kind": event.kind,
                        "card": event.card,
                        "at": round(event.at, 4),
                    }
                )
        self._told = len(happened)
        for number, event in list(self._unseen.items()):
            if event.clear is not None:
                del self._unseen[number]
                if self._tell:
                    self._tell({"number": number + 1, "clear": round(event.clear, 4)})

    def _lens(self, what: str, seconds: float | None) -> None:
        with self._changing("lens"):
            setattr(self, what, True)
            self._later("lens", seconds, lambda: setattr(self, what, False))

    def _changing(self, what: str = "") -> threading.RLock:
        """Return the lock, after cancelling what was scheduled for ``what``."""
        if self._loop.failure:
            raise self._loop.failure
        with self._lock:
            self._schedule.call_off(what)
        return self._lock

    def _later(self, what: str, seconds: float | None, act: Act) -> None:
        if seconds is not None:
            self._schedule.expect(what, self.now_ms() + seconds * 1000, act)

    def _plug_or_wait(self) -> None:
        """Plug in; retry while another program holds the port."""
        try:
            self.port.plug()
        except PortError:
            self._later("cable", PLUG_AGAIN_S, self._plug_or_wait)


def _writer(setting: TableSetting) -> Writer:
    """Return what is to be done at the table, with four people around it."""
    rng = np.random.default_rng([setting.seed, 12])
    people = [(random_person(rng), turn) for turn in (0.0, 90.0, 180.0, 270.0)]
    timeline = Timeline(setting.lighting, beside=setting.beside)
    writer = Writer(timeline, rng, Habits(), people, CARDS)
    for card in setting.pile:
        writer.stack(card)
    return writer
