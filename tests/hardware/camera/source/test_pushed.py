"""Frames that are pushed: their order, their times, and what does not fit."""

import threading
import time

import cv2
import numpy as np
import pytest

from hardware.camera.source.pushed import (
    LATE,
    MOST_BYTES,
    MOST_WAITING,
    SUSPECTED_FOR,
    WINDOW,
    PushedSource,
    SenderClock,
)


class Clock:
    """Our clock; the phone's is ``ahead`` of it."""

    def __init__(self) -> None:
        self.now = 500.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def source(clock: Clock) -> PushedSource:
    return PushedSource("the phone", clock)


def jpeg(level: int, size: tuple[int, int] = (64, 36)) -> bytes:
    packed = cv2.imencode(".jpg", np.full((size[1], size[0], 3), level, np.uint8))[1]
    return packed.tobytes()


def level_of(source: PushedSource) -> tuple[float, int, int]:
    frame = source.read(0)
    return frame.at, frame.number, round(float(frame.picture.mean()))


def test_frames_come_in_order_at_our_time(source: PushedSource, clock: Clock) -> None:
    assert source.push(jpeg(10), 0.0, 0.2)
    clock.now = 500.3
    # This one was on its way for 0.1 s, the first for none.
    assert source.push(jpeg(20), 0.1, 0.4)
    assert level_of(source) == (pytest.approx(499.8), 0, 10)
    assert level_of(source) == (pytest.approx(499.9), 1, 20)
    assert source.read(0) is None


def test_a_sign_repeats_the_picture_with_its_own_time(source: PushedSource, clock: Clock) -> None:
    source.push(None, 0.0, 0.0)
    source.push(jpeg(10), 0.5, 0.5)
    clock.now += 0.5
    source.push(None, 1.0, 1.0)
    # Before the first picture there is nothing to repeat.
    assert [level_of(source)[1:] for _ in range(2)] == [(1, 10), (2, 10)]
    assert source.read(0) is None


def test_what_was_overtaken_is_dropped(source: PushedSource) -> None:
    assert source.push(jpeg(10), 1.0, 1.0)
    assert not source.push(jpeg(20), 0.9, 0.95)
    assert not source.push(jpeg(30), 1.0, 1.0)
    assert source.push(jpeg(40), 1.1, 1.1)
    assert [level_of(source)[2] for _ in range(2)] == [10, 40]


def test_a_burst_that_fits_is_kept_whole(source: PushedSource) -> None:
    for number in range(MOST_WAITING):
        source.push(jpeg(number), number / 10, 4.0)
    assert source.waiting == MOST_WAITING
    assert [level_of(source)[1] for _ in range(MOST_WAITING)] == list(range(MOST_WAITING))


def test_the_oldest_make_room_for_what_does_not_fit(source: PushedSource) -> None:
    for number in range(MOST_WAITING + 5):
        source.push(jpeg(number), number / 10, 5.0)
    assert source.waiting == MOST_WAITING
    assert level_of(source)[1] == 5


def test_large_frames_take_bounded_memory(source: PushedSource) -> None:
    large = jpeg(10) + bytes(512 * 1024)
    for number in range(20):
        source.push(large, number / 10, 2.0)
    assert source.waiting == MOST_BYTES // len(large)


def test_a_picture_that_cannot_be_decoded_shows_nothing(source: PushedSource) -> None:
    source.push(jpeg(10), 0.0, 0.0)
    assert level_of(source)[2] == 10
    for number in range(1, 4):
        source.push(jpeg(20)[:-20], number, number)
        source.push(None, number + 0.5, number + 0.5)
    # Nor does a sign repeat what came before it: it may have changed.
    assert source.read(0) is None
    assert "the phone" in str(source.trouble)
    source.push(jpeg(30), 9.0, 9.0)
    assert level_of(source)[2] == 30
    assert source.trouble is None


def test_another_size_is_another_picture(source: PushedSource) -> None:
    source.push(jpeg(10, (64, 36)), 0.0, 0.0)
    source.push(jpeg(10, (36, 64)), 0.1, 0.1)
    shapes = [frame.picture.shape[:2] for frame in (source.read(0), source.read(0)) if frame]
    assert shapes == [(36, 64), (64, 36)]


def test_silence_is_told(source: PushedSource, clock: Clock) -> None:
    source.push(jpeg(10), 0.0, 0.0)
    assert (source.silent_for, source.trouble) == (0.0, None)
    clock.now += 9
    assert source.silent_for == 9.0
    assert source.trouble == "the phone has sent no picture for 9 seconds"


def test_a_reader_is_woken_by_a_frame_and_by_the_end(source: PushedSource) -> None:
    assert source.live
    with source:
        threading.Timer(0.05, source.push, (jpeg(10), 0.0, 0.0)).start()
        began = time.monotonic()
        assert source.read(120) is not None
        threading.Timer(0.05, source.close).start()
        assert source.read(120) is None
        assert time.monotonic() - began < 120
    assert source.ended
    assert not source.push(jpeg(10), 1.0, 1.0)


# -- the sender's clock


def test_the_fastest_message_tells_the_offset() -> None:
    clock = SenderClock()
    assert clock.place(1.0, 1.0, 101.3) == pytest.approx(101.3)
    assert clock.place(2.0, 2.0, 102.1) == pytest.approx(102.1)
    assert clock.place(3.0, 3.0, 103.4) == pytest.approx(103.1)


def test_time_never_goes_back_when_a_better_guess_comes() -> None:
    clock = SenderClock()
    first = clock.place(1.0, 1.0, 103.0)
    second = clock.place(1.1, 1.1, 101.1)
    assert first == 103.0
    assert second == pytest.approx(103.001)
    assert clock.place(9.0, 9.0, 109.0) == pytest.approx(109.0)


def test_clocks_that_drift_apart_are_followed() -> None:
    clock = SenderClock()
    drift = 1 + 200e-6
    placed = [(t, clock.place(t * drift, t * drift, 100.0 + t)) for t in range(0, 3600, 2)]
    late = [t for t, at in placed if at is None or abs(at - 100.0 - t) > 2 * WINDOW * 300e-6]
    assert not late


def test_a_page_that_was_loaded_again_begins_anew() -> None:
    clock = SenderClock()
    clock.place(500.0, 500.0, 1000.0)
    # Loaded again, its clock is at 0. It is believed once it has said so for a while.
    placed = [clock.place(t, t, 1003.0 + t) for t in (0.0, 0.4, 0.8, SUSPECTED_FOR + 0.2, 1.6)]
    assert placed == [None, None, None, pytest.approx(1004.2), pytest.approx(1004.6)]


def test_a_phone_that_slept_is_not_placed_in_the_past() -> None:
    clock = SenderClock()
    clock.place(10.0, 10.0, 1000.0)
    # Its clock stood still for a minute.
    placed = [clock.place(11.0 + t, 11.0 + t, 1061.0 + t) for t in (0.0, 0.5, 1.0, 1.5)]
    assert placed[0] is None
    assert placed[-1] == pytest.approx(1062.5)


def test_what_was_held_up_begins_nothing_anew() -> None:
    clock = SenderClock()
    clock.place(10.0, 10.0, 1000.0)
    clock.place(30.0, 30.0, 1020.0)
    # Sent before the network was lost, these arrive after it is back, all at once.
    assert [clock.place(11.0 + t, 11.0 + t, 1021.0 + t / 10) for t in range(8)] == [None] * 8
    assert clock.place(31.0, 31.0, 1021.0) == pytest.approx(1021.0)
    assert LATE < 10
