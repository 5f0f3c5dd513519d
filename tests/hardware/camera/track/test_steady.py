"""The watched place is kept steady, and the trembling is measured."""

import cv2
import numpy as np
import pytest

from hardware.camera.track.view.top_cards import Quad
from hardware.camera.track.view.window import SteadyRegion
from hardware.camera.types import Picture
from tests.hardware.camera.test_registration import table_with_things
from tests.hardware.camera.track.drawn import LIMITS, noisy

REGION = np.array([(250, 110), (390, 110), (390, 250), (250, 250)], np.float64)


def _frames(deviation: float, count: int = 20) -> list[tuple[Picture, Quad]]:
    """Frames of a trembling camera, and by how much each is shifted."""
    rng = np.random.default_rng(5)
    ground = table_with_things()
    frames = []
    for number in range(count):
        shift = rng.normal(0, deviation, 2) * (number > 0)
        matrix = np.hstack([np.eye(2), shift[:, None]])
        seen = cv2.warpAffine(ground, matrix, (640, 360), borderMode=cv2.BORDER_REFLECT)
        frames.append((noisy(np.asarray(seen), number), shift))
    return frames


@pytest.mark.parametrize("deviation", [0.0, 0.3, 0.8])
def test_the_place_moves_with_the_picture(deviation: float) -> None:
    steady = SteadyRegion(LIMITS)
    for number, (frame, shift) in enumerate(_frames(deviation)):
        place = steady.at(frame, number / 30, REGION)
        assert np.abs(place - REGION - shift).max() < 0.12
    # Both ways together.
    assert steady.tremble == pytest.approx(deviation * np.sqrt(2), rel=0.3, abs=0.05)


def test_a_place_that_is_elsewhere_now_is_taken_over() -> None:
    steady = SteadyRegion(LIMITS)
    frames = _frames(0.0, 10)
    for number, (frame, _) in enumerate(frames):
        region = REGION + (0 if number < 5 else 12)
        place = steady.at(frame, number / 30, region)
        assert np.abs(place - region).max() < 0.1
    # What followers are not certain of does not matter.
    near = steady.at(frames[0][0], 1.0, REGION + 13)
    assert np.abs(near - REGION - 12).max() < 0.1
