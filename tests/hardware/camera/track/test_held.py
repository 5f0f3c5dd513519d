"""Cards held above the pile are told from those that lie on it."""

import numpy as np

from hardware.camera.track.reading.sightings import CardSighting
from hardware.camera.track.reading.top_reader import HeldCard, is_raised, without_held
from hardware.camera.track.view.change import comparable
from tests.hardware.camera.track.drawn import LIMITS, at, laid, noisy, table

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


def test_what_has_not_swayed_at_all_for_a_while_lies() -> None:
    held = HeldCard(LIMITS)
    card = at(0, 0, 5)
    for number in range(20):
        now = comparable(noisy(laid(table(), "red-5", card), number), LIMITS)
        assert held.sways(card, now, number / 10) == (number < 10)


def test_a_card_that_sways_is_held_for_as_long_as_it_does() -> None:
    held = HeldCard(LIMITS)
    for number in range(30):
        card = at(3 * np.sin(number), 2 * np.cos(number / 2), 5)
        now = comparable(noisy(laid(table(), "red-5", card), number), LIMITS)
        assert held.sways(card, now, number / 10)
