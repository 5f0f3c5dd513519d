import numpy as np
import pytest

from hardware.camera.layout import CARD_CROP, CORNER_CROP
from lab.draw import (
    COLOURS,
    Bank,
    CropKnobs,
    Knobs,
    all_cards,
    corner,
    crop,
)

CLEAR = Knobs(
    glare=0, shadows=0, cast=0, dark=0, washed=0, blurred=0, webcam=0, noisy=0, jpeg=0, cut_out=0
)


@pytest.fixture(scope="module")
def bank():
    return Bank(5, height=116, runs=2, renew=0)


@pytest.mark.parametrize(("draw", "size"), [(crop, CARD_CROP), (corner, CORNER_CROP)])
def test_sizes_and_labels(bank, draw, size):
    rng = np.random.default_rng(1)
    kinds = set()
    for _ in range(150):
        made = draw(rng, bank)
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


@pytest.mark.parametrize("draw", [crop, corner])
def test_equal_seeds_give_equal_crops(draw):
    def three():
        rng, own = np.random.default_rng(3), Bank(4, height=116, runs=1, renew=0)
        return [draw(rng, own) for _ in range(3)]

    for one, two in zip(three(), three(), strict=True):
        assert np.array_equal(one.image, two.image)
        assert (one.card, one.turn) == (two.card, two.turn)


def test_turns_are_those_asked_for(bank):
    rng = np.random.default_rng(2)
    assert {crop(rng, bank, CropKnobs(turns=(0, 1, 2, 3))).turn for _ in range(60)} == {0, 1, 2, 3}
    assert {crop(rng, bank, CropKnobs(turns=(0,))).turn for _ in range(20)} == {0}


def test_a_turned_crop_is_the_upright_one_turned():
    plain = {"jitter": 0.0, "negatives": 0.0, "sharp": 1.0, "foreshortened": 0.0}
    alone = {"neighbours": 0.0, "covered": 0.0, "fingers": 0.0, "bent": 0.0, "light": CLEAR}

    def one(turn):
        rng, own = np.random.default_rng(12), Bank(4, runs=1, renew=0)
        return crop(rng, own, CropKnobs(turns=(turn,), **plain, **alone))

    upright, over = one(0), one(2)
    assert upright.card == over.card
    # The light stays where it is, so the two are alike but not equal.
    back = over.image[::-1, ::-1]
    assert np.corrcoef(upright.image.ravel(), back.ravel())[0, 1] > 0.97


def test_without_negatives_every_uncovered_crop_is_a_face(bank):
    rng = np.random.default_rng(2)
    knobs = CropKnobs(negatives=0.0, covered=0.0, fingers=0.0)
    assert all(crop(rng, bank, knobs).valid for _ in range(60))


def test_with_negatives_only_no_crop_is_a_face(bank):
    rng = np.random.default_rng(2)
    knobs = CropKnobs(negatives=1.0)
    assert not any(crop(rng, bank, knobs).valid for _ in range(60))
    assert not any(corner(rng, bank, knobs).valid for _ in range(60))
