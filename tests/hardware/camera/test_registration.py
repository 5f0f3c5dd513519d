"""Frames of a trembling camera are registered to a tenth of a pixel; hands do not mislead."""

import cv2
import numpy as np
import pytest

from hardware.camera.reading.registration import FrameRegistration
from hardware.camera.types import Picture

SIZE = (640, 360)
PILE = np.array([(280, 130), (360, 130), (360, 230), (280, 230)], np.float32)


def table_with_things(seed: int = 1) -> Picture:
    """A table with things on it."""
    rng = np.random.default_rng(seed)
    table = np.full((SIZE[1], SIZE[0], 3), 120, np.uint8)
    for _ in range(60):
        at = tuple(int(v) for v in rng.integers(0, SIZE))
        tone = tuple(int(v) for v in rng.integers(20, 235, 3))
        cv2.circle(table, at, int(rng.integers(5, 25)), tone, -1, cv2.LINE_AA)
    return table


def _seen(table: Picture, shift: tuple[float, float], turn: float = 0.0, seed: int = 0) -> Picture:
    """The table as a camera sees it that is shifted and turned (in degrees), with noise."""
    matrix = cv2.getRotationMatrix2D((SIZE[0] / 2, SIZE[1] / 2), turn, 1.0)
    matrix[:, 2] += shift
    seen = cv2.warpAffine(table, matrix, SIZE, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT)
    noise = np.random.default_rng(seed).integers(-3, 4, seen.shape, np.int8)
    return np.asarray(cv2.add(seen, noise, dtype=cv2.CV_8U))


def _off(registration: FrameRegistration, shift: tuple[float, float]) -> float:
    """How far the pile is from where the registration has it, in pixels."""
    middle = np.array([320.0, 180.0, 1.0])
    x, y, _ = registration.matrix @ middle
    return float(np.hypot(x - 320 - shift[0], y - 180 - shift[1]))


def test_a_trembling_camera_is_followed_to_a_tenth_of_a_pixel() -> None:
    registration, table = FrameRegistration(), table_with_things()
    rng = np.random.default_rng(3)
    assert registration.follow(_seen(table, (0, 0)), 0.0, PILE)
    for number in range(1, 12):
        shift = tuple(float(v) for v in rng.normal(0, 0.8, 2))
        frame = _seen(table, shift, float(rng.normal(0, 0.05)), number)
        assert registration.follow(frame, number / 30, PILE)
        assert _off(registration, shift) < 0.1


def test_a_hand_over_a_third_of_the_picture_does_not_mislead() -> None:
    registration, table = FrameRegistration(), table_with_things()
    registration.follow(_seen(table, (0, 0)), 0.0, PILE)
    for number in range(1, 20, 2):
        frame = _seen(table, (0.8, -0.5), seed=number)
        cv2.rectangle(frame, (0, 360 - 13 * number), (330, 360), (140, 170, 220), -1)
        assert registration.follow(frame, number / 30, PILE)
        assert _off(registration, (0.8, -0.5)) < 0.15


def test_a_change_of_the_light_is_no_shift() -> None:
    registration, table = FrameRegistration(), table_with_things()
    registration.follow(_seen(table, (0, 0)), 0.0, PILE)
    for number in range(1, 10):
        frame = cv2.convertScaleAbs(_seen(table, (0, 0), seed=number), alpha=1 - 0.05 * number)
        assert registration.follow(np.asarray(frame), number / 30, PILE)
        assert _off(registration, (0, 0)) < 0.1


def test_stripes_and_plain_tables_tell_nothing_along_them() -> None:
    stripes = np.full((SIZE[1], SIZE[0], 3), 90, np.uint8)
    stripes[:, ::64], stripes[:, 1::64] = 200, 200
    for table in (stripes, np.full_like(stripes, 130)):
        registration = FrameRegistration()
        assert not registration.follow(_seen(table, (0, 0)), 0.0, PILE)
        assert not registration.follow(_seen(table, (1, 1), seed=1), 0.1, PILE)
        assert _off(registration, (0, 0)) == pytest.approx(0)


def test_on_a_plain_table_the_pile_itself_tells_how_the_camera_trembles() -> None:
    registration = FrameRegistration()
    table = np.full((SIZE[1], SIZE[0], 3), 130, np.uint8)
    cv2.rectangle(table, (290, 140), (350, 220), (30, 30, 200), -1)
    cv2.circle(table, (320, 180), 22, (250, 250, 250), -1)
    registration.follow(_seen(table, (0, 0)), 0.0, PILE)
    assert registration.follow(_seen(table, (0.7, -0.4), seed=1), 0.05, PILE)
    assert _off(registration, (0.7, -0.4)) < 0.15
    # Far away it is the pile that was pushed.
    assert not registration.follow(_seen(table, (5, 0), seed=2), 0.1, PILE)


def test_after_a_knock_the_new_picture_becomes_the_reference() -> None:
    registration, table = FrameRegistration(), table_with_things()
    registration.follow(_seen(table, (0, 0)), 0.0, PILE)
    knocked = _seen(table, (40, 25), seed=1)
    certain = [registration.follow(knocked, n / 5, PILE) for n in range(1, 25)]
    assert not certain[0]
    assert certain[-1]
    # Where the pile is now somebody else has to say; trembling is told from here on.
    before = registration.matrix.copy()
    assert registration.follow(_seen(table, (41, 25), seed=99), 6.0, PILE)
    assert np.allclose((registration.matrix - before)[:2, 2], (1, 0), atol=0.15)
