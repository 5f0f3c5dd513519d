"""What a link takes, keeps and acknowledges."""

from itertools import pairwise

import pytest

from hardware.board.session.events import Connected, Taken
from hardware.board.session.link import Link
from hardware.board.wire.messages import Ack, Change, Connect, Heartbeat
from tests.hardware.board.wire import Wire, hello, snapshot


def test_it_connects_until_hello_comes():
    wire = Wire()
    assert wire.sent() == [Connect(0, 0)]
    wire.wait(0.21875)
    assert wire.sent() == []
    wire.wait(0.03125)
    assert wire.sent() == [Connect(0, 0)]
    assert wire.hear(hello()) == [Connected(hello(), False)]
    wire.wait(0.5)
    assert wire.sent() == []


def test_the_first_connection_takes_what_comes_next_and_acknowledges_what_is_kept():
    wire = Wire().connect(next_seq=65535)
    assert wire.hear(snapshot(65535), Change(0, 1001, 2, 1)) == [
        Taken(65535, snapshot(65535)),
        Taken(0, Change(0, 1001, 2, 1)),
    ]
    assert wire.sent() == []  # nothing is kept yet
    wire.link.kept(65535)
    assert wire.sent() == [Ack(65535)]
    wire.link.kept(0)
    assert wire.sent() == [Ack(0)]


def test_a_late_answer_to_an_earlier_connect_brings_nothing_twice():
    """The board had acknowledgements of this connection already, but not all of them."""
    wire = Wire().connect(next_seq=10)
    wire.hear(snapshot(10), Change(11, 1001, 2, 1), Change(12, 1002, 2, 0))
    wire.link.kept(11)
    assert wire.hear(hello(next_seq=11)) == [Connected(hello(next_seq=11), True)]
    again = [Change(11, 1001, 2, 1), Change(12, 1002, 2, 0), Change(13, 1003, 3, 1)]
    assert wire.hear(*again) == [Taken(13, again[-1])]


def test_a_board_that_goes_on_later_has_messages_that_are_gone():
    wire = Wire().connect(next_seq=10)
    wire.hear(snapshot(10))
    assert wire.hear(hello(next_seq=40)) == [Connected(hello(next_seq=40), False)]
    assert wire.hear(Change(40, 9001, 2, 1)) == [Taken(40, Change(40, 9001, 2, 1))]


def test_what_was_never_taken_is_not_acknowledged():
    wire = Wire().connect()
    wire.hear(snapshot(10))
    wire.link.kept(500)
    wire.link.kept(9)
    assert wire.sent() == []
    assert wire.link.kept_seq == 9


def test_duplicates_and_gaps_are_counted_and_answered_with_what_is_kept():
    wire = Wire().connect()
    wire.hear(snapshot(10))
    wire.link.kept(10)
    wire.sent()
    assert wire.hear(snapshot(10)) == []
    assert wire.sent() == [Ack(10)]
    assert wire.hear(Change(12, 1, 1, 0)) == []
    assert wire.sent() == [Ack(10)]
    assert wire.hear(Change(11, 1, 1, 0)) != []
    assert (wire.link.counts["duplicates"], wire.link.counts["gaps"]) == (1, 1)


def test_a_duplicate_of_what_the_disk_has_not_taken_yet_waits_for_the_disk():
    wire = Wire().connect()
    wire.hear(snapshot(10))
    wire.hear(snapshot(10))
    assert wire.sent() == []
    wire.link.kept(10)
    assert wire.sent() == [Ack(10)]


def test_it_gives_a_sign_of_life_every_second():
    wire = Wire().connect()
    acks = []
    for _ in range(100):
        wire.hear(Heartbeat(1000, 9))
        wire.wait(0.0625)
        acks += [(wire.now, message) for message in wire.sent()]
    assert all(message == Ack(9) for _, message in acks)
    times = [100.0, *(at for at, _ in acks)]
    assert max(b - a for a, b in pairwise(times)) <= 1.0


@pytest.mark.parametrize(("boot", "next_seq"), [(78, 42), (77, 60)])
def test_another_start_or_lost_messages_are_no_resumption(boot, next_seq):
    wire = Wire(Link(77, 41))
    wire.sent()
    assert wire.hear(hello(boot, next_seq)) == [Connected(hello(boot, next_seq), False)]
    assert wire.hear(snapshot(next_seq)) == [Taken(next_seq, snapshot(next_seq))]


def test_after_an_unplug_what_was_taken_but_not_kept_is_not_taken_again():
    wire = Wire().connect()
    wire.hear(snapshot(10), Change(11, 1, 1, 1))
    wire.link.kept(10)
    wire.sent()
    wire.link.closed()
    wire.now += 1
    wire.link.opened(wire.now)
    assert wire.sent() == [Connect(77, 10)]
    again = [Change(11, 1, 1, 1), snapshot(12)]
    assert wire.hear(hello(77, 11), *again) == [
        Connected(hello(77, 11), True),
        Taken(12, snapshot(12)),
    ]
    wire.link.kept(12)
    assert wire.sent() == [Ack(12)]


def test_a_second_hello_to_a_second_connect_takes_nothing_twice():
    wire = Wire(Link(77, 5))
    wire.sent()
    wire.wait(0.25)
    assert wire.sent() == [Connect(77, 5)]
    wire.hear(hello(77, 6), Change(6, 1, 1, 1), snapshot(7))
    wire.link.kept(7)
    assert wire.hear(hello(77, 6), Change(6, 1, 1, 1), snapshot(7), snapshot(8)) == [
        Connected(hello(77, 6), True),
        Taken(8, snapshot(8)),
    ]


def test_messages_before_hello_are_not_taken():
    wire = Wire(Link(77, 41))
    assert wire.hear(Change(42, 1, 1, 1), Heartbeat(5, 42)) == []
    assert not wire.link.connected
