"""Heartbeats, silence, and when a link connects anew."""

from hardware.board.events import BoardClock, Connected, Silent
from hardware.board.link import Link
from hardware.board.messages import Ack, Connect, Heartbeat
from tests.hardware.board.wire import Wire, beat, hello, snapshot


def test_a_heartbeat_is_a_clock_only_if_nothing_is_missing():
    wire = Wire().connect()
    wire.hear(snapshot(10))
    wire.link.kept(10)
    wire.sent()
    assert wire.hear(Heartbeat(1500, 10)) == [BoardClock(1500)]
    assert wire.hear(Heartbeat(2000, 11)) == []
    assert wire.sent() == [Ack(10)]  # which has the board send 11 again


def test_a_board_that_holds_its_messages_back_is_connected_to_anew():
    wire = Wire().connect()
    wire.hear(snapshot(10))
    wire.link.kept(10)
    beat(wire, 3, newest=12, clock=1000)
    assert Connect(77, 10) in wire.sent()


def test_it_does_not_connect_anew_while_its_own_disk_is_what_is_late():
    wire = Wire().connect()
    wire.hear(snapshot(10))
    for second in range(10):
        beat(wire, 1, newest=12, clock=1000 * second)
        assert wire.sent() == [Ack(9)]
    assert wire.link.connected


def test_a_clock_that_goes_back_is_a_new_start():
    wire = Wire().connect()
    wire.hear(Heartbeat(60_000, 9))
    wire.hear(Heartbeat(59_800, 9))  # overtaken on its way
    assert wire.link.connected
    wire.hear(Heartbeat(12, 9))
    assert wire.sent() == [Connect(77, 9)]


def test_silence_is_said_once_after_two_seconds_and_it_connects_anew():
    wire = Wire().connect()
    wire.hear(Heartbeat(500, 9))
    assert wire.wait(1.9375) == []
    assert wire.wait(10) == [Silent(heard=False)]
    assert Connect(77, 9) in wire.sent()
    assert wire.hear(hello(77, 10)) == [Connected(hello(77, 10), True)]
    assert wire.wait(2) == [Silent(heard=False)]


def test_unplugged_for_less_than_two_seconds_it_is_not_silent():
    wire = Wire().connect()
    wire.hear(Heartbeat(500, 9))
    wire.link.closed()
    assert wire.wait(1.5) == []
    wire.link.opened(wire.now)
    wire.wait(0.25)
    wire.hear(hello(77, 10))
    assert wire.wait(1.5) == []


def test_a_board_never_found_is_silent_too():
    link = Link()
    assert link.poll(5.0) == []
    assert link.poll(6.9) == []
    assert link.poll(7.0) == [Silent(heard=False)]


def test_a_board_that_sends_but_does_not_answer_is_silent_but_heard():
    wire = Wire()
    assert beat(wire, 3, 9, 1000) == [Silent(heard=True)]


def test_garbage_is_no_sign_of_life():
    wire = Wire().connect()
    events = []
    for _ in range(60):
        wire.link.receive(b"garbage\0\x03ab\0" * 20, wire.now)
        events += wire.wait(0.0625)
    assert events == [Silent(heard=False)]
    assert wire.link.frames == (1, 60 * 40)


def test_a_computer_that_slept_connects_anew():
    wire = Wire().connect()
    wire.now += 6.0
    wire.hear(Heartbeat(500, 9))
    wire.link.poll(wire.now)
    assert not wire.link.connected
    assert wire.sent() == [Connect(77, 9)]
