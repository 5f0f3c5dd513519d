"""The host's end of a connection: bytes in, events and bytes out. No I/O, no clock.

Times are seconds of any clock that never goes back, the same in every call.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import replace

from hardware.board.session.events import (
    Answered,
    BoardClock,
    Connected,
    InUse,
    LinkEvent,
    Measured,
    OtherBoard,
    OtherVersion,
    Silent,
    Taken,
    Unusable,
)
from hardware.board.wire.framing import Deframer, encode
from hardware.board.wire.messages import (
    MAX_SEATS,
    NO_PLACE,
    SET_NAMES,
    Ack,
    BoardError,
    BoardMessage,
    Change,
    Command,
    Connect,
    Done,
    Heartbeat,
    Hello,
    Levels,
    MessageError,
    OtherVersionError,
    Reliable,
    ShortBodyError,
    Snapshot,
    pack,
    unpack,
)
from hardware.board.wire.network_messages import TAKEN, Admission, Leave
from hardware.board.wire.sequence_numbers import before, distance, elapsed, following

RETRY_AFTER = 0.2
RETRIES = 5


class CommandQueue:
    """Waiting commands and the one under way. Times are in seconds of the link's clock.

    ``retries`` counts repeated commands, ``unanswered`` those given up. ``round_trip`` is the time
    in seconds to the latest answer to a command that was sent only once.
    """

    def __init__(self) -> None:
        self.retries = 0
        self.unanswered = 0
        self.round_trip: float | None = None
        self._waiting: deque[Command] = deque()
        self._under_way: Command | None = None
        self._tries = 0
        self._sent_at = 0.0
        self._number = 0

    @property
    def idle(self) -> bool:
        """Whether no command waits or is under way."""
        return self._under_way is None and not self._waiting

    def put(self, command: Command) -> None:
        """Queue a command; it gets its number when it is sent."""
        self._waiting.append(command)

    def clear(self) -> None:
        """Forget all commands, as the board does at a new connection."""
        self._waiting.clear()
        self._under_way = None

    def due(self, now: float) -> tuple[Command | None, list[LinkEvent]]:
        """Return the command to send now, if any, and the one given up."""
        given_up: list[LinkEvent] = []
        if self._under_way is not None:
            if now - self._sent_at < RETRY_AFTER:
                return None, []
            if self._tries > RETRIES:
                self.unanswered += 1
                given_up.append(Answered(self._under_way, None))
                self._under_way = None
            else:
                self.retries += 1
        if self._under_way is None:
            if not self._waiting:
                return None, given_up
            self._number = self._number % 65535 + 1
            self._under_way = replace(self._waiting.popleft(), seq=self._number)
            self._tries = 0
        self._tries += 1
        self._sent_at = now
        return self._under_way, given_up

    def answer(self, seq: int, result: int, now: float) -> Answered | None:
        """Take the board's answer to a command; None if that one is not under way."""
        command = self._under_way
        if command is None or command.seq != seq:
            return None
        self._under_way = None
        if self._tries == 1:  # otherwise it is unknown which one was answered
            self.round_trip = now - self._sent_at
        return Answered(command, result)


CONNECT_EVERY = 0.25
SILENCE = 2.0
ACK_EVERY = 0.8  # the board wants one every second
BEHIND = 2.0  # reconnect if an announced message does not come within this time
BOARD_KEEPS = 512  # messages that nobody has acknowledged
BOARD_PATIENCE = 5.0  # the board drops a host that is silent for this long
CLOCK_SLACK = 1000  # ms; heartbeats may overtake each other without a restart


