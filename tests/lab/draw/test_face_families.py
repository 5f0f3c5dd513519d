"""What a matcher of faces is trained on."""

import numpy as np

from lab.train.samples import FACES, STRANGERS, MatcherSamples


def test_a_sample_shows_enrolled_faces_twice_and_strangers_once() -> None:
    crops, which = MatcherSamples(3)(np.random.default_rng(3))
    assert crops.shape == (2 * FACES + STRANGERS, 144, 96, 3)
    assert len(set(which.tolist())) == FACES + STRANGERS
