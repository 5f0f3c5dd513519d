"""Frames on the wire: COBS, a CRC-32, and a zero byte before and after. No I/O."""

from binascii import crc32

MAX_PACKET = 200  # header and body
MAX_STUFFED = 207  # what stands between two zero bytes
HEADER_SIZE = 4
CRC_SIZE = 4

# Why a receiver drops what stood between two zero bytes.
TOO_LONG = "long"
NOT_COBS = "cobs"
TOO_SHORT = "short"
WRONG_CRC = "crc"


def stuff(data: bytes) -> bytes:
    """COBS: the same bytes without a zero among them; one byte longer, and at most 254."""
    return b"".join(bytes([len(run) + 1]) + run for run in data.split(b"\0"))


def unstuff(stuffed: bytes) -> bytes | None:
    """What was stuffed, or None if this is no COBS. It holds no zero, and at most 254 bytes."""
    runs = []
    at = 0
    while at < len(stuffed):
        after = at + stuffed[at]
        if after > len(stuffed):
            return None
        runs.append(stuffed[at + 1 : after])
        at = after
    return b"\0".join(runs)


def encode(packet: bytes) -> bytes:
    """The frame that carries a packet of 4 to 200 bytes, with the zero bytes around it.

    Raises ValueError if the packet is shorter or longer.
    """
    if not HEADER_SIZE <= len(packet) <= MAX_PACKET:
        raise ValueError(f"a packet has {HEADER_SIZE} to {MAX_PACKET} bytes, not {len(packet)}")
    return b"\0" + stuff(packet + crc32(packet).to_bytes(CRC_SIZE, "little")) + b"\0"


class Deframer:
    """Finds the packets in a stream of bytes, whatever else is in it.

    It holds at most one unfinished frame, and looks at each byte once. ``good`` counts the packets
    found; ``dropped`` counts what was dropped, by reason: ``long``, ``cobs``, ``short``, ``crc``.
    """

    def __init__(self) -> None:
        self.good = 0
        self.dropped = {TOO_LONG: 0, NOT_COBS: 0, TOO_SHORT: 0, WRONG_CRC: 0}
        self._begun = bytearray()
        self._skipping = False  # too long already: nothing counts until the next zero byte

    def feed(self, data: bytes) -> list[bytes]:
        """The packets, without their CRC, that these bytes complete, in their order."""
        packets = []
        *ends, begun = data.split(b"\0")
        for piece in ends:
            self._add(piece)
            packet = self._finish()
            if packet is not None:
                packets.append(packet)
        self._add(begun)
        return packets

    def _add(self, piece: bytes) -> None:
        if self._skipping:
            return
        if len(self._begun) + len(piece) > MAX_STUFFED:
            self.dropped[TOO_LONG] += 1
            self._skipping = True
            self._begun.clear()
        else:
            self._begun += piece

    def _finish(self) -> bytes | None:
        stuffed = bytes(self._begun)
        self._begun.clear()
        if self._skipping or not stuffed:
            self._skipping = False
            return None
        checked = unstuff(stuffed)
        if checked is None:
            self.dropped[NOT_COBS] += 1
            return None
        if len(checked) < HEADER_SIZE + CRC_SIZE:
            self.dropped[TOO_SHORT] += 1
            return None
        packet, crc = checked[:-CRC_SIZE], checked[-CRC_SIZE:]
        if crc32(packet) != int.from_bytes(crc, "little"):
            self.dropped[WRONG_CRC] += 1
            return None
        self.good += 1
        return packet
