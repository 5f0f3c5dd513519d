"""The board's side of a connection. Times are in ms, see ``ticks``."""

from . import messages
from .framing import Deframer, frame
from .ring import WRAP, Ring
from .ticks import elapsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .board import Board
    from .ports import Uart

WINDOW = 16
RESEND_MS = 150
REPEAT_MS = 20  # minimum interval between two retransmissions
SILENCE_MS = 5000
HOLD_MS = 10_000  # a silent host has so long to come back before another one may have the board
HEARTBEAT_MS = 500
MEASURE_MS = 200  # from one round of levels to the next


class Line:
    """A way to a host. Its deframer counts invalid frames."""

    def __init__(self, uart: "Uart") -> None:
        self.deframer: Deframer = Deframer()
        self._uart: Uart = uart
        self._out: bytes = b""

    def read(self) -> "list[bytes]":
        """Return the packets that have come."""
        data = self._uart.read()
        return self.deframer.feed(data) if data else []

    def flush(self) -> bool:
        """Write on; return whether everything is written."""
        if self._out:
            taken = self._uart.write(self._out)
            self._out = self._out[taken:]
        return not self._out

    def say(self, packet: bytes) -> None:
        """Send a packet next, unless another one is half written."""
        if not self._out:
            self._out = frame(packet)


