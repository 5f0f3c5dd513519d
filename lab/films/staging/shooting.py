"""Takes what a script says frame by frame, with the truth about each frame."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Protocol

import numpy as np

from lab.films.film import FilmFrame
from lab.films.ground_truth import TrueEvent
from lab.films.staging.eye import Array, Eye
from lab.films.staging.moment import Look, Moment, Optics
from lab.films.staging.people import Reach
from lab.films.staging.script import Script
from lab.films.staging.sensor import Camera

COVERED = 14
"""Level of pictures with the lens covered."""


class Stage(Protocol):
    """Draws what one camera sees."""

    def look(self, moment: Moment, optics: Optics) -> Look:
        """Return what is seen of a moment."""


class Shooting:
    """Takes one frame after another of a script, which may still be written meanwhile.

    ``region`` has the corners of the pile's place in pixels, (4, 2); ``happened`` the true events
    so far.
    """

    def __init__(
        self,
        stage: Stage,
        eye: Eye,
        region: Array,
        script: Script,
        camera: Camera,
        rate: float,
        optics: Optics,
    ) -> None:
        self.script, self.rate = script, rate
        self.number = 0
        self.happened: list[TrueEvent] = []
        self._stage, self._eye, self._region = stage, eye, region
        self._camera, self._optics = camera, optics
        self._unseen: list[TrueEvent] = []

    @property
    def time(self) -> float:
        """The time of the frame, in seconds."""
        return self.number / self.rate

    @property
    def moment(self) -> Moment:
        """What stands before the camera."""
        return self.script.timeline.moment(self.time, self._seen)

    def film(self, seconds: float) -> Iterator[FilmFrame]:
        """Yield the frames until a time."""
        for _ in range(int(seconds * self.rate)):
            yield self.take()
            self.tick()

    def tick(self) -> None:
        """Go on to the next frame."""
        self.number += 1
        self.script.timeline.forget(self.time)

    def look(self) -> Look:
        """Return what is seen, and note what has happened and what shows it."""
        time, look = self.time, self._stage.look(self.moment, self._optics)
        due = [event for event in self.script.happened if event.at <= time]
        for event in sorted(due, key=lambda event: event.at):
            self.script.happened.remove(event)
            self._camera.feel(event)
            self.happened.append(event)
            self._unseen.append(event)
        for event in self._unseen:
            if look.clear and event.clear is None:
                event.clear = time
            if look.gone and event.gone is None:
                event.gone = time
        self._unseen = [
            event for event in self._unseen if event.clear is None or event.gone is None
        ]
        return look

    def take(self, *, covered: bool = False) -> FilmFrame:
        """Return the frame, or one of a covered lens."""
        time, look = self.time, self.look()
        wide, high = self._eye.size
        picture = np.full((high, wide, 3), COVERED, np.uint8) if covered else look.draw()
        picture = self._camera.take(picture, time, 0.0 if look.gone else 1.0)
        shift = np.array(self._camera.offset(time))
        cards = () if covered else look.cards
        shifted = tuple(replace(card, corners=card.corners + shift) for card in cards)
        return FilmFrame(picture, time, self.number, shifted, self._region + shift)

    def _seen(self, reach: Reach) -> tuple[float, float]:
        x, y = self._eye.pixels(np.array([[reach.x, reach.y, reach.z]]))[0]
        return float(x), float(y)
