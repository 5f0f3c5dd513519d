"""Drawn piles: equal cards, disturbed piles, and tops that are read from one frame each."""

import numpy as np
import pytest

from hardware.camera.types import Detection
from lab.measure.__main__ import main
from lab.measure.track_tops import verdict


def test_drawn_hands_lay_the_same_card_again_or_only_disturb(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["equal", "--tables", "1", "--hands", "6", "--seed", "3"]) == 0
    lines = [line.rsplit(maxsplit=1) for line in capsys.readouterr().out.splitlines()]
    told = {" ".join(what.split()): int(count) for what, count in lines}
    assert sum(told.values()) == 6
    assert told.pop("laid told: placed") >= 1
    assert all(what.endswith("told: nothing") for what in told)


CORNERS = np.array([(10, 10), (66, 10), (66, 97), (10, 97)], np.float32)
BESIDE = CORNERS + 60


def test_tops_of_every_deck_are_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tops", "--tables", "1", "--cards", "3", "--seed", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[-2:]] == ["color-powers", "all"]
    assert int(lines[-1].split("right ")[1].split(",")[0]) >= 13


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("right", [Detection(CORNERS + 2, {"red-1": 0.97})]),
        ("wrong", [Detection(CORNERS, {"red-7": 0.96}), Detection(CORNERS, {"red-1": 0.5})]),
        ("in doubt", [Detection(CORNERS, {"red-1": 0.94})]),
        ("not found", [Detection(BESIDE, {"red-1": 0.99})]),
        ("not found", []),
    ],
)
def test_what_a_reading_is_worth(said: str, found: list[Detection]) -> None:
    assert verdict("red-1", CORNERS, found) == said
