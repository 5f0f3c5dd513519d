"""Cards that somebody holds over the pile are told from those that lie."""

import numpy as np

from hardware.camera.track.reading.held import is_raised, without_fans, without_held
from hardware.camera.track.reading.sightings import CardSighting
from tests.hardware.camera.track.drawn import LIMITS, at

LYING = [at(), at(4, -6, 12), at(-5, 3, 80)]


def _larger(corners: np.ndarray, factor: float) -> np.ndarray:
    middle = corners.mean(axis=0)
    return np.asarray(middle + factor * (corners - middle))


def test_a_card_nearer_to_the_camera_looks_larger_than_those_that_lie() -> None:
    assert is_raised(_larger(at(10, 10, 40), 1.15), LYING, LIMITS)
    assert not is_raised(_larger(at(10, 10, 40), 1.05), LYING, LIMITS)
    # The first card that is ever seen may be of any size.
    assert not is_raised(_larger(at(), 1.15), [], LIMITS)


def test_all_of_a_fan_is_held_and_nothing_beside_it() -> None:
    front = CardSighting(0.0, {"red-5": 1.0}, _larger(at(20, 0, 10), 1.15))
    behind = CardSighting(0.0, {"blue-2": 1.0}, at(60, 10, 25))
    beside = CardSighting(0.0, {"green-7": 1.0}, at(-120, 0))
    assert without_held([front, behind, beside], LYING, LIMITS) == [beside]


def test_of_three_new_cards_that_overlap_none_was_laid() -> None:
    fan = [CardSighting(0.0, {f"red-{n}": 1.0}, at(20 * n, 0, 10 * n)) for n in range(3)]
    beside = CardSighting(0.0, {"green-7": 1.0}, at(-120, 0))
    assert without_fans([*fan, beside]) == [beside]
    assert without_fans(fan[:2]) == fan[:2]
