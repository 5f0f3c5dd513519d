"""Commands, one at a time, sent again until they are answered."""

import pytest

from hardware.board.events import Answered
from hardware.board.messages import Done, Heartbeat, Light, Look, unpack
from tests.hardware.board.wire import Wire, hello


def test_commands_go_one_at_a_time_with_numbers_of_their_own():
    wire = Wire().connect()
    wire.link.commands.put(Light(0, 2, 3))
    wire.link.commands.put(Look(0))
    assert wire.sent() == [Light(1, 2, 3)]
    assert wire.sent() == []
    assert wire.hear(Done(9, 0)) == []
    wire.now += 0.01
    assert wire.hear(Done(1, 0)) == [Answered(Light(1, 2, 3), 0)]
    assert wire.link.round_trip == pytest.approx(0.01)
    assert wire.sent() == [Look(2)]
    assert wire.hear(Done(2, 1)) == [Answered(Look(2), 1)]
    assert wire.link.commands.idle


def test_a_command_is_sent_again_five_times_and_then_given_up():
    wire = Wire().connect()
    wire.link.commands.put(Look(0))
    sent, events = [], []
    for _ in range(40):
        sent += [message for message in wire.sent() if isinstance(message, Look)]
        wire.hear(Heartbeat(500, 9))
        events += wire.wait(0.0625)
    assert sent == [Look(1)] * 6
    assert events == [Answered(Look(1), None)]
    assert (wire.link.commands.retries, wire.link.commands.unanswered) == (5, 1)


def test_a_new_connection_forgets_commands():
    wire = Wire().connect()
    wire.link.commands.put(Look(0))
    wire.link.commands.put(Look(0))
    wire.sent()
    wire.hear(hello())
    assert wire.link.commands.idle
    assert wire.hear(Done(1, 0)) == []


def test_command_numbers_skip_zero():
    wire = Wire().connect()
    commands = wire.link.commands
    for number in [*range(1, 65536), 1, 2]:
        commands.put(Look(0))
        packet, _ = commands.due(0.0)
        assert unpack(packet) == Look(number)
        assert commands.answer(number, 0, 0.0)
