"""Rendered clips from end to end: each card laid, pushed or lifted is reported once."""

import pytest

from hardware.camera.reading.recognise import CardRecogniser, ModelError
from lab.clips.actions import lay, lift, pause, quick
from lab.clips.disturbances import hover, nudge
from lab.clips.ground_truth_reader import ReaderErrors
from lab.measure.track_score import score_events
from tests.lab.clips.filmed import clip, watched


def test_cards_laid_an_equal_one_too_then_pushed_and_lifted() -> None:
    script = [pause(0.3), lay("red-5"), pause(0.5), lay("red-5"), pause(0.5)]
    seen = watched(clip([*script, nudge(), pause(0.5), lift(), pause(0.6)]))
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
    script = [pause(0.3), quick("yellow-7", "green-1", 0.6), pause(0.8)]
    seen = watched(clip(script, seed=5), faults=faults)
    assert seen.reported[1:] == [("placed", "yellow-7"), ("placed", "green-1")]


def test_a_hand_with_a_card_that_only_hovers() -> None:
    seen = watched(clip([pause(0.3), hover(0.8, "yellow-7"), pause(0.6)]))
    assert seen.reported == [("found", "blue-2")]


def test_the_networks_read_what_is_laid() -> None:
    try:
        reader = CardRecogniser()
    except ModelError as error:
        pytest.skip(str(error))
    seen = watched(clip([pause(0.3), lay("red-5"), pause(0.8)]), reader=lambda _: reader)
    assert seen.reported == [("found", "blue-2"), ("placed", "red-5")]
