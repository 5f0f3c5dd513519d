"""The pile is marked by numbers or clicks."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.camera.setup.mark_pile import (
    Marker,
    check_inside,
    click_pile,
    has_display,
    order_corners,
    read_pile,
)
from hardware.camera.setup.storage import SetupError
from tests.tables import tables

SQUARE = [[400, 200], [700, 200], [700, 550], [400, 550]]


@pytest.mark.parametrize("text", tables(__file__)["piles"])
def test_numbers(text: str) -> None:
    corners = read_pile(text)
    assert corners.dtype == np.float32
    assert corners.tolist() == SQUARE


@pytest.mark.parametrize(("text", "words"), tables(__file__)["no_piles"])
def test_numbers_that_are_no_pile(text: str, words: str) -> None:
    with pytest.raises(SetupError, match=words):
        read_pile(text)


def test_a_pile_must_be_in_the_picture() -> None:
    check_inside(read_pile("400,200,300,350"), (1280, 720))
    for size in ((640, 480), (690, 720), (1280, 540)):
        with pytest.raises(SetupError, match=f"which has {size[0]} × {size[1]} pixels"):
            check_inside(read_pile("400,200,300,350"), size)


def test_clicks() -> None:
    marker = Marker()
    picture = np.zeros((720, 1280, 3), np.uint8)
    for x, y in ((700, 550), (400, 200), (700, 200)):
        marker.click(x, y)
        assert marker.corners is None
    marker.click(10, 10)
    marker.undo()
    marker.click(405, 555)
    assert marker.corners is not None
    assert marker.corners.tolist() == [[400, 200], [700, 200], [700, 550], [405, 555]]
    marker.click(400, 550)  # a fifth replaces the fourth
    assert marker.corners.tolist() == SQUARE
    drawn = marker.drawn(picture)
    assert drawn.any()
    assert not picture.any()
    marker.undo()
    marker.click(700, 551)
    assert marker.corners is None  # two corners in one place


@given(st.permutations(range(4)), st.floats(-0.7, 0.7), st.floats(50, 400))
def test_in_any_order_corners_go_clockwise(order: list[int], turn: float, size: float) -> None:
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    around = np.array([(-1, -1.3), (1, -1.3), (1, 1.3), (-1, 1.3)]) * size @ spin.T + 600
    corners = order_corners([tuple(around[number]) for number in order])
    away = np.linalg.norm(corners[:, None] - around[None], axis=2)
    assert (away.min(axis=0) < 1e-3).all()  # the same four
    sides = np.roll(corners, -1, axis=0) - corners
    after = np.roll(sides, -1, axis=0)
    assert (sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0] > 0).all()
    assert corners[0].sum() <= corners.sum(axis=1).min() + 1e-3


def test_without_a_display_no_window_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.camera.setup.mark_pile.sys.platform", "linux")
    assert not has_display({})
    assert not has_display({"DISPLAY": ""})
    assert has_display({"DISPLAY": ":0"})
    assert has_display({"WAYLAND_DISPLAY": "wayland-0"})
    monkeypatch.setattr("hardware.camera.setup.mark_pile.sys.platform", "darwin")
    assert has_display({})


class Screen:
    """A window with scripted clicks and keys, one per look."""

    def __init__(self, happens: list[tuple[int, int, int] | int]) -> None:
        self.happens = happens
        self.shown: list[np.ndarray] = []
        self.open = True

    def install(self, patch: pytest.MonkeyPatch) -> None:
        patch.setenv("DISPLAY", ":9")
        patch.setattr(cv2, "namedWindow", lambda *_: None)
        patch.setattr(cv2, "setMouseCallback", self.listen)
        patch.setattr(cv2, "imshow", lambda _, picture: self.shown.append(picture))
        patch.setattr(cv2, "waitKey", self.wait)
        patch.setattr(cv2, "getWindowProperty", lambda *_: float(self.open))
        patch.setattr(cv2, "destroyAllWindows", self.close)

    def listen(self, _: str, told: Callable[..., None]) -> None:
        self.told = told

    def wait(self, _: int) -> int:
        thing = self.happens.pop(0)
        if isinstance(thing, int):
            return thing
        self.told(*thing, 0, None)
        return -1

    def close(self) -> None:
        self.open = False


LEFT, RIGHT = cv2.EVENT_LBUTTONDOWN, cv2.EVENT_RBUTTONDOWN
CLICKS: list[tuple[int, int, int] | int] = [
    (LEFT, 700, 550),
    (LEFT, 9, 9),
    (RIGHT, 0, 0),
    (LEFT, 400, 550),
    13,  # Enter, too early
    (LEFT, 400, 200),
    (LEFT, 90, 90),
    8,  # Backspace
    (LEFT, 700, 200),
]


@pytest.mark.parametrize(("last", "found"), [(13, SQUARE), (27, None)])
def test_clicking_in_a_window(
    last: int, found: list[list[int]] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = Screen([*CLICKS, last])
    screen.install(monkeypatch)
    corners = click_pile(np.zeros((720, 1280, 3), np.uint8))
    assert (None if corners is None else corners.tolist()) == found
    assert not screen.open
    assert screen.shown[-1].any()


def test_an_opencv_without_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object) -> None:
        raise cv2.error("The function is not implemented")

    monkeypatch.setenv("DISPLAY", ":9")
    monkeypatch.setattr(cv2, "namedWindow", none)
    monkeypatch.setattr(cv2, "destroyAllWindows", none)
    with pytest.raises(SetupError, match="this OpenCV cannot open windows; use --pile"):
        click_pile(np.zeros((9, 9, 3), np.uint8))
