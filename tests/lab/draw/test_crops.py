import numpy as np
import pytest

from hardware.camera.decks import COLOURS, all_cards
from hardware.camera.reading.geometry import CARD_CROP, CORNER_CROP
from lab.draw.cards.asset_cache import AssetCache
from lab.draw.scenes.crops import random_corner_crop, random_crop
from lab.draw.scenes.params import CropParams, SceneParams

CLEAR = SceneParams(
    glare=0, shadows=0, cast=0, dark=0, washed=0, blurred=0, webcam=0, noisy=0, jpeg=0, cut_out=0
)


@pytest.fixture(scope="module")
def assets():
    return AssetCache(5, height=116, styles=2, renew=0)


@pytest.mark.parametrize(
    ("draw", "size"), [(random_crop, CARD_CROP), (random_corner_crop, CORNER_CROP)]
)
def test_sizes_and_labels(assets, draw, size):
    rng = np.random.default_rng(1)
    kinds = set()
    for _ in range(150):
        made = draw(rng, assets)
        assert made.image.shape == (size[1], size[0], 3)
        assert made.image.dtype == np.uint8
        kinds.add(made.valid)
        if made.valid:
            card = all_cards()[made.card]
            assert (made.colour, made.symbol, made.icon) == card.classes
        else:
            assert made.card == ""
            assert made.colour == COLOURS.index("none")
    assert kinds == {False, True}


def test_a_turned_crop_is_the_upright_one_turned():
    plain = {"jitter": 0.0, "negatives": 0.0, "sharp": 1.0, "foreshortened": 0.0}
    alone = {"neighbours": 0.0, "covered": 0.0, "fingers": 0.0, "bent": 0.0, "light": CLEAR}

    def one(turn):
        rng, own = np.random.default_rng(12), AssetCache(4, styles=1, renew=0)
        return random_crop(rng, own, CropParams(turns=(turn,), **plain, **alone))

    upright, over = one(0), one(2)
    assert upright.card == over.card
    # The light stays where it is, so the two are alike but not equal.
    back = over.image[::-1, ::-1]
    assert np.corrcoef(upright.image.ravel(), back.ravel())[0, 1] > 0.97
