"""Faces of other games are drawn in any size, differ, and never count as a card's face."""

import numpy as np
import pytest

from lab.draw import foreign
from lab.draw.asset_cache import AssetCache
from lab.draw.augment import defocused
from lab.draw.crops import random_corner_crop, random_crop
from lab.draw.params import CropParams


def test_equal_seeds_give_equal_faces_and_others_differ() -> None:
    one, again, other = (
        foreign.foreign_face(np.random.default_rng(seed), 87) for seed in (1, 1, 2)
    )
    assert one.shape == (87, 56, 4)
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)
    assert one[0, 0, 3] < 128
    assert one[43, 28, 3] == 255


@pytest.mark.parametrize("draw", [draw for draw, _ in foreign._KINDS])
def test_each_kind_fills_its_card(draw) -> None:
    rng = np.random.default_rng(3)
    faces = [draw(rng, 116) for _ in range(12)]
    assert {face.shape for face in faces} == {(116, 75, 3)}
    assert all(face.std() > 0.5 for face in faces)


@pytest.mark.parametrize("crop", [random_crop, random_corner_crop])
def test_a_crop_of_another_game_is_no_face(crop) -> None:
    rng, assets = np.random.default_rng(2), AssetCache(5, height=60, styles=1, renew=0)
    params = CropParams(foreign=1.0)
    assert not any(crop(rng, assets, params).valid for _ in range(6))


def test_out_of_focus_a_point_becomes_a_disc() -> None:
    point = np.zeros((31, 31, 3), np.uint8)
    point[15, 15] = 255
    spread = defocused(point, 6.0)[..., 0] > 0
    assert spread[15, 9:22].all()
    assert not spread[:8].any()
    assert spread.sum() == pytest.approx(np.pi * 6.5**2, rel=0.15)
