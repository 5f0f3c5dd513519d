"""Bytes to and from a board through pyserial: a device path or a URL."""

import errno
import os
import select
import socket
from enum import StrEnum

import serial

try:
    import termios
except ImportError:  # as on Windows
    _TERMIOS_ERRORS: tuple[type[Exception], ...] = ()
else:
    _TERMIOS_ERRORS = (termios.error,)  # which is no OSError

BAUD = 115200
WAIT = 0.02  # seconds that a read waits for bytes
_CHUNK = 4096

_ERRORS: tuple[type[Exception], ...] = (
    serial.SerialException,
    OSError,
    ValueError,
    TypeError,
    *_TERMIOS_ERRORS,
)


class Trouble(StrEnum):
    """Kinds of problem with a port."""

    ABSENT = "absent"
    DENIED = "denied"
    BUSY = "busy"
    REFUSED = "refused"
    BROKEN = "broken"


_TROUBLES = {
    errno.ENOENT: Trouble.ABSENT,
    errno.ENXIO: Trouble.ABSENT,
    errno.ENODEV: Trouble.ABSENT,
    errno.EACCES: Trouble.DENIED,
    errno.EPERM: Trouble.DENIED,
    errno.EBUSY: Trouble.BUSY,
    errno.EAGAIN: Trouble.BUSY,  # another process holds the lock
    errno.ECONNREFUSED: Trouble.REFUSED,
}

_TEXTS = {
    Trouble.ABSENT: "there is no port {port}; is the board plugged in?",
    Trouble.DENIED: "{port} may not be opened; add your user to the group that owns it "
    "(sudo usermod -aG dialout $USER) and log in again",
    Trouble.BUSY: "{port} is in use; stop the other program that has it open",
    Trouble.REFUSED: "nothing listens at {port}; start the board's end first",
    Trouble.BROKEN: "{port} does not work ({error}); unplug the board and plug it in again",
}


class TransportError(Exception):
    """The port cannot be opened, read or written; the text says why and what to do."""

    def __init__(self, port: str, error: BaseException) -> None:
        cause = error if getattr(error, "errno", None) else error.__context__
        number = getattr(cause, "errno", None)
        self.trouble = _TROUBLES.get(number, Trouble.BROKEN) if number else Trouble.BROKEN
        super().__init__(_TEXTS[self.trouble].format(port=port, error=error))


class Transport:
    """An open port.

    Args:
        port: A device path, or a pyserial URL: ``socket://host:port``, ``loop://``.

    Raises:
        TransportError: From every method but ``close``.
    """

    def __init__(self, port: str) -> None:
        self.port = port
        self._fd: int | None = None
        self._serial: serial.Serial | None = None

    def open(self) -> None:
        """Open the port, exclusively if the system can."""
        try:
            opened = serial.serial_for_url(
                self.port, baudrate=BAUD, timeout=0, write_timeout=1, exclusive=True
            )
        except _ERRORS as error:
            raise TransportError(self.port, error) from None
        self._serial = opened
        try:
            self._fd = opened.fileno()
        except (OSError, AttributeError):  # no descriptor to wait on: the port itself waits
            self._fd = None
            opened.timeout = WAIT
        if self._fd is not None and self.port.startswith("socket:"):
            _send_at_once(self._fd)

    def read(self) -> bytes:
        """Return the bytes there are, after waiting at most 20 ms for the first."""
        port = self._opened()
        try:
            if self._fd is None:
                first: bytes = port.read(1)
                return first + port.read(port.in_waiting) if first else b""
            if not select.select([self._fd], [], [], WAIT)[0]:
                return b""
            got: bytes = port.read(_CHUNK)
            return got
        except _ERRORS as error:
            raise TransportError(self.port, error) from None

    def write(self, data: bytes) -> None:
        """Send all bytes."""
        port = self._opened()
        if not data:
            return
        try:
            port.write(data)
        except _ERRORS as error:
            raise TransportError(self.port, error) from None

    def close(self) -> None:
        """Close the port, broken or not."""
        port, self._serial, self._fd = self._serial, None, None
        if port is not None:
            try:
                port.close()
            except _ERRORS:
                return  # it is gone already

    def _opened(self) -> serial.Serial:
        if self._serial is None:
            raise TransportError(self.port, OSError(errno.EBADF, os.strerror(errno.EBADF)))
        return self._serial


def _send_at_once(fd: int) -> None:
    # Otherwise the system delays small frames until earlier ones are confirmed.
    lent = socket.socket(fileno=fd)
    try:
        lent.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    finally:
        lent.detach()
