"""Sharpness is measured without a mat."""

import warnings

import cv2
import numpy as np
import pytest

from hardware.camera.setup.conditions import measure

SHEET = np.zeros((360, 640, 3), np.uint8)
SHEET[100:200, 200:400] = 255


def edge(picture: np.ndarray) -> float:
    found = measure(picture, None, None, None).edge
    assert found is not None
    return found


def test_the_even_ground_beside_an_edge_is_no_edge() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sharp = edge(SHEET)
    # Without noise all pixels of the outline are alike: what they take is that of any of them.
    across = np.zeros_like(SHEET)
    across[:, 320:] = 255
    assert sharp == pytest.approx(edge(across), rel=0.02)


def test_a_blurred_picture_has_wide_edges() -> None:
    assert edge(cv2.GaussianBlur(SHEET, (0, 0), 3.0)) > 2 * edge(SHEET)


def test_a_picture_without_edges() -> None:
    assert measure(np.full_like(SHEET, 90), None, None, None).edge is None
