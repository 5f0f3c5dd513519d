from itertools import pairwise
from random import Random

import pytest

from hardware.board.circle import following
from hardware.board.events import (
    Answered,
    Clock,
    Connected,
    OtherBoard,
    OtherVersion,
    Silent,
    Taken,
)
from hardware.board.framing import Deframer, encode
from hardware.board.link import Link
from hardware.board.messages import (
    Ack,
    BoardError,
    Change,
    Connect,
    Done,
    Heartbeat,
    Hello,
    Light,
    Look,
    Snapshot,
    pack,
    unpack,
)
from tests.hardware.board.peer import BOARD, Peer


def hello(boot=77, next_seq=10, board=BOARD, seats=6, set_=1):
    return Hello(board, boot, (1, 0, 0), set_, seats, 3, next_seq)


def snapshot(seq):
    return Snapshot(seq, 1000, bytes([0x55, 0, 0, 0, 0, 0, 0]))


class Wire:
    """A link and its clock; messages in, events and messages out."""

    def __init__(self, link=None):
        self.link = link or Link()
        self.now = 100.0
        self.link.opened(self.now)
        self._deframer = Deframer()

    def hear(self, *messages):
        data = b"".join(encode(pack(message)) for message in messages)
        return self.link.receive(data, self.now)

    def wait(self, seconds, step=1 / 32):  # exact in binary
        events = []
        for _ in range(round(seconds / step)):
            self.now += step
            events += self.link.poll(self.now)
        return events

    def sent(self):
        self.link.poll(self.now)
        packets = self._deframer.feed(self.link.outgoing(self.now))
        return [unpack(packet) for packet in packets]

    def connect(self, boot=77, next_seq=10):
        self.hear(hello(boot, next_seq))
        self.sent()
        return self


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


def test_what_was_never_taken_is_not_acknowledged():
    wire = Wire().connect()
    wire.hear(snapshot(10))
    wire.link.kept(500)
    wire.link.kept(9)
    assert wire.sent() == []
    assert wire.link.kept_seq == 9


def test_numbers_wrap():
    wire = Wire().connect(next_seq=65500)
    seq = 65500
    for _ in range(100):
        assert wire.hear(Change(seq, 1, 1, 0)) == [Taken(seq, Change(seq, 1, 1, 0))]
        wire.link.kept(seq)
        assert wire.sent() == [Ack(seq)]
        seq = following(seq)
    assert wire.link.taken == 63


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


def test_it_resumes_after_what_it_has_kept():
    wire = Wire(Link(77, 41))
    assert wire.sent() == [Connect(77, 41)]
    assert wire.hear(hello(77, 42), snapshot(42)) == [
        Connected(hello(77, 42), True),
        Taken(42, snapshot(42)),
    ]


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


def test_a_heartbeat_is_a_clock_only_if_nothing_is_missing():
    wire = Wire().connect()
    wire.hear(snapshot(10))
    wire.link.kept(10)
    wire.sent()
    assert wire.hear(Heartbeat(1500, 10)) == [Clock(1500)]
    assert wire.hear(Heartbeat(2000, 11)) == []
    assert wire.sent() == [Ack(10)]  # which has the board send 11 again


def beat(wire, seconds, newest, clock):
    events = []
    for beats in range(round(seconds / 0.5)):
        events += wire.hear(Heartbeat(clock + 500 * beats, newest))
        events += wire.wait(0.5)
    return events


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


def test_another_version_is_said_once():
    wire = Wire()
    packet = b"\2" + pack(hello())[1:]
    assert wire.link.receive(encode(packet) * 3, wire.now) == [OtherVersion(2)]
    assert wire.link.counts["version"] == 3


def test_what_is_not_known_or_too_short_is_counted():
    wire = Wire().connect()
    packets = [bytes([1, 0x42, 0, 0]), pack(Heartbeat(1, 2))[:-1], pack(Heartbeat(1, 9))]
    assert wire.link.receive(b"".join(map(encode, packets)), wire.now) == [Clock(1)]
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


def run(link, peer, milliseconds, lose=lambda direction, count: False, keep=True):
    """Link and peer over a wire that may lose whole transmissions; returns the events."""
    events, to_peer = [], b""
    for count, now in enumerate(range(run.now, run.now + milliseconds, 5)):
        to_link = peer.step(to_peer, now)
        if to_link and not lose("to host", count):
            new = link.receive(to_link, now / 1000)
            events += new
            for event in new:
                if keep and isinstance(event, Taken):
                    link.kept(event.seq)
        events += link.poll(now / 1000)
        to_peer = link.outgoing(now / 1000)
        if lose("to board", count):
            to_peer = b""
    run.now += milliseconds
    return events


@pytest.fixture(autouse=True)
def _clock():
    run.now = 0


LOSSES = Random(7)


def seqs(events):
    return [event.seq for event in events if isinstance(event, Taken)]


def test_against_a_board_lost_acks_and_messages_change_nothing():
    link, peer = Link(), Peer(seq=65500)
    link.opened(0.0)
    events = run(link, peer, 1000)
    for step in range(60):
        peer.place(step % 4, 1 + step % 6, run.now)
        events += run(link, peer, 100, lose=lambda direction, count: LOSSES.random() < 0.3)
    events += run(link, peer, 2000)
    taken = seqs(events)
    assert taken == [following(taken[0], count) for count in range(len(taken))]
    assert taken[-1] == peer.seq
    assert peer.kept == []


def test_against_a_board_that_starts_again():
    link, peer = Link(), Peer()
    link.opened(0.0)
    run(link, peer, 1000)
    peer.restart(boot=99, seq=200, now=run.now)
    events = run(link, peer, 4000)
    greeted = [event for event in events if isinstance(event, Connected)]
    assert [(event.hello.boot, event.resumed) for event in greeted] == [(99, False)]
    assert seqs(events) == [201]


def test_against_a_board_whose_memory_was_full():
    link, peer = Link(), Peer()
    link.opened(0.0)
    run(link, peer, 1000)
    link.closed()
    for _ in range(20):
        peer.lift(0, run.now)
        peer.place(0, 3, run.now)
    lost = len(peer.kept)
    peer.kept.clear()
    peer.error(3, 255, lost, run.now)
    link.opened(run.now / 1000)
    events = run(link, peer, 1000)
    kinds = [type(event.message) for event in events if isinstance(event, Taken)]
    assert kinds[-1] is Snapshot
    assert peer.kept == []
