"""A live source delivers the newest picture, reconnects, and reports what is wrong."""

import queue
import random
import threading

import numpy as np

from hardware.camera.source.errors import SourceError
from hardware.camera.source.live import SILENT, LiveSource
from hardware.camera.types import Picture
from hardware.retry import Retry
from tests.hardware.camera.pictures import blocks, encoded
from tests.waiting import until


class Desk:
    """A camera whose pictures come from the test."""

    def __init__(self) -> None:
        self.shots: queue.Queue[Picture | bytes | Exception] = queue.Queue()
        self.plugged = threading.Event()
        self.plugged.set()
        self.opened = 0
        self.closed = 0

    def open(self) -> None:
        if not self.plugged.is_set():
            raise SourceError("there is no camera; plug it in")
        self.opened += 1

    def grab(self) -> Picture | bytes:
        shot = self.shots.get()
        if isinstance(shot, Exception):
            raise shot
        return shot

    def interrupt(self) -> None:
        self.shots.put(SourceError("interrupted"))

    def close(self) -> None:
        self.closed += 1


def live(desk: Desk, clock: float = 0.0) -> LiveSource:
    quick = Retry(0.001, 0.002, randomness=random.Random(1))
    return LiveSource("the camera", desk, quick, lambda: clock)


def shade(number: int) -> Picture:
    return np.full((48, 64, 3), number, np.uint8)


def test_the_newest_picture_wins() -> None:
    desk = Desk()
    with live(desk, clock=12.5) as source:
        for number in range(5):
            desk.shots.put(shade(number))
        until(desk.shots.empty)
        until(lambda: source._number == 5)
        frame = source.read(120)
        assert (int(frame.picture[0, 0, 0]), frame.number, frame.at) == (4, 4, 12.5)
        assert source.read(0.01) is None  # no picture twice
        assert source.trouble is None
        assert not source.ended
    assert source.ended
    assert desk.opened == desk.closed == 1


def test_an_unplugged_camera_comes_back_by_itself() -> None:
    desk = Desk()
    with live(desk) as source:
        desk.shots.put(shade(1))
        assert source.read(120) is not None
        desk.plugged.clear()
        desk.shots.put(SourceError("the camera is unplugged; plug it in again"))
        until(lambda: source.trouble == "there is no camera; plug it in")
        assert source.read(0.01) is None
        desk.plugged.set()
        desk.shots.put(shade(2))
        frame = source.read(120)
        assert frame.picture[0, 0, 0] == 2
        assert source.trouble is None
        assert desk.opened == 2


def test_whatever_a_driver_raises_it_comes_back() -> None:
    desk = Desk()
    with live(desk) as source:
        desk.shots.put(ValueError("odd"))
        until(lambda: source.trouble is not None)
        assert "ValueError('odd')" in (source.trouble or "")
        desk.shots.put(shade(3))
        assert source.read(120) is not None
        assert source.trouble is None


def test_pictures_that_cannot_be_decoded_are_dropped_and_told_when_there_are_many() -> None:
    desk = Desk()
    whole = encoded(blocks())
    with live(desk) as source:
        for number in range(1, 4):
            assert source.trouble is None
            desk.shots.put(whole[:-10])
            until(lambda number=number: source._number == number)
            assert source.read(0.05) is None
        assert source.trouble == (
            "the picture from the camera is cut short: its end is missing; send it again"
        )
        desk.shots.put(whole)
        frame = source.read(120)
        assert frame.picture.shape == (48, 64, 3)
        assert source.trouble is None


def test_a_camera_that_falls_silent_is_told() -> None:
    now = [0.0]
    desk = Desk()
    source = LiveSource("the camera", desk, Retry(), lambda: now[0])
    with source:
        desk.shots.put(shade(1))
        assert source.read(120) is not None
        now[0] = SILENT
        assert source.trouble is None
        now[0] = SILENT + 4
        assert source.trouble == "the camera has sent no picture for 12 seconds"
