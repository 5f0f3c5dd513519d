"""The mat is found at any angle, in any light and partly covered, and never where there is none."""

from typing import Any

import numpy as np
import pytest

from hardware.camera.setup.find import MatFinder, view_of
from hardware.camera.setup.mat import MATS
from tests.hardware.camera.setup.scenes import Shot
from tests.tables import tables

FINDER = MatFinder()
SHOTS = tables(__file__)["bad"]


def place_error(shot: Shot) -> float:
    sighting = FINDER.find(shot.take(), thorough=True)
    assert sighting.view is not None
    assert sighting.paper == shot.paper
    away = sighting.view.place("discard") - shot.view.place("discard")
    return float(np.linalg.norm(away, axis=1).max())


@pytest.mark.parametrize("paper", sorted(MATS))
def test_each_mat_is_found_to_a_fraction_of_a_pixel(paper: str) -> None:
    assert place_error(Shot(paper=paper, distance=560)) < 0.3


@pytest.mark.parametrize("turn", [0, 50, 140, 230, 320])
@pytest.mark.parametrize("tilt", [0, 35, 60])
def test_at_any_angle(turn: float, tilt: float) -> None:
    assert place_error(Shot(turn=turn, tilt=tilt, around=turn + 33, distance=560)) < 0.6


@pytest.mark.parametrize("shot", SHOTS.values(), ids=SHOTS.keys())
def test_in_bad_pictures(shot: dict[str, Any]) -> None:
    assert place_error(Shot(**shot)) < 1.5


def test_two_tags_are_enough_for_a_view_and_one_is_not() -> None:
    shot = Shot()
    picture = shot.changed(cover=[10, 11, 12, 13, 14, 16]).take()
    sighting = FINDER.find(picture)
    assert sorted(sighting.tags) == [15, 17]
    assert sighting.view is not None
    one = FINDER.find(shot.changed(cover=[10, 11, 12, 13, 14, 16, 17]).take())
    assert sorted(one.tags) == [15]
    assert one.view is None


def test_a_tag_that_is_not_where_it_was_printed_is_left_out() -> None:
    mat, view = MATS["a4"], Shot().view
    tags = {number: view.pixels(box.corners).astype(np.float32) for number, box in mat.tags.items()}
    tags[13] += 40
    found = view_of(mat, tags, view.size)
    assert found is not None
    assert 13 not in found.tags
    assert len(found.tags) == 7
    away = found.pixels(mat.sheet.corners) - view.pixels(mat.sheet.corners)
    assert np.linalg.norm(away, axis=1).max() < 0.1


def test_no_mat_is_found_where_there_is_none() -> None:
    random = np.random.default_rng(3)
    for seed in range(3):
        sighting = FINDER.find(Shot(paper=None, seed=seed, table=seed).take(), thorough=True)
        assert sighting.view is None
        assert not sighting.tags
    noise = random.integers(0, 255, (720, 1280, 3)).astype(np.uint8)
    assert not FINDER.find(noise).tags
    assert not FINDER.find(np.zeros((16, 16, 3), np.uint8), thorough=True).tags


def test_what_a_view_tells() -> None:
    straight = Shot(tilt=0, around=0, turn=0, distance=600)
    scale = 0.9 * 1280 / 600
    assert straight.view.scale() == pytest.approx(scale, rel=1e-3)
    assert straight.view.card_width() == pytest.approx(56 * scale, rel=1e-3)
    for tilt in (20, 40, 60):
        shot = Shot(tilt=tilt, around=0, turn=0, distance=900)
        assert shot.view.tilt() == pytest.approx(tilt, abs=4)
