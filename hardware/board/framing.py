"""Frames on the wire: COBS and CRC-32 between zero bytes. No I/O."""

from binascii import crc32

MAX_PACKET = 200  # header and body
MAX_STUFFED = 207  # between two zero bytes
HEADER_SIZE = 4
CRC_SIZE = 4

# Why a receiver drops the bytes between two zeros.
TOO_LONG = "long"
NOT_COBS = "cobs"
TOO_SHORT = "short"
WRONG_CRC = "crc"


def stuff(data: bytes) -> bytes:
    """Encode at most 253 bytes with COBS: no zero bytes, one byte longer."""
    return b"".join(bytes([len(run) + 1]) + run for run in data.split(b"\0"))


def unstuff(stuffed: bytes) -> bytes | None:
    """Decode COBS of at most 254 bytes without zeros; None if it is malformed."""
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
    """Return the frame of a packet of 4 to 200 bytes, with its zero bytes.

    Raises ValueError if the packet is shorter or longer.
    """
    if not HEADER_SIZE <= len(packet) <= MAX_PACKET:
        raise ValueError(f"a packet has {HEADER_SIZE} to {MAX_PACKET} bytes, not {len(packet)}")
    return b"\0" + stuff(packet + crc32(packet).to_bytes(CRC_SIZE, "little")) + b"\0"


class Deframer:
    """Finds the packets in a stream of bytes that may hold anything else.

    It buffers at most one unfinished frame. ``good`` counts the packets found, ``dropped`` the rest
    by reason: ``long``, ``cobs``, ``short``, ``crc``.
    """

    def __init__(self) -> None:
        self.good = 0
        self.dropped = {TOO_LONG: 0, NOT_COBS: 0, TOO_SHORT: 0, WRONG_CRC: 0}
        self._begun = bytearray()
        self._skipping = False  # too long: ignore everything up to the next zero byte

    def feed(self, data: bytes) -> list[bytes]:
        """Return the packets that these bytes complete, in order and without CRC."""
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
