"""Outlines: the places in them, how they are coded, and what the locator makes of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

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
from hardware.camera.reading.locate import STRIDE, UNIT, decode, decode_candidates, encode
from lab.train.locator_targets import locator_targets

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


# -- coded, and found

CARD = np.array([[-20, -30], [20, -30], [20, 30], [-20, 30]], np.float32)


def turned(degrees: float, at: tuple[float, float] = (100, 100)) -> np.ndarray:
    angle = np.radians(degrees)
    matrix = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return (CARD @ matrix + np.array(at)).astype(np.float32)


def same_outline(one: np.ndarray, other: np.ndarray) -> bool:
    """Compare two outlines, whichever end is the top."""
    return any(np.allclose(one, np.roll(other, turn, axis=0), atol=0.5) for turn in (0, 2))


@given(st.floats(0, 360), st.lists(st.floats(-4, 4), min_size=8, max_size=8))
def test_an_outline_comes_back_whichever_way_it_lies(degrees: float, bent: list[float]) -> None:
    corners = turned(degrees) + np.array(bent, np.float32).reshape(4, 2)
    cells = corners.mean(axis=0, keepdims=True) + 3
    back = decode(encode(corners[None], cells, UNIT), cells, UNIT)[0]
    assert same_outline(back, corners)


def test_both_ends_up_are_coded_alike() -> None:
    cells = np.array([[96.0, 104.0]], np.float32)
    upright, upside_down = turned(30)[None], np.roll(turned(30), 2, axis=0)[None]
    assert np.allclose(encode(upright, cells, UNIT), encode(upside_down, cells, UNIT), atol=1e-5)


def logit(heat: np.ndarray) -> np.ndarray:
    chance = np.clip(heat.astype(np.float32), 1e-3, 1 - 1e-3)
    return np.log(chance / (1 - chance))


def answer(outlines: list[np.ndarray], shown: list[tuple[bool, bool, bool]]) -> np.ndarray:
    """The output of a perfect network."""
    heat, coded, _ = locator_targets(np.array(outlines), shown, (256, 256))
    return np.concatenate([logit(heat), coded.astype(np.float32)])


def test_a_perfect_answer_tells_of_each_card_by_its_middle_and_its_indices() -> None:
    outlines = [turned(10, (60, 70)), turned(95, (180, 70)), turned(200, (130, 190))]
    found = decode_candidates(answer(outlines, [(True, True, True)] * 3))
    for corners in outlines:
        told = [one for one in found if same_outline(one.corners, corners)]
        assert sorted(one.index for one in told) == [False, True, True]
    assert len(found) == 9


def test_an_outline_told_of_by_an_index_begins_next_to_it() -> None:
    hidden = turned(5, (128, 128))
    for turn in (0, 2):
        shown = (False, turn == 0, turn == 2)
        (found,) = decode_candidates(answer([hidden], [shown]))
        assert same_outline(found.corners, hidden)
        assert np.linalg.norm(found.corners[0] - hidden[turn]) < 1.5
        assert np.linalg.norm(found.anchor - index_places(hidden)[turn // 2]) < STRIDE


def test_nothing_is_found_where_nothing_shows() -> None:
    assert decode_candidates(answer([turned(0)], [(False, False, False)])) == []


def test_heat_stands_at_the_middle_and_at_both_indices() -> None:
    heat, _, weight = locator_targets(
        np.array([turned(0, (128, 128))]), [(True, True, True)], (256, 256)
    )
    assert np.argwhere(heat[0] >= 0.99).tolist() == [[16, 16]]
    rows = sorted(row for row, _ in np.argwhere(heat[1] >= 0.99).tolist())
    assert rows[0] < 128 / STRIDE < rows[-1]
    assert weight.max() == 1
