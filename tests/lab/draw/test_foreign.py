"""Faces of other games are drawn in any size, differ, and never count as a card's face."""

import numpy as np
import pytest

from lab.draw.cards import foreign
from lab.draw.cards.asset_cache import AssetCache
from lab.draw.scenes.crops import random_corner_crop, random_crop
from lab.draw.scenes.params import CropParams


def test_equal_seeds_give_equal_faces_and_others_differ() -> None:
    one, again, other = (
        foreign.foreign_face(np.random.default_rng(seed), 87) for seed in (1, 1, 2)
    )
    assert one.shape == (87, 56, 4)
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)
    assert one[0, 0, 3] < 128
    assert one[43, 28, 3] == 255


@pytest.mark.parametrize("crop", [random_crop, random_corner_crop])
def test_a_crop_of_another_game_is_no_face(crop) -> None:
    rng, assets = np.random.default_rng(2), AssetCache(5, height=60, styles=1, renew=0)
    params = CropParams(foreign=1.0)
    assert not any(crop(rng, assets, params).valid for _ in range(6))
