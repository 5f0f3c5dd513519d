"""A minimal board for tests of the host."""

from hardware.board.wire import messages as msg
from hardware.board.wire.framing import Deframer, encode
from hardware.board.wire.sequence_numbers import before, following
from tests.hardware.board.vectors import cell_of

BOARD = bytes.fromhex("e6614c311b7f2a00")


class Peer:
    """Bytes in, bytes out; ``now`` is in milliseconds, and its clock as well."""

    def __init__(self, seats=6, set_=1, boot=77, seq=65530, features=3, board=BOARD):
        self.seats, self.set, self.boot = seats, set_, boot
        self.features, self.board = features, board
        self.readings = [[0, 0, 0, 0] for _ in range(seats + 1)]
        self.readings[0] = [1, 1, 1, 1]
        self.seq = seq  # of the newest
        self.kept = []  # (seq, message), not acknowledged
        self.connected = False
        self.silent = False
        self.lights = {}
        self.buzzes = []
        self.host = []  # every message that came
        self._last_command = None
        self._deframer = Deframer()
        self._out = b""
        self._sent_at = -1000
        self._beat_at = 0

    def place(self, power, place, now):
        for other in range(self.seats + 1):
            if self.readings[other][power] == 1 and other != place:
                self.set_reading(power, other, 0, now)
        self.set_reading(power, place, 1, now)

    def lift(self, power, now):
        for place in range(self.seats + 1):
            if self.readings[place][power] == 1:
                self.set_reading(power, place, 0, now)

    def set_reading(self, power, place, reading, now):
        self.readings[place][power] = reading
        self.reliable(lambda seq: msg.Change(seq, now, place, cell_of(self.readings[place])))

    def error(self, code, place, detail, now):
        self.reliable(lambda seq: msg.BoardError(seq, now, code, place, detail))

    def reliable(self, make):
        self.seq = following(self.seq)
        message = make(self.seq)
        self.kept.append((self.seq, message))
        self.send(message)

    def snapshot(self, now):
        cells = bytes(map(cell_of, self.readings))
        self.reliable(lambda seq: msg.Snapshot(seq, now, cells))

    def send(self, message):
        if self.connected:
            self._say(message)

    def _say(self, message):
        self._out += encode(msg.pack(message))

    def restart(self, boot, seq, now):
        self.boot, self.seq, self.kept, self.connected = boot, seq, [], False

    def step(self, data, now):
        """Returns the bytes to the host."""
        for packet in self._deframer.feed(data):
            message = msg.unpack(packet)
            self.host.append(message)
            self._answer(message, now)
        if self.connected and self.kept and now - self._sent_at >= 150:
            self._sent_at = now
            for _, message in self.kept[:16]:
                self._say(message)
        if now - self._beat_at >= 500:
            self._beat_at = now
            self._say(msg.Heartbeat(now % 2**32, self.seq))
        out, self._out = self._out, b""
        return b"" if self.silent else out

    def _answer(self, message, now):
        match message:
            case msg.Connect(boot, last):
                first = self.kept[0][0] if self.kept else following(self.seq)
                asked = following(last)
                if boot != self.boot:
                    self.kept.clear()
                    asked = following(self.seq)
                elif before(asked, first) or before(following(self.seq), asked):
                    asked = first
                self._drop_before(asked)
                self.connected, self.lights, self._last_command = True, {}, None
                identity = (self.board, self.boot, (1, 0, 0), self.set, self.seats, self.features)
                self._say(msg.Hello(*identity, asked))
                for _, message in self.kept:
                    self._say(message)
                self._sent_at = now
                self.snapshot(now)
            case msg.Ack(last):
                self._drop_before(following(last))
            case msg.Light(seq) | msg.Buzz(seq) | msg.Look(seq):
                if seq != self._last_command:
                    self._last_command = seq
                    self._do(message, now)
                self._say(msg.Done(seq, 0))

    def _do(self, command, now):
        match command:
            case msg.Light(_, place, pattern, power):
                self.lights[place] = (pattern, power)
                if not pattern:
                    del self.lights[place]
            case msg.Buzz():
                self.buzzes.append(command)
            case msg.Look():
                self.snapshot(now)

    def _drop_before(self, seq):
        self.kept = [(number, message) for number, message in self.kept if not before(number, seq)]
