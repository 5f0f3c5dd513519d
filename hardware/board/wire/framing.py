"""Frames on the wire: a CRC-32, and COBS twice between zero bytes. No I/O.

The second time it takes out the byte 03, which interrupts MicroPython until the board's program
runs.
"""

from binascii import crc32

MAX_PACKET = 200  # header and body
MAX_STUFFED = 207  # between two zero bytes
HEADER_SIZE = 4
CRC_SIZE = 4

MARK = 0xF2  # begins each frame
INTERRUPT = 3
FIRST_CODE = 4  # codes begin here where neither 0 nor 3 may occur

# Why a receiver drops the bytes between two zeros.
TOO_LONG = "long"
NOT_COBS = "cobs"
TOO_SHORT = "short"
WRONG_CRC = "crc"


def stuff(data: bytes, left_out: int = 0, first_code: int = 1) -> bytes:
    """Encode at most 205 bytes so that one value does not occur; one byte longer.

    Each run without the value goes after its length plus ``first_code``. By default it is COBS.
    """
    runs = data.split(bytes([left_out]))
    return b"".join(bytes([len(run) + first_code]) + run for run in runs)


def unstuff(stuffed: bytes, left_out: int = 0, first_code: int = 1) -> bytes | None:
    """Decode what ``stuff`` made; None if it is malformed. Zeros must not occur."""
    runs = []
    at = 0
    while at < len(stuffed):
        after = at + 1 + stuffed[at] - first_code
        if not at < after <= len(stuffed):
            return None
        runs.append(stuffed[at + 1 : after])
        at = after
    return bytes([left_out]).join(runs)


def encode(packet: bytes) -> bytes:
    """Return the frame of a packet, with its zero bytes.

    Raises ValueError if the packet is shorter than 4 or longer than 200 bytes.
    """
    if not HEADER_SIZE <= len(packet) <= MAX_PACKET:
        raise ValueError(f"a packet has {HEADER_SIZE} to {MAX_PACKET} bytes, not {len(packet)}")
    inside = stuff(packet + crc32(packet).to_bytes(CRC_SIZE, "little"))
    return b"\0" + bytes([MARK]) + stuff(inside, INTERRUPT, FIRST_CODE) + b"\0"


def _unwrap(inside: bytes) -> bytes | None:
    """Return packet and CRC from what stands between two zeros; None if it is malformed."""
    if inside[0] != MARK:
        return None
    once = unstuff(inside[1:], INTERRUPT, FIRST_CODE)
    return None if once is None else unstuff(once)


class Deframer:
    """Finds the packets in a stream of bytes that may hold anything else.

    It buffers at most one unfinished frame. ``good`` counts the packets found, ``dropped`` the rest
    by reason: ``long``, ``cobs``, ``short``, ``crc``.
    """

    def __init__(self) -> None:
        self.good = 0
        self.dropped = dict.fromkeys((TOO_LONG, NOT_COBS, TOO_SHORT, WRONG_CRC), 0)
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
        checked = _unwrap(stuffed)
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
