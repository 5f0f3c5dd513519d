"""What is told at a rendered table where a hand does one thing after another, for measuring."""

from collections.abc import Iterator

from hardware.camera.cards import Recogniser
from hardware.camera.pipeline import Pipeline
from hardware.camera.setup.follow_mat import MatFollower
from hardware.camera.source import Frame
from hardware.camera.track.events import PileEvent
from hardware.sim.camera.place import at_the_mat
from hardware.sim.camera.virtual_camera import VirtualCamera
from hardware.sim.clips.stage import Action

SIZE, RATE = (1280, 720), 15.0
SIDES = (0.0, 90.0, 180.0, 270.0)
"""From where hands come, in degrees."""
PAUSE = 0.7
"""So long all has to be quiet before the next hand comes, in seconds."""


class WatchedTable:
    """A table of its own for each seed, and the whole of the watching over it.

    Args:
        seed: The table, the light, and how hands move.
        recogniser: Reads its cards.
    """

    def __init__(self, seed: int, recogniser: Recogniser) -> None:
        self._pipeline = Pipeline(recogniser, MatFollower(), live=False)
        self._camera = VirtualCamera(at_the_mat(seed, SIZE, RATE))

    def do(self, action: Action) -> Iterator[PileEvent]:
        """What is told until all is quiet again."""
        self._camera.do(action)
        quiet = 0.0
        while quiet < PAUSE:
            frame = self._camera.next()
            if frame is None:
                continue
            yield from self._pipeline.take(Frame(frame.picture, frame.time, frame.number))
            busy = self._camera.busy or self._pipeline.busy
            quiet = 0.0 if busy else quiet + 1 / RATE
