"""Faces of other games never count as a card's face."""

import numpy as np
import pytest

from lab.draw.cards.asset_cache import AssetCache
from lab.draw.scenes.crops import random_corner_crop, random_crop
from lab.draw.scenes.params import CropParams


@pytest.mark.parametrize("crop", [random_crop, random_corner_crop])
def test_a_crop_of_another_game_is_no_face(crop) -> None:
    rng, assets = np.random.default_rng(2), AssetCache(5, height=60, styles=1, renew=0)
    params = CropParams(foreign=1.0)
    assert not any(crop(rng, assets, params).valid for _ in range(6))
