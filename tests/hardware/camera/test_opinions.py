"""Several readings of one card: two corners overrule a middle, one does not."""

import numpy as np
import pytest

from hardware.camera.opinions import pooled
from hardware.camera.read import Reading

CORNERS = np.zeros((4, 2), np.float32)


def reading(*chances: float, valid: float = 1.0) -> Reading:
    return Reading(CORNERS, np.array(chances, np.float32) * valid, valid)


def test_two_corners_overrule_a_sure_middle() -> None:
    sure_of_three = reading(0.999, 0.0005, 0.0005)
    eight = reading(0.01, 0.98, 0.01)
    assert pooled(sure_of_three, [eight, eight]).argmax() == 1


def test_one_corner_against_the_middle_leaves_it_open() -> None:
    answer = pooled(reading(0.99, 0.01), [reading(0.01, 0.99)])
    assert answer.max() < 0.6


def test_a_corner_that_sees_nothing_is_not_heard() -> None:
    first = reading(0.9, 0.1)
    assert pooled(first, [reading(0.0, 1.0, valid=0.1)]).argmax() == 0


def test_agreement_makes_sure_and_doubt_about_the_face_stays() -> None:
    answer = pooled(reading(0.7, 0.3, valid=0.6), [reading(0.8, 0.2)])
    assert 0.7 * 0.6 < answer[0] < 0.6
    assert answer.sum() == pytest.approx(0.6, abs=1e-3)