class Link:
    """One host at a time, over the cable or the network.

    The owner adds messages and calls ``receive`` and ``send`` in every turn. ``refused`` counts
    intact packets that are no valid message, by reason. ``uart`` is the cable.
    """

    def __init__(
        self,
        uart: "Uart",
        owner: "Board",
        board_id: bytes,
        boot: int,
        firmware: tuple[int, int, int],
        power_set: int,
        seats: int,
        features: int,
    ) -> None:
        self.refused: dict[str, int] = {"version": 0, "type": 0, "short": 0, "number": 0}
        self.connected: bool = False
        self.measuring: bool = False
        self._cable: Line = Line(uart)
        self._lines: list[Line] = [self._cable]
        self._line: Line = self._cable  # the host's
        self._held: bool = False  # for the host that was connected last
        self._owner: Board = owner
        self._identity: tuple[bytes, int, tuple[int, int, int], int, int, int] = (
            board_id,
            boot,
            firmware,
            power_set,
            seats,
            features,
        )
        self._boot: int = boot
        self._places: int = seats + 1
        # Begin at a random number after each start: old acks then match nothing.
        self._ring: Ring = Ring(boot)
        self._sent: int = self._ring.next  # the next to send
        self._highest: int = self._ring.next  # the first not yet sent in this connection
        self._sent_at: list[int] = [0] * WINDOW
        self._again_at: int = 0
        self._heard_at: int = 0
        self._beat_at: int | None = None
        self._beat_due: bool = False
        self._hello_due: int | None = None
        self._done_due: tuple[int, int] | None = None
        self._last_command: tuple[int, int] = (0, 0)
        self._measure_ms: int = 0
        self._measure_from: int = 0
        self._levels_at: int = 0  # when the round began
        self._levels_next: int = 0  # the place whose levels are sent next

    def add(self, door: "Uart") -> None:
        """Add the line to hosts on the network."""
        self._lines.append(Line(door))

    def change(self, now: int, place: int, cell: int) -> None:
        """Report a place's new cell."""
        if not self._overflow(now, 1):
            self._ring.add(messages.change(self._ring.next, now, place, cell))

    def error(self, now: int, code: int, place: int, detail: int) -> None:
        """Report the start or end of a failure."""
        if not self._overflow(now, 0):
            self._ring.add(messages.error(self._ring.next, now, code, place, detail))

    def snapshot(self, now: int) -> None:
        """Report the cells of all places."""
        if not self._overflow(now, 0):
            self._ring.add(messages.snapshot(self._ring.next, now, self._owner.cells()))

    def receive(self, now: int) -> None:
        """Handle everything that hosts have sent."""
        for line in self._lines:
            for packet in line.read():
                try:
                    kind, seq, fields = messages.read(packet)
                except messages.MessageError as error:
                    self.refused[error.reason] += 1
                else:
                    self._take(now, line, kind, seq, fields)

    def send(self, now: int) -> None:
        """Send due messages, as far as the line accepts them."""
        self._keep_time(now)
        for line in self._lines:
            line.flush()
        while self._line.flush():
            packet = self._next_packet(now)
            if packet is None:
                return
            self._line.say(packet)

    def _take(self, now: int, line: Line, kind: int, seq: int, fields: "tuple[Any, ...]") -> None:
        if kind == messages.CONNECT:
            self._greet(now, line, fields[0], fields[1])
        elif kind == messages.JOIN or kind == messages.ASK:
            if line is self._cable:  # nobody on the network moves a board to another one
                line.say(self._owner.network(fields))
        elif kind == messages.PROOF:
            pass  # the door takes what counts
        elif self.connected and line is self._line:
            self._heard_at = now
            if kind == messages.ACK:
                self._ack(now, fields[0])
            elif kind == messages.LEAVE:
                self._disconnect()
                self._held = False
            else:
                self._command(now, kind, seq, fields)

    def _keep_time(self, now: int) -> None:
        silent = elapsed(now, self._heard_at)
        if self.connected and silent >= SILENCE_MS:
            self._disconnect()
        if self._held and silent >= HOLD_MS:
            self._held = False
        if self._beat_at is None or elapsed(now, self._beat_at) >= HEARTBEAT_MS:
            self._beat_at = now
            self._beat_due = True
            if not self.connected:
                for line in self._lines:
                    if line is not self._line:
                        line.say(self._heartbeat(now))
        if self.measuring:
            self.measuring = elapsed(now, self._measure_from) < self._measure_ms
            if elapsed(now, self._levels_at) >= MEASURE_MS:
                self._levels_at = now
                self._levels_next = 0
        if self.connected and self._highest != self._ring.first:
            oldest_at = self._sent_at[self._ring.first % WINDOW]
            if elapsed(now, oldest_at) >= RESEND_MS and elapsed(now, self._again_at) >= REPEAT_MS:
                self._send_again(now)

    def _disconnect(self) -> None:
        self.connected = self.measuring = False
        self._owner.disconnected()

    def _heartbeat(self, now: int) -> bytes:
        return messages.heartbeat(now, (self._ring.next - 1) & WRAP)

    def _next_packet(self, now: int) -> bytes | None:
        if self._hello_due is not None:
            next_seq, self._hello_due = self._hello_due, None
            return messages.hello(*self._identity, next_seq)
        if self._done_due is not None:
            (seq, result), self._done_due = self._done_due, None
            return messages.done(seq, result)
        if self._beat_due:
            self._beat_due = False
            return self._heartbeat(now)
        under_way = (self._sent - self._ring.first) & WRAP
        if not self.connected or under_way == WINDOW or self._sent == self._ring.next:
            return self._next_levels()
        seq = self._sent
        self._sent = (seq + 1) & WRAP
        if seq == self._highest:
            self._highest = self._sent
        self._sent_at[seq % WINDOW] = now
        return self._ring.packet(seq)

    def _next_levels(self) -> bytes | None:
        if not self.measuring or self._levels_next == self._places:
            return None
        self._levels_next += 1
        return self._owner.levels(self._levels_next - 1)

    def _greet(self, now: int, line: Line, boot: int, last: int) -> None:
        """Connect a host, unless the board is another's, who would lose what it has not yet got."""
        goes_on = boot == self._boot and (last + 1 - self._ring.first) & WRAP <= len(self._ring)
        same = line is self._line and line is self._cable  # which is in one program's hands
        if self._held and not goes_on and not same:
            line.say(messages.admission(messages.TAKEN))
            return
        self._line = line
        self.connected = self._held = True
        self.measuring = False
        self._heard_at = now
        self._last_command = (0, 0)
        self._done_due = None
        if goes_on:
            self._ring.forget_before(last + 1)
        elif boot != self._boot:
            self._ring.clear()
        # Else it has forgotten what it acknowledged. What nobody has acknowledged is new to it.
        self._begin_at_first()
        self._owner.connected(now)
        self.snapshot(now)
        self._hello_due = self._ring.first

    def _begin_at_first(self) -> None:
        self._sent = self._highest = self._ring.first

    def _ack(self, now: int, last: int) -> None:
        seq = (last + 1) & WRAP
        under_way = (self._highest - self._ring.first) & WRAP
        if 0 < (seq - self._ring.first) & WRAP <= under_way:
            if (self._sent - self._ring.first) & WRAP < (seq - self._ring.first) & WRAP:
                self._sent = seq
            self._ring.forget_before(seq)
        elif under_way and elapsed(now, self._again_at) >= REPEAT_MS:
            self._send_again(now)

    def _send_again(self, now: int) -> None:
        self._sent = self._ring.first
        self._again_at = now

    def _command(self, now: int, kind: int, seq: int, fields: tuple[int, ...]) -> None:
        if seq == 0:
            self.refused["number"] += 1
            return
        if seq != self._last_command[0]:
            if kind == messages.LOOK:
                self.snapshot(now)
                result = messages.RESULT_DONE
            elif kind == messages.MEASURE:
                result = self._measure(now, fields[0])
            else:
                result = self._owner.command(kind, fields)
            self._last_command = (seq, result)
        self._done_due = self._last_command

    def _measure(self, now: int, seconds: int) -> int:
        if seconds and not self.measuring:
            # The first round begins when the first readings are in.
            self._levels_at = now
            self._levels_next = self._places
        self.measuring = seconds > 0
        self._measure_from = now
        self._measure_ms = seconds * 1000
        return messages.RESULT_DONE

    def _overflow(self, now: int, changes: int) -> bool:
        """Drop everything and restart from the present state if the memory is full; return whether.

        A connected host then waits for a number that no longer comes. It notices from the newest
        number in heartbeats, reconnects, and receives the report of the loss again.
        """
        if not self._ring.full():
            return False
        lost = min(self._ring.clear() + changes, 0xFFFF)
        self._begin_at_first()
        self._ring.add(
            messages.error(self._ring.next, now, messages.CHANGES_LOST, messages.NONE, lost)
        )
        self._ring.add(messages.snapshot(self._ring.next, now, self._owner.cells()))
        return True
