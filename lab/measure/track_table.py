"""What is told at rendered tables where hands do one thing after another, for measuring."""

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import cv2

from hardware.camera.deck import cards_of
from hardware.camera.pipeline import Pipeline
from hardware.camera.recognise import CardRecogniser
from hardware.camera.setup.follow_mat import MatFollower
from hardware.camera.source import Frame
from hardware.camera.track.events import PileEvent
from hardware.camera.types import Recogniser
from lab.clips.tabletop import Action
from lab.virtual_camera.camera import VirtualCamera
from lab.virtual_camera.mat_setting import random_mat_setting

SIZE, RATE = (1280, 720), 15.0
SIDES = (0.0, 90.0, 180.0, 270.0)
"""From where hands come, in degrees."""
PAUSE = 0.7
"""So long all has to be quiet before the next hand comes, in seconds."""
# What was done, what was told, and how often.
Counts = Counter[tuple[str, str]]
Handle = Callable[[int, int, Recogniser], Counts]


class WatchedTable:
    """A table of its own for each seed, and the whole of the watching over it.

    Args:
        seed: The table, the light, and how hands move.
        recogniser: Reads its cards.
    """

    def __init__(self, seed: int, recogniser: Recogniser) -> None:
        self._pipeline = Pipeline(recogniser, MatFollower(), live=False)
        self._camera = VirtualCamera(random_mat_setting(seed, SIZE, RATE))

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


def measure(
    name: str, about: str | None, ruleset: str, handle: Handle, argv: Sequence[str] | None
) -> int:
    """A command that lets hands do things at some tables and prints what was told.

    Args:
        name: The command's, below ``hardware.camera.track``.
        about: What it is for.
        ruleset: Whose deck is laid.
        handle: What happens at a table, given its seed, how many hands and what reads its cards.
        argv: The command's arguments.
    """
    parser = argparse.ArgumentParser(f"python -m hardware.camera.track.{name}", description=about)
    parser.add_argument("--tables", type=int, default=10, help="how many (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="the first one's (%(default)s)")
    parser.add_argument("--hands", type=int, default=15, help="at each (%(default)s)")
    args = parser.parse_args(argv)
    cv2.setNumThreads(1)
    recogniser = CardRecogniser(cards_of(ruleset))
    total: Counts = Counter()
    for seed in range(args.seed, args.seed + args.tables):
        total += handle(seed, args.hands, recogniser)
    for (what, told), count in sorted(total.items()):
        sys.stdout.write(f"{what:10} told: {told:20} {count:5}\n")
    return 0
