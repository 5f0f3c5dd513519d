"""Drawn films from end to end: each card laid, pushed or lifted is reported once."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest

from hardware.camera.reading.recognise import CardRecogniser, ModelError
from hardware.camera.track import PileEvent, PileWatcher, window_of
from hardware.camera.types import Recogniser
from lab.films.drawn import CARDS
from lab.films.ground_truth import TrueEvent
from lab.films.ground_truth_reader import GroundTruthReader, ReaderErrors
from lab.films.staging.deeds import Writer
from lab.films.staging.eye import Eye
from lab.measure.track_score import score_events
from lab.virtual_camera.camera import Deed, VirtualCamera
from lab.virtual_camera.mat_setting import random_mat_setting
from lab.virtual_camera.steps import lay, pause

SIZE, RATE = (640, 360), 30.0
PILE = ("green-4", "blue-2")


@dataclass
class Watched:
    """True and reported events of a film."""

    happened: list[TrueEvent]
    events: list[PileEvent]

    @property
    def reported(self) -> list[tuple[str, str | None]]:
        return [(event.kind, event.card) for event in self.events]


def watched(
    *deeds: Deed,
    seed: int = 3,
    faults: ReaderErrors | None = None,
    reader: Callable[[GroundTruthReader], Recogniser] = lambda truth: truth,
) -> Watched:
    setting = random_mat_setting(seed, SIZE, RATE, restless=0.0, paper=False)
    eye = Eye(SIZE, tilt=12.0, card=0.3)
    camera = VirtualCamera(replace(setting, eye=eye, pile=PILE))
    truth = GroundTruthReader(CARDS, faults or ReaderErrors(doubt=0.0, miss=0.0))
    watcher = PileWatcher(reader(truth))
    events: list[PileEvent] = []
    for frame in camera.film(*deeds):
        shape = frame.picture.shape[:2]
        truth.tell(frame, window_of(frame.region, shape, watcher.limits).crop)
        events += watcher.watch(frame.picture, frame.time, frame.region)
    return Watched(camera.shooting.happened, events)


def test_cards_laid_an_equal_one_too_then_pushed_and_lifted() -> None:
    script = [pause(0.3), lay("red-5"), pause(0.5), lay("red-5"), pause(0.5)]
    script += [lambda table: table.nudge("pile"), pause(0.5), Writer.lift, pause(0.6)]
    seen = watched(*script)
    assert seen.reported == [
        ("found", "blue-2"),
        ("placed", "red-5"),
        ("placed", "red-5"),
        ("lifted", "red-5"),
    ]
    result = score_events(seen.happened, seen.events, 10.0)
    assert all(pair.right for pair in result.pairs)
    assert not result.missed
    assert not result.invented
    assert not result.needless
    assert max(result.latencies("clear")) < 0.5
    assert max(result.latencies("gone")) < 0.2


def test_two_hands_close_behind_each_other_and_a_reader_that_errs() -> None:
    # The networks read a card that lies there for a moment as surely as this.
    faults = ReaderErrors(miss=0.1, doubt=0.1, confuse=0.03, certain=0.9995)
    quick: Deed = lambda table: table.quick("yellow-7", "green-1", (0.2, 0.2))  # noqa: E731
    seen = watched(pause(0.3), quick, pause(0.8), seed=5, faults=faults)
    assert seen.reported[1:] == [("placed", "yellow-7"), ("placed", "green-1")]


def test_a_hand_with_a_card_that_only_hovers() -> None:
    hover: Deed = lambda table: table.hover(0.8, "yellow-7")  # noqa: E731
    seen = watched(pause(0.3), hover, pause(0.6))
    assert seen.reported == [("found", "blue-2")]


def test_the_networks_read_what_is_laid() -> None:
    try:
        reader = CardRecogniser()
    except ModelError as error:
        pytest.skip(str(error))
    seen = watched(pause(0.3), lay("red-5"), pause(0.8), reader=lambda _: reader)
    assert seen.reported == [("found", "blue-2"), ("placed", "red-5")]
