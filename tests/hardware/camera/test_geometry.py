"""Places on a card, in outlines from any side."""

import numpy as np
import pytest

from hardware.camera.reading.geometry import (
    CORNER_MM,
    HEIGHT,
    INDEX,
    WIDTH,
    corner_square,
    index_places,
    start_at,
    width_of,
)

FLAT = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float32)


def test_the_square_of_a_card_seen_from_above_is_one() -> None:
    assert np.allclose(corner_square(FLAT), np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * CORNER_MM)


def test_both_indices_are_as_far_from_their_corners() -> None:
    first, second = index_places(FLAT)
    assert np.allclose(first, (INDEX[0] * WIDTH, INDEX[1] * HEIGHT))
    assert np.allclose(FLAT[2] - second, first)


@pytest.mark.parametrize("turn", range(4))
def test_an_outline_begins_at_the_corner_that_an_index_is_next_to(turn: int) -> None:
    begun = start_at(FLAT, FLAT[turn] * 0.9 + FLAT.mean(axis=0) * 0.1)
    assert np.allclose(begun[0], FLAT[turn])
    assert np.allclose(begun[1], FLAT[(turn + 1) % 4])


def test_a_foreshortened_card_is_as_wide_as_its_area_says() -> None:
    assert width_of(FLAT) == pytest.approx(WIDTH)
    assert width_of(FLAT * np.float32([1, 0.25])) == pytest.approx(WIDTH / 2)
