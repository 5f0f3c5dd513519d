"""The watched part of the frame becomes an upright view."""

import cv2
import numpy as np
import pytest

from hardware.camera.track.view.window import fill, project, window_of
from tests.hardware.camera.track.drawn import LIMITS

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
