"""Movements of a card between two views are estimated."""

import numpy as np
import pytest

from hardware.camera.track.view.top_cards import aligned, card_height, estimate_shift
from hardware.camera.track.view.window import project
from tests.hardware.camera.track.drawn import HIGH, LIMITS, at, laid, noisy, table


@pytest.mark.parametrize(
    ("x", "y", "turn"), [(0.0, 0.0, 0.0), (6.0, -3.0, 4.0), (1.5, 0.5, -1.0), (-20.0, 12.0, 25.0)]
)
def test_a_pushed_card_is_followed_to_a_part_of_a_pixel(x: float, y: float, turn: float) -> None:
    before, after = laid(table(), "red-5", at()), laid(table(), "red-5", at(x, y, turn))
    # Corners as they are read: a pixel or so wrong, and counted from either end.
    wrong = np.random.default_rng(5).normal(0, 0.8, (4, 2))
    read = np.roll(at(x, y, turn) + wrong, 2, axis=0)
    shift = estimate_shift(noisy(before, 1), at(), noisy(after, 2), read, LIMITS)
    assert np.abs(project(shift.matrix, at()) - at(x, y, turn)).max() < 0.7
    assert shift.differs <= LIMITS.still.alike
    true = np.hypot(*(at(x, y, turn) - at()).T).max() / HIGH
    assert shift.distance == pytest.approx(true, abs=0.006)


@pytest.mark.parametrize(
    ("card", "other", "turn"),
    [
        ("red-5", "green-8", 0),
        ("red-5", "red-2", 0),
        ("red-5", "blue-5", 0),
        ("red-6", "red-6", 180),
    ],
)
def test_another_card_and_one_turned_by_half_are_not_alike(
    card: str, other: str, turn: float
) -> None:
    before, after = laid(table(), card, at()), laid(table(), other, at(3, 2, turn))
    shift = estimate_shift(before, at(), after, at(3, 2, turn), LIMITS)
    assert shift.differs > LIMITS.still.alike


def test_corners_alone_have_to_do_in_the_dark() -> None:
    black = np.zeros_like(table())
    shift = estimate_shift(black, at(), black, at(4, 0), LIMITS)
    assert shift.differs == 0.0
    assert shift.distance == pytest.approx(4 / HIGH, abs=1e-6)


def test_the_moved_view_shows_what_lay_there() -> None:
    before, after = laid(table(), "red-5", at()), laid(table(), "red-5", at(10, 0))
    shift = estimate_shift(before, at(), after, at(10, 0), LIMITS)
    inner = np.s_[110:210, 110:170]
    assert np.abs(shift.moved(before)[inner].astype(int) - after[inner]).mean() < 4


def test_a_height_is_the_longer_side() -> None:
    assert card_height(at(0, 0, 33)) == pytest.approx(HIGH)


def test_corners_are_counted_from_the_nearer_end() -> None:
    assert np.allclose(aligned(at(5, 5, 170), at()), at(5, 5, -10))
    assert np.allclose(aligned(at(5, 5, 20), at()), at(5, 5, 20))
