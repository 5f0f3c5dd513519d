"""Fans are composed of cut-out cards, and what is found in them is counted."""

import numpy as np
import pytest

from hardware.camera.decks import cards_of
from hardware.camera.reading.recognise import CardRecogniser
from hardware.camera.types import Detection
from lab.films.photographed.cutouts import CutOut
from lab.films.photographed.fans import SIZE, FanCard, compose_fan
from lab.measure.fans import drawn_cut_outs, judge_fan, main

TABLE = np.full((SIZE[1], SIZE[0], 3), (70, 90, 60), np.uint8)
AT = np.array([(100, 100), (240, 100), (240, 318), (100, 318)], np.float32)
NEXT = AT + np.array([40, 0], np.float32)
FAN = [FanCard("red-1", AT, 1.0), FanCard("red-1", NEXT, 1.0)]


def fan_of(*names: str, seed: int = 4) -> tuple[np.ndarray, list[FanCard]]:
    faces = {cut.card: cut for cut in drawn_cut_outs(12)}
    return compose_fan(np.random.default_rng(seed), [faces[name] for name in names], TABLE)


def test_the_upper_card_hides_the_lower_ones_middle_and_no_index() -> None:
    plain = np.full((372, 240, 3), 255, np.uint8)
    cards = [CutOut("red-1", plain), CutOut("red-2", plain)]
    picture, truth = compose_fan(np.random.default_rng(3), cards, TABLE)
    assert picture.shape == TABLE.shape
    assert [one.card for one in truth] == ["red-1", "red-2"]
    assert truth[0].corners[0][0] < truth[1].corners[0][0]
    assert all(one.shown > 0.9 for one in truth)


@pytest.mark.parametrize(
    ("counted", "found"),
    [
        ({"right": 2}, [Detection(AT, {"red-1": 0.9}), Detection(NEXT, {"red-1": 0.9}, False)]),
        ({"right": 1, "missed": 1}, [Detection(AT, {"red-1": 0.9})]),
        ({"wrong": 1, "missed": 1}, [Detection(AT, {"red-7": 0.9})]),
        ({"asked": 1, "missed": 1}, [Detection(AT, {"red-7": 0.6})]),
        ({"invented": 1, "invented surely": 1, "missed": 2}, [Detection(AT + 400, {"red-1": 0.9})]),
    ],
)
def test_what_is_counted(counted: dict[str, int], found: list[Detection]) -> None:
    assert +judge_fan(FAN, found) == {"cards": 2, **counted}


def test_a_card_whose_index_is_hidden_does_not_count() -> None:
    assert +judge_fan([FanCard("red-1", AT, 0.5)], []) == {}


def test_equal_cards_beside_one_another_are_each_found_once() -> None:
    names = ("wild", "blue-4", "blue-4", "blue-4", "red-skip", "red-skip", "wild", "wild")
    picture, truth = fan_of(*names)
    counts = judge_fan(truth, CardRecogniser(cards_of("classic-108")).recognise(picture))
    assert counts["missed"] + counts["wrong"] + counts["invented"] == 0, counts


def test_drawn_fans_are_measured(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--fans", "2", "--cards", "6", "--seed", "3"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("2 fans, ")
    assert float(out.split("found")[1].split("%")[0]) >= 80
