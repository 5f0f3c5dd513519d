"""A link against a board, over a wire that loses what it likes."""

from random import Random

import pytest

from hardware.board.session.events import Connected, Taken
from hardware.board.session.link import Link
from hardware.board.wire.messages import Snapshot
from hardware.board.wire.sequence_numbers import following
from tests.hardware.board.peer import Peer


def run(link, peer, milliseconds, wire=bytes):
    """Run both for so long; ``wire`` gives what arrives of what is sent. Returns the events."""
    events, to_peer = [], b""
    for now in range(run.now, run.now + milliseconds, 5):
        new = link.receive(wire(peer.step(to_peer, now)), now / 1000)
        for event in new:
            if isinstance(event, Taken):
                link.kept(event.seq)
        events += new + link.poll(now / 1000)
        to_peer = wire(link.outgoing(now / 1000))
    run.now += milliseconds
    return events


@pytest.fixture(autouse=True)
def _clock():
    run.now = 0


def seqs(events):
    return [event.seq for event in events if isinstance(event, Taken)]


def test_against_a_board_lost_acks_and_messages_change_nothing():
    link, peer, losses = Link(), Peer(seq=65500), Random(7)
    link.opened(0.0)
    events = run(link, peer, 1000)
    for step in range(60):
        peer.place(step % 4, 1 + step % 6, run.now)
        events += run(link, peer, 100, lambda sent: b"" if losses.random() < 0.3 else sent)
    events += run(link, peer, 2000)
    taken = seqs(events)
    assert taken == [following(taken[0], count) for count in range(len(taken))]
    assert taken[-1] == peer.seq
    assert peer.kept == []


@pytest.mark.parametrize("seed", range(8))
def test_against_a_board_whose_bytes_get_lost_and_whose_cable_is_pulled_meanwhile(seed):
    link, peer, random = Link(), Peer(), Random(seed)
    link.opened(0.0)

    def lossy(sent):
        return bytes(byte for byte in sent if random.random() >= 0.02)

    for pull in range(12):
        run(link, peer, random.randrange(0, 700, 5), lossy)
        run(link, peer, random.randrange(0, 300, 5), lambda sent: b"")
        if pull % 3 == 0:
            link.closed()
            link.opened(run.now / 1000)
    peer.place(1, 3, run.now)
    run(link, peer, 5000)
    assert link.connected
    assert link.taken == peer.seq
    assert peer.kept == []


@pytest.fixture
def linked():
    """A link and its board, connected for a second."""
    link, peer = Link(), Peer()
    link.opened(0.0)
    run(link, peer, 1000)
    return link, peer


def test_against_a_board_that_starts_again(linked):
    link, peer = linked
    peer.restart(boot=99, seq=200, now=run.now)
    events = run(link, peer, 4000)
    greeted = [event for event in events if isinstance(event, Connected)]
    assert [(event.hello.boot, event.resumed) for event in greeted] == [(99, False)]
    assert seqs(events) == [201]


def test_against_a_board_whose_memory_was_full(linked):
    link, peer = linked
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
