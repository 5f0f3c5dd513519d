"""Bytes to and from a board: over a serial port through pyserial, or over the network."""

import errno
import os
import select
import socket
from enum import StrEnum

import serial

from hardware.board.ports.network_port import SCHEME, NetworkPort

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
    SILENT = "silent"
    GONE = "gone"
    BROKEN = "broken"
    NO_PORT = "no port"


_TROUBLES = {
    errno.ENOENT: Trouble.ABSENT,
    errno.ENXIO: Trouble.ABSENT,
    errno.ENODEV: Trouble.ABSENT,
    errno.EACCES: Trouble.DENIED,
    errno.EPERM: Trouble.DENIED,
    errno.EBUSY: Trouble.BUSY,
    errno.EAGAIN: Trouble.BUSY,  # another process holds the lock
    errno.ENOTTY: Trouble.NO_PORT,
    errno.EISDIR: Trouble.NO_PORT,
    errno.ECONNREFUSED: Trouble.REFUSED,
    errno.ETIMEDOUT: Trouble.SILENT,
    errno.EHOSTUNREACH: Trouble.SILENT,
    errno.ENETUNREACH: Trouble.SILENT,
}

_TEXTS = {
    Trouble.ABSENT: "there is no port {port}; is the board plugged in?",
    Trouble.DENIED: "{port} may not be opened; add your user to the group that owns it "
    "(sudo usermod -aG dialout $USER) and log in again",
    Trouble.BUSY: "{port} is in use; stop the other program that has it open",
    Trouble.REFUSED: "nothing listens at {port}; start the board's end first",
    Trouble.SILENT: "nothing answers at {port}",
    Trouble.GONE: "{port} is gone: the board was unplugged, or has lost its power",
    Trouble.BROKEN: "{port} does not work ({error}); unplug the board and plug it in again",
    Trouble.NO_PORT: "{port} is no serial port; 'referee-table doctor' lists those that are here",
}
_LOST = "the connection to {port} was lost; is the board's end still running?"
_ON_NETWORK = {
    Trouble.ABSENT: "no {port} is found; has the board power, and is it in this Wi-Fi?",
    Trouble.DENIED: "the board at {port} does not know this computer; join it once over its cable: "
    "referee-table wifi",
    Trouble.BUSY: "another host is connected to the board at {port}; stop it there",
    Trouble.REFUSED: "no board listens at {port}",
    Trouble.SILENT: "no board answers at {port}; has it power, and is it in this Wi-Fi?",
    Trouble.GONE: "the connection to {port} was lost; has the board power, does the Wi-Fi work?",
    Trouble.BROKEN: "{port} does not work ({error})",
    Trouble.NO_PORT: "{port} does not work ({error})",
}
# What pyserial says on Windows in place of an errno.
_ON_WINDOWS = {"FileNotFoundError": Trouble.ABSENT, "PermissionError": Trouble.BUSY}


class TransportError(Exception):
    """The port cannot be opened, read or written; the text says why and what to do.

    Whatever goes wrong after it was ``open`` means that it is gone.
    """

    def __init__(self, port: str, error: BaseException, *, was_open: bool = False) -> None:
        number = _number(error) or _number(error.__context__)
        # One that takes nothing more is there all the same.
        gone = was_open and not isinstance(error, serial.SerialTimeoutException)
        self.trouble = Trouble.GONE if gone else _trouble(number, error)
        text = _TEXTS[self.trouble]
        if port.startswith(SCHEME):
            text = _ON_NETWORK[self.trouble]
        elif gone and "://" in port:
            text = _LOST
        # Of an error with a number, pyserial repeats the port and the number.
        reason = os.strerror(number) if number else str(error) or type(error).__name__
        super().__init__(text.format(port=port, error=reason))


def _number(error: BaseException | None) -> int | None:
    """Return an error's number, which termios gives without a name."""
    if isinstance(error, _TERMIOS_ERRORS) and error.args and isinstance(error.args[0], int):
        return error.args[0]
    return getattr(error, "errno", None)


def _trouble(number: int | None, error: BaseException) -> Trouble:
    if number:
        return _TROUBLES.get(number, Trouble.BROKEN)
    named = (trouble for name, trouble in _ON_WINDOWS.items() if name in str(error))
    return next(named, Trouble.BROKEN)


class Transport:
    """An open port.

    Args:
        port: A device path, a board on the network: ``tcp://host[:port]``, or a pyserial URL:
            ``socket://host:port``, ``loop://``.

    Raises:
        TransportError: From every method but ``close``.
    """

    def __init__(self, port: str) -> None:
        self.port = port
        self._fd: int | None = None
        self._serial: serial.Serial | NetworkPort | None = None

    def open(self) -> None:
        """Open the port, exclusively if the system can."""
        try:
            if self.port.startswith(SCHEME):
                self._serial = opened = NetworkPort(self.port)
                self._fd = opened.fileno()
                return
            port = serial.serial_for_url(
                self.port, baudrate=BAUD, timeout=0, write_timeout=1, exclusive=True
            )
        except _ERRORS as error:
            raise TransportError(self.port, error) from None
        self._serial = port
        try:
            self._fd = port.fileno()
        except (OSError, AttributeError):  # no descriptor to wait on: the port itself waits
            self._fd = None
            port.timeout = WAIT
        if self._fd is not None and self.port.startswith("socket:"):
            _send_at_once(self._fd)

    def read(self) -> bytes:
        """Return the bytes there are, after waiting at most 20 ms for the first."""
        port = self._opened()
        try:
            if self._fd is None and not isinstance(port, NetworkPort):
                first: bytes = port.read(1)
                return first + port.read(port.in_waiting) if first else b""
            if not select.select([port], [], [], WAIT)[0]:
                return b""
            got: bytes = port.read(_CHUNK)
            return got
        except _ERRORS as error:
            raise TransportError(self.port, error, was_open=True) from None

    def write(self, data: bytes) -> None:
        """Send all bytes."""
        port = self._opened()
        if not data:
            return
        try:
            port.write(data)
        except _ERRORS as error:
            raise TransportError(self.port, error, was_open=True) from None

    def close(self) -> None:
        """Close the port, broken or not."""
        port, self._serial, self._fd = self._serial, None, None
        if port is not None:
            try:
                port.close()
            except _ERRORS:
                return  # it is gone already

    def _opened(self) -> serial.Serial | NetworkPort:
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
