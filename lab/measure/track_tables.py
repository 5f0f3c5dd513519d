"""Track rendered tables where hands do one thing after another, and count the events reported.

``equal`` lays cards equal to the top card, and disturbs the pile; where the tracker cannot decide,
its readings are listed, the likeliest first. ``drawpile`` lays cards, turns cards up from the draw
pile and draws, and asks where each laid card came from.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import cv2
import numpy as np

from hardware.camera.decks import cards_of
from hardware.camera.pipeline import Pipeline
from hardware.camera.reading.recognise import CardRecogniser
from hardware.camera.setup.follow import MatFollower
from hardware.camera.source import Frame
from hardware.camera.track.events import PileEvent
from hardware.camera.types import Recogniser
from lab.films.staging.deeds import Writer
from lab.virtual_camera.camera import Deed, VirtualCamera
from lab.virtual_camera.mat_setting import random_mat_setting
from lab.virtual_camera.steps import lay

SIZE, RATE = (1280, 720), 15.0
SIDES = (0.0, 90.0, 180.0, 270.0)
"""Directions that hands come from, in degrees."""
PAUSE = 0.7
"""Seconds of quiet before the next hand."""
LAID = ("blue-3", "green-7", "yellow-2", "red-9")
LAID_AGAIN = (*LAID, "wild", "wild-draw-four", "blue-skip")
DISTURBED: dict[str, Deed] = {
    "pushed": lambda table: table.nudge("pile"),
    "top pushed": lambda table: table.nudge("top"),
    "tidied": Writer.square_up,
    "passed": Writer.pass_over,
    "hovered": lambda table: table.hover(0.6),
    "put back": Writer.put_back,
}
Counts = Counter[tuple[str, str]]
"""How often a deed led to a report."""
Scenario = Callable[[int, int, Recogniser], Counts]
"""Plays a table, given its seed, the number of hands and the card reader."""


class WatchedTable:
    """A random table, filmed and tracked; the seed selects table, light and movements."""

    def __init__(self, seed: int, recogniser: Recogniser) -> None:
        self._pipeline = Pipeline(recogniser, MatFollower(), live=False)
        self._camera = VirtualCamera(random_mat_setting(seed, SIZE, RATE))

    def do(self, deed: Deed) -> Iterator[PileEvent]:
        """Do something, and yield the events until the table is quiet again."""
        self._camera.do(deed)
        quiet = 0.0
        while quiet < PAUSE:
            frame = self._camera.next()
            if frame is None:
                continue
            yield from self._pipeline.take(Frame(frame.picture, frame.time, frame.number))
            busy = self._camera.busy or self._pipeline.busy
            quiet = 0.0 if busy else quiet + 1 / RATE


def equal(argv: Sequence[str]) -> int:
    """Run ``python -m lab.measure equal``."""
    return _run("equal", "classic-108", _equal_cards, argv)


def drawpile(argv: Sequence[str]) -> int:
    """Run ``python -m lab.measure drawpile``."""
    return _run("drawpile", "color-powers", _drawn_cards, argv)


def _equal_cards(seed: int, hands: int, recogniser: Recogniser) -> Counts:
    counts: Counts = Counter()
    rng = np.random.default_rng([seed, 71])
    table = WatchedTable(seed, recogniser)
    card = ""
    for _ in range(hands):
        card = str(rng.choice([name for name in LAID_AGAIN if name != card]))
        list(table.do(_lay(card, rng)))
        name, deed = "laid", _lay(card, rng)
        if rng.random() < 0.5:
            name = str(rng.choice([*DISTURBED]))
            deed = DISTURBED[name]
        events = [" or ".join(event.readings) or event.kind for event in table.do(deed)]
        counts[name, " + ".join(events) or "nothing"] += 1
    return counts


def _lay(card: str, rng: np.random.Generator) -> Deed:
    side, brisk = float(rng.choice(SIDES)), float(rng.uniform(0.9, 1.7))
    return lay(card, brisk, side)


def _drawn_cards(seed: int, hands: int, recogniser: Recogniser) -> Counts:
    counts: Counts = Counter()
    rng = np.random.default_rng([seed, 67])
    table = WatchedTable(seed, recogniser)
    list(table.do(lay("red-5")))
    for _ in range(hands):
        card, side = str(rng.choice(LAID)), float(rng.choice(SIDES))
        brisk = float(rng.uniform(0.9, 1.7))
        choices: dict[str, Deed] = {
            "laid": lay(card, brisk, side),
            "turned up": lay(card, brisk, side, drawn=True),
            "drawn": partial(Writer.draw, brisk=brisk, seat=side),
        }
        name = str(rng.choice([*choices]))
        events = [event for event in table.do(choices[name]) if event.kind == "placed"]
        counts[name, ", ".join(_origin(event.drawn) for event in events) or "no card"] += 1
    return counts


def _origin(drawn: float | None) -> str:
    if drawn is None:
        return "not known"
    return "from the draw pile" if drawn > 0.5 else "from the hand"


def _run(name: str, ruleset: str, scenario: Scenario, argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(f"python -m lab.measure {name}", description=__doc__)
    parser.add_argument("--tables", type=int, default=10, help="number of tables (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the first table (%(default)s)")
    parser.add_argument("--hands", type=int, default=15, help="per table (%(default)s)")
    args = parser.parse_args(argv)
    cv2.setNumThreads(1)
    recogniser = CardRecogniser(cards_of(ruleset))
    total: Counts = Counter()
    for seed in range(args.seed, args.seed + args.tables):
        total += scenario(seed, args.hands, recogniser)
    for (action, report), count in sorted(total.items()):
        sys.stdout.write(f"{action:10} told: {report:20} {count:5}\n")
    return 0
