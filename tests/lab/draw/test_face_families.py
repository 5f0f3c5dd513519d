"""Invented faces differ from each other, and equal seeds give equal faces."""

import itertools

import numpy as np
import pytest

from lab.draw.cards.face_families import FAMILY_KINDS, KNOWN_DECK, distinguishable, random_family
from lab.train.samples import FACES, STRANGERS, MatcherSamples


@pytest.mark.parametrize("kind", [*FAMILY_KINDS, KNOWN_DECK])
@pytest.mark.parametrize("held", [False, True])
def test_the_faces_of_a_family_can_be_told_apart(kind: str, held: bool) -> None:
    made = random_family(np.random.default_rng(4), 4, kind, held=held)
    assert len(made.faces) == 4
    assert {face.shape for face in made.faces} == {(224, 144, 3)}
    assert all(distinguishable(one, other) for one, other in itertools.combinations(made.faces, 2))


def test_equal_seeds_give_equal_families_and_others_others() -> None:
    one, same, other = (random_family(np.random.default_rng(s), 2, "parts") for s in (1, 1, 2))
    np.testing.assert_array_equal(one.faces, same.faces)
    assert not np.array_equal(one.faces, other.faces)


def test_a_sample_shows_enrolled_faces_twice_and_strangers_once() -> None:
    crops, which = MatcherSamples(3)(np.random.default_rng(3))
    assert crops.shape == (2 * FACES + STRANGERS, 144, 96, 3)
    assert len(set(which.tolist())) == FACES + STRANGERS
