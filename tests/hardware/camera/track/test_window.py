"""The watched part of the frame becomes an upright view, and is kept steady."""

import cv2
import numpy as np
import pytest

from hardware.camera.track.view.top_cards import Quad
from hardware.camera.track.view.window import SteadyRegion, fill, project, window_of
from hardware.camera.types import Picture
from tests.hardware.camera.test_registration import table_with_things
from tests.hardware.camera.track.drawn import LIMITS, noisy

REGION = np.array([(500, 200), (760, 220), (770, 560), (480, 540)], np.float32)


def test_the_place_becomes_an_upright_rectangle_with_room_around_it() -> None:
    window = window_of(REGION, (720, 1280), LIMITS)
    assert max(window.size) == LIMITS.view.pixels
    assert np.allclose(project(window.to_view, REGION), window.zone, atol=1e-3)
    left, top = window.zone[0]
    right, low = window.zone[2]
    assert left == pytest.approx(window.size[0] - right)
    assert top == pytest.approx(window.size[1] - low)
    assert left > 0.15 * window.size[0]


def test_corners_find_their_way_back() -> None:
    window = window_of(REGION, (720, 1280), LIMITS)
    there = project(window.to_view, REGION + 7)
    assert np.allclose(window.to_frame(there), REGION + 7, atol=0.01)
    rows, columns = window.crop
    cut = REGION - (columns.start, rows.start)
    assert np.allclose(window.from_crop(cut), window.zone, atol=1e-3)


def test_what_is_cut_out_shows_all_that_is_watched() -> None:
    window = window_of(REGION, (720, 1280), LIMITS)
    frame = np.zeros((720, 1280, 3), np.uint8)
    cv2.fillPoly(frame, [REGION.astype(np.int32)], (0, 0, 255))
    assert np.count_nonzero(window.cut(frame)) == np.count_nonzero(frame)
    view = window.view_of(frame)
    assert view.shape == (window.size[1], window.size[0], 3)
    place = window.filled(window.zone, -2) > 0
    assert (view[place] == (0, 0, 255)).all()


def test_a_place_at_the_edge_is_watched_as_far_as_it_is_seen() -> None:
    window = window_of(REGION - (480, 200), (720, 1280), LIMITS)
    rows, columns = window.crop
    assert (rows.start, columns.start) == (0, 0)
    assert window.view_of(np.zeros((720, 1280, 3), np.uint8)).shape[1::-1] == window.size


def test_a_camera_moved_a_little_keeps_the_size_of_the_view() -> None:
    first = window_of(REGION, (720, 1280), LIMITS)
    moved = REGION + np.array([(0, 0), (2, 1), (5, 6), (1, 3)], np.float32)
    assert window_of(moved, (720, 1280), LIMITS, first.size).size == first.size
    wide = REGION * np.float32([1.5, 1])
    assert window_of(wide, (720, 1280), LIMITS, first.size).size != first.size


@pytest.mark.parametrize(
    ("region", "words"),
    [
        (REGION[:3], "four corners"),
        (np.full((4, 2), np.nan), "four corners"),
        (REGION * 0.01, "too small"),
        (REGION + 5000, "outside"),
    ],
)
def test_what_cannot_be_watched_is_said(region: np.ndarray, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        window_of(region, (720, 1280), LIMITS)


def test_a_mask_grows_and_shrinks() -> None:
    square = np.array([(10, 10), (20, 10), (20, 20), (10, 20)], np.float64)
    sizes = [int(fill((40, 40), square, grow).sum()) for grow in (-2, 0, 3)]
    assert sizes == [49, 121, 289]
    assert fill((40, 40), square * 1e9).sum() >= 0


# -- kept steady, and the trembling measured

PLACE = np.array([(250, 110), (390, 110), (390, 250), (250, 250)], np.float64)


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
        place = steady.at(frame, number / 30, PLACE)
        assert np.abs(place - PLACE - shift).max() < 0.12
    # Both ways together.
    assert steady.tremble == pytest.approx(deviation * np.sqrt(2), rel=0.3, abs=0.05)


def test_a_place_that_is_elsewhere_now_is_taken_over() -> None:
    steady = SteadyRegion(LIMITS)
    frames = _frames(0.0, 10)
    for number, (frame, _) in enumerate(frames):
        region = PLACE + (0 if number < 5 else 12)
        place = steady.at(frame, number / 30, region)
        assert np.abs(place - region).max() < 0.1
    # What followers are not certain of does not matter.
    near = steady.at(frames[0][0], 1.0, PLACE + 13)
    assert np.abs(near - PLACE - 12).max() < 0.1
