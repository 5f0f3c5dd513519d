"""A virtual board on a clock that a test turns, and a host that keeps what it hears."""

from hardware.board.wire.framing import Deframer, encode
from hardware.board.wire.messages import (
    Ack,
    BoardError,
    Change,
    Connect,
    Hello,
    Snapshot,
    pack,
    unpack,
)
from hardware.virtual_board.board import VirtualBoard


class Cable:
    """A port in memory."""

    def __init__(self):
        self.url = "memory"
        self.plugged = False
        self.to_board = bytearray()
        self.to_host = bytearray()

    def plug(self):
        self.plugged = True

    def unplug(self):
        self.plugged = False
        self.to_board.clear()

    def watched(self):
        return []

    def read(self):
        data = bytes(self.to_board)
        self.to_board.clear()
        return data

    def write(self, data):
        self.to_host += data
        return len(data)

    def close(self):
        self.unplug()


class Host:
    """Connects when told, takes reliable messages in order, and acknowledges them."""

    def __init__(self):
        self.deframer = Deframer()
        self.heard = []
        self.taken = []
        self.boot = self.last = 0
        self.hello = None

    def connect(self):
        self.hello = None
        return encode(pack(Connect(self.boot, self.last)))

    def hear(self, data):
        """What to answer."""
        answer = b""
        for packet in self.deframer.feed(data):
            message = unpack(packet)
            self.heard.append(message)
            if isinstance(message, Hello):
                self.hello, self.boot = message, message.boot
                self.last = (message.next_seq - 1) & 0xFFFF
            elif isinstance(message, Snapshot | Change | BoardError) and self.hello:
                if message.seq == (self.last + 1) & 0xFFFF:
                    self.last = message.seq
                    self.taken.append(message)
                answer += encode(pack(Ack(self.last)))
        return answer

    def of(self, kind):
        return [message for message in self.taken if isinstance(message, kind)]


class Bench:
    """The board, the host, and time."""

    def __init__(self, **options):
        self.seconds = 0.0
        self.cable = Cable()
        self.host = Host()
        self.board = VirtualBoard(self.cable, clock=lambda: self.seconds, **options)
        self.board.plug()

    def connect(self):
        """Until the host knows where everything stands."""
        known = len(self.host.of(Snapshot))
        for _ in range(20):
            self.cable.to_board += self.host.connect()
            self.run(0.25)
            if self.host.hello and len(self.host.of(Snapshot)) > known:
                return
        raise AssertionError("the board does not answer")

    def run(self, seconds, step=0.002):
        """Let time pass, with the host listening."""
        for _ in range(round(seconds / step)):
            self.seconds += step
            self.board.turn()
            if self.cable.plugged:
                answer = self.host.hear(bytes(self.cable.to_host))
                self.cable.to_board += answer
            self.cable.to_host.clear()
