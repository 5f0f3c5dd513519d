"""Places count where enrolled faces differ from their lookalikes."""

import numpy as np

from hardware.camera.enrol.gallery import dissimilarity, distinctiveness
from hardware.camera.enrol.matcher import PLACE, PLACES


def described(rng: np.random.Generator) -> np.ndarray:
    """A random descriptor: a unit vector for each place."""
    places = rng.normal(0, 1, (PLACE, *PLACES)).astype(np.float32)
    return places / np.sqrt((places**2).sum(0))


def test_a_face_tells_where_it_differs_from_the_one_most_like_it() -> None:
    rng = np.random.default_rng(2)
    one, other, far = described(rng), described(rng), described(rng)
    like = one.copy()
    like[:, 3, 4] = other[:, 3, 4]
    looks = np.stack([one, like, far]).reshape(3, -1)
    told = distinctiveness(looks, np.arange(3))
    assert told.shape == (3, *PLACES)
    for face in (0, 1):
        assert told[face, 3, 4] > 0.2
        assert np.delete(told[face].ravel(), 3 * PLACES[1] + 4).max() < 0.05
    # What is like nothing else tells all over.
    assert told[2].min() > 0.2


def test_looks_of_one_card_need_not_be_told_apart() -> None:
    rng = np.random.default_rng(3)
    looks = np.stack([described(rng), described(rng)]).reshape(2, -1)
    assert not distinctiveness(looks, np.array([0, 0])).any()
    assert distinctiveness(looks, np.array([0, 1])).all()
    assert distinctiveness(looks[:1], np.array([0])).shape == (1, *PLACES)


def test_what_lies_a_place_beside_is_no_difference() -> None:
    one = described(np.random.default_rng(4))
    beside = np.roll(one, 1, axis=2)
    assert dissimilarity(one, beside[None])[0, :, :-1].max() < 1e-5
    assert dissimilarity(one, np.roll(one, 3, axis=2)[None]).mean() > 0.3
