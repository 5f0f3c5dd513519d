"""Host and board agree on a version, whatever is lost meanwhile."""

from random import Random

import pytest

from hardware.board.session.events import Connected
from hardware.board.session.link import CONNECT_EVERY, OLD_LASTS, SILENCE, Link
from hardware.board.wire.framing import Deframer, encode
from hardware.board.wire.messages import Ack, Change, Connect, Heartbeat, Look, pack, unpack
from tests.hardware.board.peer import Peer
from tests.hardware.board.wire import hello, snapshot

HEARTBEAT = 0.5


class Line:
    """A link and a board of some version, and the bytes between them; the time in milliseconds."""

    def __init__(self, speaks, seed=0, loss=0.0):
        self.link, self.peer = Link(), Peer(speaks=speaks)
        self.random, self.loss = Random(seed), loss
        self.now = 0
        self.to_board = b""  # everything ever sent
        self.link.opened(0.0)

    def lossy(self, data):
        return bytes(byte for byte in data if self.random.random() >= self.loss)

    def run(self, seconds, cut=False):
        events, to_peer = [], b""
        for _ in range(round(seconds * 200)):
            to_link = self.lossy(self.peer.step(self.lossy(to_peer), self.now))
            events += self.link.receive(b"" if cut else to_link, self.now / 1000)
            events += self.link.poll(self.now / 1000)
            self.link.kept(self.link.taken)
            sent = self.link.outgoing(self.now / 1000)
            self.to_board += sent
            to_peer = b"" if cut else sent
            self.now += 5
        return events

    def swap(self, speaks):
        """Another firmware is on the same board, and the port stayed."""
        self.peer = Peer(speaks=speaks, boot=self.peer.boot + 1)


def connected(events):
    return [event for event in events if isinstance(event, Connected)]


def test_two_of_today_speak_version_2_at_once():
    line = Line(speaks=2)
    assert connected(line.run(0.05))
    line.run(5)
    assert line.peer.version == 2
    assert 3 not in line.to_board


def test_to_an_older_board_version_1_is_spoken_once_it_was_heard():
    line = Line(speaks=1)
    assert not connected(line.run(HEARTBEAT - 0.1))
    assert 3 not in line.to_board
    assert connected(line.run(HEARTBEAT))
    line.peer.place(0, 4, line.now)
    line.run(1)
    assert line.peer.kept == []
    assert line.peer.version == 1


def test_an_older_board_that_starts_again_is_sent_no_byte_3_meanwhile():
    line = Line(speaks=1)
    line.run(3)
    line.peer.silent = True
    line.run(OLD_LASTS + 0.1)
    line.to_board = b""
    line.run(10)
    assert len(line.to_board) > 10 / CONNECT_EVERY
    assert 3 not in line.to_board
    line.peer.restart(boot=99, seq=5, now=line.now)
    line.peer.silent = False
    assert connected(line.run(2 * HEARTBEAT))


@pytest.mark.parametrize(("before", "after"), [(1, 2), (2, 1)])
def test_another_firmware_on_the_board_changes_the_version(before, after):
    line = Line(speaks=before)
    line.run(2)
    assert line.peer.version == before
    line.swap(after)
    assert connected(line.run(SILENCE + 4))
    line.run(1)
    assert line.peer.version == after
    assert line.peer.kept == []


@pytest.mark.parametrize("speaks", [1, 2])
@pytest.mark.parametrize("seed", range(8))
def test_they_agree_through_lost_bytes_and_a_cable_pulled_meanwhile(speaks, seed):
    line = Line(speaks, seed, loss=0.02)
    events = []
    for pull in range(12):
        events += line.run(line.random.random() * 0.7)
        line.run(line.random.random() * 0.3, cut=True)
        if pull % 3 == 0:
            line.link.closed()
            line.link.opened(line.now / 1000)
    line.peer.place(1, 3, line.now)
    line.loss = 0.0
    events += line.run(SILENCE + 3)
    assert connected(events)
    assert line.link.connected
    assert line.peer.version == speaks
    assert line.peer.kept == []
    assert line.link.taken == line.peer.seq
    if speaks == 2:
        assert 3 not in line.to_board


def test_what_a_board_of_version_2_says_in_version_1_counts_too():
    """As of one that an older host has left, or that has just started."""
    link = Link()
    link.opened(0.0)
    for message in (Heartbeat(5, 9), hello(77, 10), snapshot(10), Change(11, 2, 1, 1)):
        link.receive(encode(pack(message, 1)), 0.1)
    link.kept(11)
    link.commands.put(Look(0))
    link.poll(0.1)
    sent = link.outgoing(0.1)
    packets = Deframer().feed(sent)
    assert {packet[0] for packet in packets} == {2}
    assert [unpack(packet) for packet in packets] == [Look(1), Ack(11)]


def test_a_version_later_than_ours_is_spoken_to_in_ours():
    link = Link()
    link.opened(0.0)
    link.receive(encode(pack(Heartbeat(5, 9, speaks=7), 1)), 0.1)
    link.poll(0.1)
    (packet,) = Deframer().feed(link.outgoing(0.1))
    assert (packet[0], unpack(packet)) == (2, Connect(0, 0))
