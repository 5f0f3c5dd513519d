"""Changes between still views and movements are found; light alone is neither."""

import cv2
import numpy as np
import pytest

from hardware.camera.track.view.change import (
    MotionDetector,
    changed,
    comparable,
    edge_connected,
    share,
)
from hardware.camera.track.view.window import fill
from hardware.camera.types import Picture
from tests.hardware.camera.track.drawn import LIMITS, SIZE, at, hand, laid, noisy, still, table


@pytest.fixture(scope="module")
def pile() -> Picture:
    return laid(laid(table(), "red-5", at(-8, 5, 8)), "green-8", at(3, 0, -4))


def test_the_same_pile_in_another_frame_has_not_changed(pile: Picture) -> None:
    assert changed(still(pile, 1), still(pile, 2)).mean() < 0.001


@pytest.mark.parametrize(
    ("name", "factors"),
    [("darker", (0.7, 0.7, 0.7)), ("brighter", (1.2, 1.2, 1.2)), ("warmer", (0.9, 1.0, 1.08))],
)
def test_light_that_changes_as_a_whole_is_no_change(
    pile: Picture, name: str, factors: tuple[float, float, float]
) -> None:
    lit = np.clip(pile * np.array(factors), 0, 255).astype(np.uint8)
    assert changed(still(pile, 1), still(lit, 2)).mean() < 0.01


def test_a_soft_shadow_is_no_change(pile: Picture) -> None:
    spot = np.zeros((SIZE[1], SIZE[0]), np.float32)
    cv2.circle(spot, (100, 120), 60, 0.3, -1)
    shade = 1 - cv2.GaussianBlur(spot, (0, 0), 30)[..., None]
    shaded = (pile * shade).astype(np.uint8)
    assert changed(still(pile, 1), still(shaded, 2)).mean() < 0.01


def test_a_shift_by_a_pixel_is_no_change(pile: Picture) -> None:
    shifted = cv2.warpAffine(
        pile, np.array([[1, 0, 0.7], [0, 1, -0.7]]), SIZE, borderMode=cv2.BORDER_REPLICATE
    )
    assert changed(still(pile, 1), still(np.asarray(shifted), 2)).mean() < 0.02


def test_another_card_is_a_change_where_it_lies(pile: Picture) -> None:
    place = fill(SIZE, at(10, -10, 20), -3)
    now = changed(still(pile), still(laid(pile, "yellow-1", at(10, -10, 20)), 2))
    assert share(now, place) > 0.6
    assert share(now, 1 - fill(SIZE, at(10, -10, 20), 6)) < 0.01


def test_an_equal_card_laid_askew_is_a_change(pile: Picture) -> None:
    before, after = still(pile), still(laid(pile, "green-8", at(9, 6, 6)), 2)
    assert share(changed(before, after), fill(SIZE, at(9, 6, 6))) > 0.1


def test_a_part_of_nothing_is_no_share() -> None:
    empty = np.zeros((4, 4), np.uint8)
    assert share(np.ones((4, 4), np.uint8), empty) == 0.0


def test_only_what_comes_in_from_the_edge_reaches_in(pile: Picture) -> None:
    with_hand = hand(laid(pile, "blue-2", at(0, -60)), (140.0, 250.0))
    reach = edge_connected(
        changed(comparable(pile, LIMITS), comparable(noisy(with_hand, 2), LIMITS))
    )
    assert reach[300, 150] == 1
    assert share(reach, fill(SIZE, at(0, -75), -10)) == 0.0


# -- movement

STEP = 1 / 30


def test_the_first_picture_may_hide_anything() -> None:
    assert MotionDetector(LIMITS).moving(table(), 0.0).all()


@pytest.mark.parametrize("deviation", [0.5, 3.0, 9.0])
def test_noise_does_not_move(deviation: float) -> None:
    motion = MotionDetector(LIMITS)
    view = laid(table(), "red-5", at())
    motion.moving(noisy(view, 0, deviation), 0.0)
    for n in range(1, 20):
        assert not motion.moving(noisy(view, n, deviation), n * STEP).any()


def test_flicker_and_bands_do_not_move() -> None:
    motion = MotionDetector(LIMITS)
    view = laid(table(), "red-5", at())
    rows = np.linspace(0, 1.7, SIZE[1])[:, None, None]
    motion.moving(noisy(view, 0), 0.0)
    for n in range(1, 20):
        gain = 0.82 + 0.05 * np.sin(2 * np.pi * (rows + 3.1 * n * STEP)) + 0.1 * (n % 2)
        lit = np.clip(view * gain, 0, 255).astype(np.uint8)
        assert not motion.moving(noisy(lit, n), n * STEP).any(), n


@pytest.mark.parametrize("step", [0.2, 0.5, 1.0])
def test_a_camera_that_trembles_does_not_move_what_few_pictures_show(step: float) -> None:
    motion = MotionDetector(LIMITS)
    view = laid(table(), "red-5", at())
    motion.moving(noisy(view, 0), 0.0)
    for n in range(1, 20):
        off = np.float32([[1, 0, n % 3 - 1], [0, 1, n % 2]])
        shifted = cv2.warpAffine(view, off, SIZE, borderMode=cv2.BORDER_REPLICATE)
        assert not motion.moving(noisy(np.asarray(shifted), n), n * step).any(), n
    assert motion.moving(laid(view, "blue-3", at(20)), 20 * step).any()


def test_a_hand_moves_where_it_is() -> None:
    motion = MotionDetector(LIMITS)
    view = laid(table(), "red-5", at())
    motion.moving(noisy(view, 0), 0.0)
    moving = motion.moving(noisy(hand(view, (150.0, 240.0)), 1), STEP)
    assert moving[115:].any()
    assert not moving[:100].any()


def test_a_slow_hand_is_told_by_an_earlier_picture() -> None:
    motion = MotionDetector(LIMITS)
    view = table()
    seen = []
    for n in range(12):
        moving = motion.moving(noisy(hand(view, (150.0, 240.0 - 1.5 * n)), n), n * STEP)
        seen.append(bool(moving.any()))
    assert all(seen[5:])


def test_a_hand_that_has_gone_has_just_moved_for_one_frame_only() -> None:
    motion = MotionDetector(LIMITS)
    view = laid(table(), "red-5", at())
    motion.moving(noisy(hand(view, (150.0, 240.0)), 0), 0.0)
    lately, just = [], []
    for n in range(1, 5):
        lately.append(bool(motion.moving(noisy(view, n), n * STEP).any()))
        just.append(bool(motion.since_last.any()))
    assert lately[2]
    assert just == [True, False, False, False]


def test_an_insect_is_too_small() -> None:
    motion = MotionDetector(LIMITS)
    view = table()
    motion.moving(view, 0.0)
    for n in range(1, 8):
        fly = view.copy()
        cv2.circle(fly, (60 + 12 * n, 90), 2, (10, 10, 10), -1)
        assert not motion.moving(fly, n * STEP).any()


def test_what_was_forgotten_is_not_compared_with() -> None:
    motion = MotionDetector(LIMITS)
    motion.moving(table(1), 0.0)
    motion.forget()
    assert motion.moving(table(2), STEP).all()
    assert not motion.moving(table(2), 2 * STEP).any()
