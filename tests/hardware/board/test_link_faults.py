"""Commands, refused messages, and silence."""

import pytest

from hardware.board.session.events import (
    Answered,
    BoardClock,
    Connected,
    OtherBoard,
    OtherVersion,
    Silent,
    Taken,
    Unusable,
)
from hardware.board.session.link import Link
from hardware.board.wire import messages as msg
from hardware.board.wire.framing import encode
from tests.hardware.board.wire import Wire, beat, hello, snapshot


def test_commands_go_one_at_a_time_with_numbers_of_their_own():
    wire = Wire().connect()
    wire.link.commands.put(msg.Light(0, 2, 3))
    wire.link.commands.put(msg.Look(0))
    assert wire.sent() == [msg.Light(1, 2, 3)]
    assert wire.sent() == []
    assert wire.hear(msg.Done(9, 0)) == []
    wire.now += 0.01
    assert wire.hear(msg.Done(1, 0)) == [Answered(msg.Light(1, 2, 3), 0)]
    assert wire.link.round_trip == pytest.approx(0.01)
    assert wire.sent() == [msg.Look(2)]
    assert wire.hear(msg.Done(2, 1)) == [Answered(msg.Look(2), 1)]
    assert wire.link.commands.idle


def test_a_command_is_sent_again_five_times_and_then_given_up():
    wire = Wire().connect()
    wire.link.commands.put(msg.Look(0))
    sent, events = [], []
    for _ in range(40):
        sent += [message for message in wire.sent() if isinstance(message, msg.Look)]
        wire.hear(msg.Heartbeat(500, 9))
        events += wire.wait(0.0625)
    assert sent == [msg.Look(1)] * 6
    assert events == [Answered(msg.Look(1), None)]
    assert (wire.link.commands.retries, wire.link.commands.unanswered) == (5, 1)


def test_a_new_connection_forgets_commands():
    wire = Wire().connect()
    wire.link.commands.put(msg.Look(0))
    wire.link.commands.put(msg.Look(0))
    wire.sent()
    wire.hear(hello())
    assert wire.link.commands.idle
    assert wire.hear(msg.Done(1, 0)) == []


def test_command_numbers_skip_zero():
    wire = Wire().connect()
    commands = wire.link.commands
    for number in [*range(1, 65536), 1, 2]:
        commands.put(msg.Look(0))
        command, _ = commands.due(0.0)
        assert command == msg.Look(number)
        assert commands.answer(number, 0, 0.0)


def test_another_version_is_said_once():
    wire = Wire()
    packet = b"\3" + msg.pack(hello())[1:]
    assert wire.link.receive(encode(packet) * 3, wire.now) == [OtherVersion(3)]
    assert wire.link.counts["version"] == 3


def test_what_is_not_known_or_too_short_is_counted():
    wire = Wire().connect()
    packets = [
        bytes([2, 0x42, 0, 0]),
        msg.pack(msg.Heartbeat(1, 2))[:-1],
        msg.pack(msg.Heartbeat(1, 9)),
    ]
    assert wire.link.receive(b"".join(map(encode, packets)), wire.now) == [BoardClock(1)]
    assert (wire.link.counts["type"], wire.link.counts["short"]) == (1, 1)


@pytest.mark.parametrize(
    "message",
    [
        msg.Change(10, 1, 7, 1),
        msg.BoardError(10, 1, 1, 7, 1),
        msg.Snapshot(10, 1, bytes(6)),
    ],
)
def test_places_that_there_are_not_are_dropped_but_do_not_stop_the_board(message):
    wire = Wire().connect()
    assert wire.hear(message) == [Taken(10, None)]
    assert wire.link.counts["range"] == 1
    wire.link.kept(10)
    assert wire.sent() == [msg.Ack(10)]


@pytest.mark.parametrize("bad", [{"seats": 0}, {"seats": 11}, {"set_": 3}, {"boot": 0}])
def test_a_hello_that_cannot_be_is_dropped(bad):
    wire = Wire()
    assert wire.hear(hello(**bad)) == [Unusable()]
    assert wire.link.counts["range"] == 1
    assert not wire.link.connected


def test_another_board_than_the_one_insisted_on_is_not_listened_to():
    wire = Wire(Link(board=b"8 bytes!"))
    assert wire.hear(hello(), snapshot(10)) == [OtherBoard(hello())]
    mine = hello(board=b"8 bytes!")
    assert wire.hear(mine) == [Connected(mine, False)]


def test_a_heartbeat_is_a_clock_only_if_nothing_is_missing():
    wire = Wire().connect()
    wire.hear(snapshot(10))
    wire.link.kept(10)
    wire.sent()
    assert wire.hear(msg.Heartbeat(1500, 10)) == [BoardClock(1500)]
    assert wire.hear(msg.Heartbeat(2000, 11)) == []
    assert wire.sent() == [msg.Ack(10)]  # which has the board send 11 again


def test_a_board_that_holds_its_messages_back_is_connected_to_anew():
    wire = Wire().connect()
    wire.hear(snapshot(10))
    wire.link.kept(10)
    beat(wire, 3, newest=12, clock=1000)
    assert msg.Connect(77, 10) in wire.sent()


def test_it_does_not_connect_anew_while_its_own_disk_is_what_is_late():
    wire = Wire().connect()
    wire.hear(snapshot(10))
    for second in range(10):
        beat(wire, 1, newest=12, clock=1000 * second)
        assert wire.sent() == [msg.Ack(9)]
    assert wire.link.connected


def test_a_clock_that_goes_back_is_a_new_start():
    wire = Wire().connect()
    wire.hear(msg.Heartbeat(60_000, 9))
    wire.hear(msg.Heartbeat(59_800, 9))  # overtaken on its way
    assert wire.link.connected
    wire.hear(msg.Heartbeat(12, 9))
    assert wire.sent() == [msg.Connect(77, 9)]


def test_silence_is_said_once_after_two_seconds_and_it_connects_anew():
    wire = Wire().connect()
    wire.hear(msg.Heartbeat(500, 9))
    assert wire.wait(1.9375) == []
    assert wire.wait(10) == [Silent(heard=False)]
    assert msg.Connect(77, 9) in wire.sent()
    assert wire.hear(hello(77, 10)) == [Connected(hello(77, 10), True)]
    assert wire.wait(2) == [Silent(heard=False)]


def test_unplugged_for_less_than_two_seconds_it_is_not_silent():
    wire = Wire().connect()
    wire.hear(msg.Heartbeat(500, 9))
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
    wire.hear(msg.Heartbeat(500, 9))
    wire.link.poll(wire.now)
    assert not wire.link.connected
    assert wire.sent() == [msg.Connect(77, 9)]
