"""Frames on the wire: a packet and its CRC-32, stuffed with COBS between zero bytes.

Reading is incremental, takes a fixed amount of memory, and never fails: what is no frame is
counted.
"""

import binascii
import struct

LONGEST = 207  # bytes of a stuffed frame, without the zeros around it
HEADER = 4
CRC = 4


def stuff(data: bytes) -> bytes:
    """COBS: the same bytes without a zero among them."""
    out = bytearray(b"\x00")
    code_at = 0
    for byte in data:
        if byte:
            out.append(byte)
        if not byte or len(out) - code_at == 255:
            out[code_at] = len(out) - code_at
            code_at = len(out)
            out.append(0)
    out[code_at] = len(out) - code_at
    return bytes(out)


def unstuff(data: bytes) -> bytes | None:
    """The bytes that were stuffed, or None if this is no COBS."""
    out = bytearray()
    at = 0
    size = len(data)
    while at < size:
        code = data[at]
        end = at + code
        if code == 0 or end > size:
            return None
        out.extend(data[at + 1 : end])
        if code < 255 and end < size:
            out.append(0)
        at = end
    return bytes(out)


def frame(packet: bytes) -> bytes:
    """The packet as it goes over the wire, a zero before it and one after."""
    return b"\x00" + stuff(packet + struct.pack("<I", binascii.crc32(packet))) + b"\x00"


class Deframer:
    """Finds the packets in a stream of bytes.

    ``too_long``, ``unstuffable`` and ``bad_crc`` (which also counts what is shorter than a header)
    say how often something was dropped.
    """

    def __init__(self) -> None:
        self.too_long: int = 0
        self.unstuffable: int = 0
        self.bad_crc: int = 0
        self._buffer: bytearray = bytearray(LONGEST)
        self._view: memoryview = memoryview(self._buffer)
        self._size: int = 0
        self._overrun: bool = False

    def feed(self, data: bytes) -> list[bytes]:
        """The packets that these bytes complete, in order; none if they complete none."""
        packets: list[bytes] = []
        start = 0
        while True:
            end = data.find(b"\x00", start)
            if end < 0:
                self._keep(data, start, len(data))
                return packets
            self._keep(data, start, end)
            packet = self._close()
            if packet is not None:
                packets.append(packet)
            start = end + 1

    def _keep(self, data: bytes, start: int, end: int) -> None:
        size = self._size + end - start
        if size > LONGEST:
            self._overrun = True
        if not self._overrun:
            self._view[self._size : size] = data[start:end]
            self._size = size

    def _close(self) -> bytes | None:
        size, self._size = self._size, 0
        if self._overrun:
            self._overrun = False
            self.too_long += 1
            return None
        if size == 0:
            return None
        whole = unstuff(bytes(self._view[:size]))
        if whole is None:
            self.unstuffable += 1
            return None
        packet = whole[:-CRC]
        if len(packet) < HEADER or whole[-CRC:] != struct.pack("<I", binascii.crc32(packet)):
            self.bad_crc += 1
            return None
        return packet
