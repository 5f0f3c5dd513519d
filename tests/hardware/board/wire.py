"""A link on a wire of messages, with a clock of its own."""

from hardware.board.session.link import Link
from hardware.board.wire.framing import Deframer, encode
from hardware.board.wire.messages import Heartbeat, Hello, Snapshot, pack, unpack

BOARD = bytes.fromhex("e6614c311b7f2a00")


def hello(boot=77, next_seq=10, board=BOARD, seats=6, set_=1, features=3):
    return Hello(board, boot, (1, 0, 0), set_, seats, features, next_seq)


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


def beat(wire, seconds, newest, clock):
    events = []
    for beats in range(round(seconds / 0.5)):
        events += wire.hear(Heartbeat(clock + 500 * beats, newest))
        events += wire.wait(0.5)
    return events
