"""Frames on the wire: a packet and its CRC-32, stuffed with COBS twice between zero bytes.

The second time it takes out the byte 03, which would interrupt MicroPython before the program runs.
The parser is incremental, uses a fixed amount of memory, and never fails: it counts invalid frames.
"""

import binascii
import struct

LONGEST = 207  # bytes of a stuffed frame, without its delimiters
HEADER = 4
CRC = 4
MARK = 0xF2  # begins each frame
INTERRUPT = b"\x03"
FIRST_CODE = 4  # codes begin here where neither 0 nor 3 may occur


def stuff(data: bytes, left_out: bytes = b"\x00", first_code: int = 1) -> bytes:
    """Encode up to 205 bytes with COBS: one byte longer, without the byte ``left_out``."""
    return b"".join([bytes([len(run) + first_code]) + run for run in data.split(left_out)])


def unstuff(data: bytes, left_out: bytes = b"\x00", first_code: int = 1) -> bytes | None:
    """Decode what ``stuff`` made, without zeros; return None if it is invalid."""
    runs: list[bytes] = []
    at = 0
    while at < len(data):
        end = at + 1 + data[at] - first_code
        if not at < end <= len(data):
            return None
        runs.append(data[at + 1 : end])
        at = end
    return left_out.join(runs)


def frame(packet: bytes) -> bytes:
    """Return the frame of a packet, with a zero before and after it."""
    stuffed = stuff(packet + struct.pack("<I", binascii.crc32(packet)))
    return b"\x00" + bytes([MARK]) + stuff(stuffed, INTERRUPT, FIRST_CODE) + b"\x00"


class Deframer:
    """Finds the packets in a stream of bytes.

    ``dropped`` counts invalid frames by reason: "long", "cobs", "short" (less than header and CRC),
    or "crc".
    """

    def __init__(self) -> None:
        self.dropped: dict[str, int] = {"long": 0, "cobs": 0, "short": 0, "crc": 0}
        self._view: memoryview = memoryview(bytearray(LONGEST))
        self._size: int = 0
        self._skipping: bool = False  # the frame is too long: ignore the rest of it

    def feed(self, data: bytes) -> list[bytes]:
        """Return the packets that these bytes complete, in order."""
        packets: list[bytes] = []
        start = 0
        while True:
            end = data.find(b"\x00", start)
            if end < 0:
                self._keep(data[start:])
                return packets
            self._keep(data[start:end])
            packet = self._close()
            if packet is not None:
                packets.append(packet)
            start = end + 1

    def _keep(self, piece: bytes) -> None:
        if self._skipping:
            return
        size = self._size + len(piece)
        if size > LONGEST:
            self._skipping = True
            self.dropped["long"] += 1
            return
        self._view[self._size : size] = piece
        self._size = size

    def _close(self) -> bytes | None:
        stuffed = bytes(self._view[: self._size])
        self._size = 0
        if self._skipping or not stuffed:
            self._skipping = False
            return None
        marked = stuffed[0] == MARK
        whole = unstuff(stuffed[1:], INTERRUPT, FIRST_CODE) if marked else None
        if whole is not None:
            whole = unstuff(whole)
        if whole is None:
            self.dropped["cobs"] += 1
        elif len(whole) < HEADER + CRC:
            self.dropped["short"] += 1
        elif whole[-CRC:] != struct.pack("<I", binascii.crc32(whole[:-CRC])):
            self.dropped["crc"] += 1
        else:
            return whole[:-CRC]
        return None
