"""Several readings of one card: corners overrule a middle in doubt and question a sure one."""

import numpy as np
import pytest

from hardware.camera.ensemble import pooled
from hardware.camera.read import Reading

CORNERS = np.zeros((4, 2), np.float32)


CARDS = 50


def reading(*chances: float, valid: float = 1.0) -> Reading:
    """Of the first cards of a deck; what is left is shared by the others."""
    rest = [(1 - sum(chances)) / (CARDS - len(chances))] * (CARDS - len(chances))
    return Reading(CORNERS, np.array([*chances, *rest], np.float32) * valid, valid)


def test_two_corners_overrule_a_middle_that_is_not_quite_sure() -> None:
    answer = pooled(reading(0.9, 0.09), [reading(0.01, 0.98)] * 2)
    assert answer.argmax() == 1
    assert answer.max() > 0.8


def test_two_corners_make_a_question_of_what_the_middle_is_sure_of() -> None:
    assert pooled(reading(0.999, 0.0005), [reading(0.0001, 0.999)] * 2).max() < 0.8


def test_one_corner_that_is_sure_casts_doubt() -> None:
    alone, doubted = reading(0.85, 0.14), [reading(0.01, 0.98)]
    assert pooled(alone, doubted).max() < pooled(alone, []).max()


def test_a_corner_that_sees_nothing_is_not_heard() -> None:
    first = reading(0.9, 0.1)
    assert pooled(first, [reading(0.0, 1.0, valid=0.1)]).argmax() == 0


def test_agreement_makes_sure_and_doubt_about_the_face_stays() -> None:
    answer = pooled(reading(0.7, 0.3, valid=0.6), [reading(0.8, 0.2)])
    assert 0.7 * 0.6 < answer[0] < 0.6
    assert answer.sum() == pytest.approx(0.6, abs=1e-3)
