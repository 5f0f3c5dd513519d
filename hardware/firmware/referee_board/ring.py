"""A ring buffer of reliable messages that the host has not yet acknowledged."""

from . import messages

CAPACITY = 512  # divides 65536, so that slots stay distinct when numbers wrap
SLOT = 20  # a length, and the longest reliable packet: a snapshot of eleven places
PAGE = 32  # slots allocated in one piece: a start leaves memory, but not 10 KB without a gap
WRAP = 0xFFFF


class Ring:
    """Packets by sequence number, in memory allocated once.

    ``first`` is the number of the oldest packet, ``next`` that of the next one to be added.
    """

    def __init__(self, first: int) -> None:
        self.first: int = first & WRAP
        self.next: int = self.first
        self._pages: list[bytearray] = [bytearray(PAGE * SLOT) for _ in range(CAPACITY // PAGE)]

    def __len__(self) -> int:
        return (self.next - self.first) & WRAP

    def full(self) -> bool:
        """Whether the buffer is full."""
        return len(self) == CAPACITY

    def add(self, packet: bytes) -> None:
        """Add a packet as number ``next``. Raises IndexError when full."""
        if self.full():
            raise IndexError("the ring is full")
        page, at = self._place(self.next)
        page[at] = len(packet)
        page[at + 1 : at + 1 + len(packet)] = packet
        self.next = (self.next + 1) & WRAP

    def packet(self, seq: int) -> bytes:
        """Return the packet of a number, which must be stored."""
        page, at = self._place(seq)
        return bytes(page[at + 1 : at + 1 + page[at]])

    def forget_before(self, seq: int) -> None:
        """Drop the packets before this number."""
        self.first = seq & WRAP

    def clear(self) -> int:
        """Drop everything; return the number of changes lost, earlier losses included."""
        lost = 0
        while self.first != self.next:
            packet = self.packet(self.first)
            if packet[1] == messages.CHANGE:
                lost += 1
            elif packet[1] == messages.ERROR and packet[8] == messages.CHANGES_LOST:
                lost += packet[10] | packet[11] << 8
            self.first = (self.first + 1) & WRAP
        return min(lost, 0xFFFF)

    def _place(self, seq: int) -> "tuple[bytearray, int]":
        """Return where a number's slot is: its page, and the offset there."""
        page, slot = divmod(seq % CAPACITY, PAGE)
        return self._pages[page], slot * SLOT