class Link:
    """One board's connection, over any number of openings of its port.

    Args:
        boot: The boot number of the board whose messages were stored last; 0 if none were.
        last_seq: The number of the last message stored.
        board: The id of the required board, 8 bytes; any if None.
    """

    def __init__(self, boot: int = 0, last_seq: int = 0, board: bytes | None = None) -> None:
        self.hello: Hello | None = None
        self.connected = False
        self.boot = boot
        self.taken = last_seq
        self.kept_seq = last_seq
        self.counts = dict.fromkeys(
            ("connections", "version", "type", "short", "range", "gaps", "duplicates"), 0
        )
        self.round_trip: float | None = None  # seconds, of the latest answer
        self.commands = CommandQueue()  # a new connection empties it
        self._required = board
        self._deframer = Deframer()
        self._out = bytearray()
        self._open = False
        self._trusted: float | None = None  # when the connected board was last heard
        self._heard = False  # a good frame since connecting began
        self._silent = False
        self._version_reported = False
        self._connect_at = 0.0
        self._connect_sent = 0.0
        self._ack_due = False
        self._ack_at = 0.0
        self._behind_since: float | None = None
        self._board_time: int | None = None

    @property
    def frames(self) -> tuple[int, int]:
        """The counts of good frames and of dropped ones."""
        return self._deframer.good, sum(self._deframer.dropped.values())

    def opened(self, now: float) -> None:
        """Connect: the port is open."""
        self._deframer.feed(b"\0")  # drop an unfinished frame of the port before
        self._out.clear()
        self._open = True
        self._begin(now)

    def closed(self) -> None:
        """Note that the port is gone; positions stay known until the silence is over."""
        self._open = False
        self.connected = False
        self._out.clear()

    def kept(self, seq: int) -> None:
        """Note that all messages up to this number are stored; only those are acknowledged."""
        if before(self.kept_seq, seq) and not before(self.taken, seq):
            self.kept_seq = seq
            self._ack_due = True

    def receive(self, data: bytes, now: float) -> list[LinkEvent]:
        """Take bytes from the board; return the events in them."""
        events: list[LinkEvent] = []
        for packet in self._deframer.feed(data):
            try:
                message = unpack(packet)
            except OtherVersionError as error:
                self.counts["version"] += 1
                if not self._version_reported:
                    self._version_reported = True
                    events.append(OtherVersion(error.version))
            except ShortBodyError:
                self.counts["short"] += 1
            except MessageError:
                self.counts["type"] += 1
            else:
                self._heard = True
                if self.connected:
                    self._trusted = now
                self._read(message, now, events.append)
        return events

    def poll(self, now: float) -> list[LinkEvent]:
        """Return events caused by timeouts; call at least every 50 ms, after ``receive``."""
        events: list[LinkEvent] = []
        if self._trusted is None:
            self._trusted = now
        if now - self._trusted >= SILENCE:
            if self.connected:
                self._begin(now)
            if not self._silent:
                self._silent = True
                events.append(Silent(self._heard))
        elif self.connected and now - self._ack_at >= BOARD_PATIENCE:
            self._begin(now)
        if not self._open:
            return events
        if not self.connected:
            if now >= self._connect_at:
                self._send_connect(now)
            return events
        if now - self._ack_at >= ACK_EVERY:
            self._ack_due = True
        command, given_up = self.commands.due(now)
        if command:
            self._send(command)
        return events + given_up

    def outgoing(self, now: float) -> bytes:
        """Return the bytes to send now, once."""
        if self._ack_due and self.connected:
            self._send(Ack(self.kept_seq))
            self._ack_due = False
            self._ack_at = now
        out = bytes(self._out)
        self._out.clear()
        return out

    def leave(self) -> None:
        """End the connection, so that another host may have the board."""
        if self.connected:
            self._send(Leave())

    def _begin(self, now: float) -> None:
        self.connected = False
        self._heard = False
        self._version_reported = False
        self._ack_due = False
        self._connect_at = now
        if self._trusted is None:
            self._trusted = now

    def _send(self, message: Connect | Ack | Leave | Command) -> None:
        self._out += encode(pack(message))

    def _send_connect(self, now: float) -> None:
        self._send(Connect(self.boot, self.kept_seq))
        self._connect_sent = now
        self._connect_at = now + CONNECT_EVERY

    def _read(self, message: BoardMessage, now: float, say: Callable[[LinkEvent], None]) -> None:
        match message:
            case Hello():
                self._greet(message, now, say)
            case Snapshot() | Change() | BoardError() if self.connected:
                self._take(message, say)
            case Heartbeat(time, newest) if self.connected:
                self._compare(time, newest, now, say)
            case Levels() if self.connected:
                self._measured(message, say)
            case Admission(result) if result == TAKEN and not self.connected:
                say(InUse())
            case Done(seq, result):
                answered = self.commands.answer(seq, result, now)
                if answered:
                    self.round_trip = self.commands.round_trip or self.round_trip
                    say(answered)

    def _greet(self, hello: Hello, now: float, say: Callable[[LinkEvent], None]) -> None:
        if hello.set not in SET_NAMES or not 1 <= hello.seats <= MAX_SEATS or not hello.boot:
            self.counts["range"] += 1
            say(Unusable())
            return
        if self._required not in (None, hello.board):
            say(OtherBoard(hello))
            return
        # An earlier connect may be answered after messages were taken: those that come again are
        # duplicates. More than a board keeps were not taken: this side knows of an earlier time.
        last = following(hello.next_seq, -1)
        goes_on = distance(last, self.taken) <= BOARD_KEEPS
        resumed = hello.boot == self.boot and goes_on
        if not resumed:
            self.boot = hello.boot
            self.taken = self.kept_seq = last
        if not self.connected:
            self.counts["connections"] += 1
            self.round_trip = now - self._connect_sent
        self.hello = hello
        self.connected = True
        self._trusted = self._ack_at = now
        self._silent = False
        self._behind_since = self._board_time = None
        self.commands.clear()  # the board has forgotten them and put its lights out
        say(Connected(hello, resumed))

    def _take(self, message: Reliable, say: Callable[[LinkEvent], None]) -> None:
        if message.seq != following(self.taken):
            if before(self.taken, message.seq):
                self.counts["gaps"] += 1
                self._ack_due = True
            else:
                self.counts["duplicates"] += 1
                # A message taken but not yet stored is acknowledged once it is: an ack that
                # confirms nothing new would make the board send everything again.
                self._ack_due = self._ack_due or not before(self.kept_seq, message.seq)
            return
        self.taken = message.seq
        self._behind_since = None
        if self._exists(message):
            say(Taken(message.seq, message))
        else:
            self.counts["range"] += 1
            say(Taken(message.seq, None))

    def _measured(self, levels: Levels, say: Callable[[LinkEvent], None]) -> None:
        if self.hello is None or levels.place > self.hello.seats:
            self.counts["range"] += 1
        else:
            say(Measured(levels))

    def _exists(self, message: Reliable) -> bool:
        seats = self.hello.seats if self.hello else 0
        match message:
            case Snapshot(cells=cells):
                return len(cells) > seats
            case Change(place=place):
                return place <= seats
            case BoardError(place=place):
                return place <= seats or place == NO_PLACE

    def _compare(
        self, time: int, newest: int, now: float, say: Callable[[LinkEvent], None]
    ) -> None:
        """Compare a heartbeat with the messages taken; the two may arrive out of order."""
        last_time, self._board_time = self._board_time, time
        if last_time is not None and elapsed(last_time, time) < -CLOCK_SLACK:
            self._begin(now)  # it started again
        elif newest == self.taken:
            self._behind_since = None
            say(BoardClock(time))
        elif self.taken == self.kept_seq:  # otherwise the board waits for this side
            self._ack_due = True
            if self._behind_since is None:
                self._behind_since = now
            elif now - self._behind_since >= BEHIND:
                self._behind_since = None
                self._begin(now)
