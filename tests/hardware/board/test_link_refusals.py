"""What a link does not take."""

import pytest

from hardware.board.events import BoardClock, Connected, OtherBoard, OtherVersion, Taken
from hardware.board.framing import encode
from hardware.board.link import Link
from hardware.board.messages import Ack, BoardError, Change, Heartbeat, Snapshot, pack
from tests.hardware.board.wire import Wire, hello, snapshot


def test_another_version_is_said_once():
    wire = Wire()
    packet = b"\2" + pack(hello())[1:]
    assert wire.link.receive(encode(packet) * 3, wire.now) == [OtherVersion(2)]
    assert wire.link.counts["version"] == 3


def test_what_is_not_known_or_too_short_is_counted():
    wire = Wire().connect()
    packets = [bytes([1, 0x42, 0, 0]), pack(Heartbeat(1, 2))[:-1], pack(Heartbeat(1, 9))]
    assert wire.link.receive(b"".join(map(encode, packets)), wire.now) == [BoardClock(1)]
    assert (wire.link.counts["type"], wire.link.counts["short"]) == (1, 1)


@pytest.mark.parametrize(
    "message",
    [
        Change(10, 1, 7, 1),
        BoardError(10, 1, 1, 7, 1),
        Snapshot(10, 1, bytes(6)),
    ],
)
def test_places_that_there_are_not_are_dropped_but_do_not_stop_the_board(message):
    wire = Wire().connect()
    assert wire.hear(message) == [Taken(10, None)]
    assert wire.link.counts["range"] == 1
    wire.link.kept(10)
    assert wire.sent() == [Ack(10)]


@pytest.mark.parametrize("bad", [{"seats": 0}, {"seats": 11}, {"set_": 3}, {"boot": 0}])
def test_a_hello_that_cannot_be_is_dropped(bad):
    wire = Wire()
    assert wire.hear(hello(**bad)) == []
    assert wire.link.counts["range"] == 1
    assert not wire.link.connected


def test_another_board_than_the_one_insisted_on_is_not_listened_to():
    wire = Wire(Link(board=b"8 bytes!"))
    assert wire.hear(hello(), snapshot(10)) == [OtherBoard(hello())]
    mine = hello(board=b"8 bytes!")
    assert wire.hear(mine) == [Connected(mine, False)]
