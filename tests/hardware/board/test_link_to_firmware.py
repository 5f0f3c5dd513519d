"""The host's link and the board's, over a wire that loses what it likes."""

from random import Random

import pytest

from hardware.board.session.events import Taken
from hardware.board.session.link import Link
from hardware.board.wire.sequence_numbers import following
from tests.hardware.firmware.desk import Desk


class Connection:
    """A link and a board on a desk, whose clock is the link's, too."""

    def __init__(self, **more):
        self.link, self.desk = Link(), Desk(**more)
        self.open()

    @property
    def now(self):
        return self.desk.now / 1000

    @property
    def ring(self):
        """What the board keeps until it is acknowledged."""
        return self.desk.board.link._ring

    def open(self):
        self.link.opened(self.now)

    def run(self, milliseconds, wire=bytes):
        """Run both; ``wire`` gives what arrives of what is sent. Returns the events."""
        events = []
        for _ in range(milliseconds // 5):
            self.desk.send_bytes(wire(self.link.outgoing(self.now)))
            self.desk.run(5)
            new = self.link.receive(wire(self.desk.sent()), self.now)
            for event in new:
                if isinstance(event, Taken):
                    self.link.kept(event.seq)
            events += new + self.link.poll(self.now)
        return events

    def flip(self, place, power=0):
        """Put a magnet there, or take it away."""
        self.desk.turn(place, power)


def taken(events):
    return [event for event in events if isinstance(event, Taken)]


def test_lost_acks_and_messages_change_nothing():
    connection, losses = Connection(boot=65500), Random(7)
    events = connection.run(1000)
    for step in range(60):
        connection.flip(step % 4, step % 3)
        events += connection.run(100, lambda sent: b"" if losses.random() < 0.3 else sent)
    events += connection.run(2000)
    seqs = [event.seq for event in taken(events)]
    assert seqs == [following(seqs[0], count) for count in range(len(seqs))]
    assert len(seqs) > 60
    assert following(seqs[-1]) == connection.ring.next
    assert len(connection.ring) == 0


@pytest.mark.parametrize("seed", range(8))
def test_bytes_get_lost_and_the_cable_is_pulled_meanwhile(seed):
    connection, random = Connection(), Random(seed)

    def lossy(sent):
        return bytes(byte for byte in sent if random.random() >= 0.02)

    for pull in range(12):
        connection.run(random.randrange(700), lossy)
        connection.run(random.randrange(300), lambda sent: b"")
        if pull % 3 == 0:
            connection.link.closed()
            connection.open()
    connection.flip(3)
    connection.run(5000)
    assert connection.link.connected
    assert following(connection.link.taken) == connection.ring.next
    assert len(connection.ring) == 0
