"""Movement is found; changing light is no movement."""

import cv2
import numpy as np
import pytest

from hardware.camera.track.view.change import MotionDetector
from tests.hardware.camera.track.drawn import LIMITS, SIZE, at, hand, laid, noisy, table

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
