"""The line to the host: the USB port of MicroPython's prompt.

``sys.stdin.buffer`` and ``sys.stdout.buffer`` are transparent, since ``main.py`` has turned Ctrl-C
off. Each byte is read or written only after ``poll``: a write without room blocks for up to half a
second.
"""

import select
import sys

READ_AT_MOST = 64


class Usb:
    """The USB port."""

    def __init__(self) -> None:
        self._readable = select.poll()
        self._readable.register(sys.stdin, select.POLLIN)
        self._writable = select.poll()
        self._writable.register(sys.stdout, select.POLLOUT)

    def read(self) -> bytes:
        """Return received bytes, at most 64."""
        got = bytearray()
        while len(got) < READ_AT_MOST and self._readable.poll(0):
            byte = sys.stdin.buffer.read(1)
            if not byte:
                break
            got.extend(byte)
        return bytes(got)

    def write(self, data: bytes) -> int:
        """Send bytes; return how many were accepted."""
        for at in range(len(data)):
            if not self._writable.poll(0):
                return at
            sys.stdout.buffer.write(data[at : at + 1])
        return len(data)
