"""A board on a desk: the firmware's logic in CPython, and the host that a test plays."""

from hardware.board.wire.framing import Deframer, encode
from hardware.board.wire.messages import Ack, Connect, Hello, pack, unpack
from hardware.firmware.referee_board.board import Board

ID = b"desk-top"
MAGNET = 2650
NO_MAGNET = 1650


class Desk:
    """``run`` lets time pass in steps of 5 ms; what the board has said is in ``heard``.

    ``room`` is how many bytes the line takes in a step, None: any number.
    """

    def __init__(self, seats=3, boot=1000, start=0, **more):
        self.now = start
        self.boot = boot
        self.seats = seats
        self.rows = [[MAGNET] * 4] + [[NO_MAGNET] * 4 for _ in range(seats)]
        self.supply_mv = 4700
        self.shown = []
        self.buzzed = []
        self.ticks = []
        self.heard = []
        self._sent = b""
        self.room = None
        self._spent = 0
        self._to_board = b""
        self._deframer = Deframer()
        self.board = Board(self, self, self, lambda: self.now, ID, boot, 1, seats, **more)

    def read(self):
        data, self._to_board = self._to_board, b""
        return data

    def write(self, data):
        taken = len(data) if self.room is None else min(len(data), self.room - self._spent)
        self._spent += taken
        self._sent += data[:taken]
        self.heard += [unpack(packet) for packet in self._deframer.feed(data[:taken])]
        return taken

    def scan(self):
        return self.rows

    def supply(self):
        return self.supply_mv

    def show(self, place, pattern, power):
        self.shown.append((place, pattern, power))

    def buzz(self, place, ms, hz):
        self.buzzed.append((place, ms, hz))

    def tick(self, now):
        self.ticks.append(now)

    def run(self, ms):
        for _ in range(ms // 5):
            self._spent = 0
            self.board.step()
            self.now += 5
        return self.take()

    def take(self):
        heard, self.heard = self.heard, []
        return heard

    def send(self, *messages):
        for message in messages:
            self._to_board += encode(pack(message))

    def sent(self):
        """The bytes to the host since this was last asked."""
        sent, self._sent = self._sent, b""
        return sent

    def send_bytes(self, data):
        self._to_board += data

    def connect(self, boot=0, last=0):
        """Connect; the hello."""
        self.send(Connect(boot, last))
        heard = self.run(5)
        self.heard = [message for message in heard if not isinstance(message, Hello)]
        (hello,) = [message for message in heard if isinstance(message, Hello)]
        return hello

    def settle(self, ms=100):
        """Let time pass, and acknowledge all that comes."""
        heard = []
        for _ in range(ms // 5):
            new = self.run(5)
            heard += new
            numbers = [message.seq for message in new if type(message).__name__ in RELIABLE]
            if numbers:
                self.send(Ack(numbers[-1]))
        heard += self.run(5)
        return heard

    def turn(self, place, power):
        """Put a magnet there, or take it away."""
        now = self.rows[place][power]
        self.rows[place][power] = NO_MAGNET if now == MAGNET else MAGNET

    def flip(self, place=1, power=0):
        """The same, long enough to be seen."""
        self.turn(place, power)
        return self.run(50)


def ready(**more):
    """A desk whose host has connected and taken everything."""
    desk = Desk(**more)
    desk.run(100)
    desk.connect()
    desk.settle(20)
    return desk


RELIABLE = ("Snapshot", "Change", "BoardError")


def reliable(heard):
    return [message for message in heard if type(message).__name__ in RELIABLE]


def kinds(heard):
    return [type(message).__name__ for message in heard]
