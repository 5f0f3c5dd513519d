"""The line to the host: the USB port on which MicroPython would have its prompt.

``sys.stdin.buffer`` and ``sys.stdout.buffer`` pass bytes on as they are. A byte is read or written
only when ``poll`` has said that it will not wait, since writing more than there is room for waits
for up to half a second.
"""

import select
import sys

import micropython  # type: ignore[import-not-found, unused-ignore]

READ_AT_MOST = 64


class Usb:
    """The USB port; from now on the byte 03 interrupts nothing."""

    def __init__(self) -> None:
        micropython.kbd_intr(-1)
        self._readable = select.poll()
        self._readable.register(sys.stdin, select.POLLIN)
        self._writable = select.poll()
        self._writable.register(sys.stdout, select.POLLOUT)

    def read(self) -> bytes:
        """What has come, at most 64 bytes a time."""
        got = bytearray()
        while len(got) < READ_AT_MOST and self._readable.poll(0):
            byte = sys.stdin.buffer.read(1)
            if not byte:
                break
            got.extend(byte)
        return bytes(got)

    def write(self, data: bytes) -> int:
        """How many of these bytes were taken."""
        for at in range(len(data)):
            if not self._writable.poll(0):
                return at
            sys.stdout.buffer.write(data[at : at + 1])
        return len(data)
