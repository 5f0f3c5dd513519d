"""The board's side of a connection."""

from . import messages
from .framing import Deframer, frame
from .ring import WRAP, Ring
from .ticks import elapsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .ports import Owner, Uart

WINDOW = 16
RESEND_MS = 150
REPEAT_MS = 20  # minimum interval between two retransmissions
SILENCE_MS = 5000
HEARTBEAT_MS = 500


class Link:
    """One host at a time over one line.

    The owner adds messages and calls ``receive`` and ``send`` in every turn. ``refused`` counts
    intact packets that are no valid message, by reason; the deframer counts invalid frames.
    """

    def __init__(
        self,
        uart: "Uart",
        owner: "Owner",
        board_id: bytes,
        boot: int,
        firmware: tuple[int, int, int],
        power_set: int,
        seats: int,
        features: int,
    ) -> None:
        self.deframer: Deframer = Deframer()
        self.refused: dict[str, int] = {"version": 0, "type": 0, "short": 0, "number": 0}
        self.connected: bool = False
        self._uart: Uart = uart
        self._owner: Owner = owner
        self._identity: tuple[bytes, int, tuple[int, int, int], int, int, int] = (
            board_id,
            boot,
            firmware,
            power_set,
            seats,
            features,
        )
        self._boot: int = boot
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
        self._out: bytes = b""

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
        """Handle everything the host has sent."""
        data = self._uart.read()
        if not data:
            return
        for packet in self.deframer.feed(data):
            try:
                kind, seq, fields = messages.read(packet)
            except messages.MessageError as error:
                self.refused[error.reason] += 1
                continue
            if kind == messages.CONNECT:
                self._connect(now, fields[0], fields[1])
            elif self.connected:
                self._heard_at = now
                if kind == messages.ACK:
                    self._ack(now, fields[0])
                else:
                    self._command(now, kind, seq, fields)

    def send(self, now: int) -> None:
        """Send due messages, as far as the line accepts them."""
        self._keep_time(now)
        while self._flush():
            packet = self._next_packet(now)
            if packet is None:
                return
            self._out = frame(packet)

    def _keep_time(self, now: int) -> None:
        if self.connected and elapsed(now, self._heard_at) >= SILENCE_MS:
            self.connected = False
            self._owner.disconnected()
        if self._beat_at is None or elapsed(now, self._beat_at) >= HEARTBEAT_MS:
            self._beat_at = now
            self._beat_due = True
        if self.connected and self._highest != self._ring.first:
            oldest_at = self._sent_at[self._ring.first % WINDOW]
            if elapsed(now, oldest_at) >= RESEND_MS and elapsed(now, self._again_at) >= REPEAT_MS:
                self._send_again(now)

    def _flush(self) -> bool:
        if self._out:
            taken = self._uart.write(self._out)
            self._out = self._out[taken:]
        return not self._out

    def _next_packet(self, now: int) -> bytes | None:
        if self._hello_due is not None:
            next_seq, self._hello_due = self._hello_due, None
            return messages.hello(*self._identity, next_seq)
        if self._done_due is not None:
            (seq, result), self._done_due = self._done_due, None
            return messages.done(seq, result)
        if self._beat_due:
            self._beat_due = False
            return messages.heartbeat(now, (self._ring.next - 1) & WRAP)
        under_way = (self._sent - self._ring.first) & WRAP
        if not self.connected or under_way == WINDOW or self._sent == self._ring.next:
            return None
        seq = self._sent
        self._sent = (seq + 1) & WRAP
        if seq == self._highest:
            self._highest = self._sent
        self._sent_at[seq % WINDOW] = now
        return self._ring.packet(seq)

    def _connect(self, now: int, boot: int, last: int) -> None:
        self.connected = True
        self._heard_at = now
        self._last_command = (0, 0)
        self._done_due = None
        lost = 0
        if boot == self._boot and (last + 1 - self._ring.first) & WRAP <= len(self._ring):
            self._ring.forget_before(last + 1)
        else:
            lost = self._ring.clear()
        self._begin_at_first()
        self._owner.connected(now)
        if boot == self._boot and lost:
            self.error(now, messages.CHANGES_LOST, messages.NONE, lost)
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
            else:
                result = self._owner.command(kind, fields)
            self._last_command = (seq, result)
        self._done_due = self._last_command

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
