"""The virtual board's port, a pseudo terminal or TCP, which can be unplugged at any time."""

import contextlib
import os
import re
import select
import shutil
import socket
import struct
import sys
import tempfile
from pathlib import Path
from typing import Protocol

try:
    import termios
    import tty
except ImportError:  # as on Windows, which has no pseudo terminals
    HAS_TERMINALS = False
else:
    HAS_TERMINALS = True

AT_ONCE = 4096
# The names of a host's pseudo terminals on Linux and the BSDs.
PTY_NAME = re.compile(r"/dev/(pts/|tty)\w+")


class PortError(OSError):
    """The port cannot be opened; the text says why and what to do."""


class Port(Protocol):
    """The board's end of a port. Nothing blocks, and a missing host is no error."""

    @property
    def url(self) -> str:
        """The path or URL that a host opens; it stays the same across unplugging."""

    @property
    def plugged(self) -> bool:
        """Whether hosts can open the port."""

    def plug(self) -> None:
        """Create the port. Raises PortError."""

    def unplug(self) -> None:
        """Remove the port: a host that has it open gets an error or the end of the file."""

    def watched(self) -> list[int]:
        """Return the descriptors that become readable when there is something to ``read``."""

    def read(self) -> bytes:
        """Return the bytes received from the host."""

    def write(self, data: bytes) -> int:
        """Send to the host; return the number of bytes taken. The rest is lost, as on a wire."""

    def close(self) -> None:
        """Unplug for good, and remove all traces."""


class PtyPort:
    """A pseudo terminal behind a symbolic link that stays the same.

    Args:
        link: The link's path; None for one in a new folder.
    """

    def __init__(self, link: Path | None = None) -> None:
        self._link = link
        self._folder: Path | None = None
        self._board = self._host = -1
        self._name = ""

    @property
    def url(self) -> str:
        """The link's path; unless given, it is known after the first ``plug``."""
        return str(self._link or "")

    @property
    def plugged(self) -> bool:
        """Whether the link exists."""
        return self._board >= 0

    def plug(self) -> None:
        """Open a new pseudo terminal and link to it. Raises PortError."""
        if self.plugged:
            return
        if not HAS_TERMINALS:
            raise PortError("this system has no pseudo terminals; use a TCP port: --tcp")
        if self._link is None:
            self._folder = Path(tempfile.mkdtemp(prefix="virtual-board-"))
            self._link = self._folder / "port"
        if self._link.is_symlink():
            if not PTY_NAME.fullmatch(os.readlink(self._link)):
                raise PortError(f"{self._link} is a link to something else; choose another path")
        elif self._link.exists():
            raise PortError(f"{self._link} is there already; remove it or choose another path")
        # Keep the host's end open, too: without a host, the board's end would report EOF.
        self._board, self._host = os.openpty()
        tty.setraw(self._host)
        os.set_blocking(self._board, False)
        self._name = os.ttyname(self._host)
        beside = self._link.with_name(f".{self._link.name}.{os.getpid()}")
        try:
            beside.symlink_to(self._name)
            beside.replace(self._link)
        except OSError as error:
            self._close_ends()
            raise PortError(f"{self._link} cannot be made: {error.strerror}") from None

    def unplug(self) -> None:
        """Remove the link and the terminal."""
        if not self.plugged:
            return
        with contextlib.suppress(OSError):
            if self._link and os.readlink(self._link) == self._name:
                self._link.unlink()
        self._close_ends()

    def watched(self) -> list[int]:
        """Return the board's end of the terminal."""
        return [self._board] if self.plugged else []

    def read(self) -> bytes:
        """Return the bytes that the host has written."""
        if not self.plugged:
            return b""
        try:
            return os.read(self._board, AT_ONCE)
        except OSError:
            return b""

    def write(self, data: bytes) -> int:
        """Send to the host, as far as the terminal's buffer has room."""
        if not self.plugged:
            return 0
        try:
            return os.write(self._board, data)
        except OSError:
            # Nobody has read for long: drop the old bytes.
            with contextlib.suppress(termios.error):
                termios.tcflush(self._host, termios.TCIFLUSH)
            return 0

    def close(self) -> None:
        """Unplug, and remove the folder if one was made."""
        self.unplug()
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = self._link = None

    def _close_ends(self) -> None:
        os.close(self._board)
        os.close(self._host)
        self._board = self._host = -1


class TcpPort:
    """A TCP port for one host at a time, opened as ``socket://host:port``.

    While one host is connected, others are refused, as on a serial port.

    Args:
        host: The address to listen on.
        port: The port number; 0 for any free one, kept from then on.
    """

    def __init__(self, host: str = "127.0.0.1", port: int = 0) -> None:
        self._address = (host, port)
        self._listener: socket.socket | None = None
        self._peer: socket.socket | None = None

    @property
    def url(self) -> str:
        """The URL for pyserial."""
        host, port = self._address
        return f"socket://[{host}]:{port}" if ":" in host else f"socket://{host}:{port}"

    @property
    def plugged(self) -> bool:
        """Whether the port is open for hosts."""
        return self._listener is not None

    def plug(self) -> None:
        """Listen. Raises PortError."""
        if self._listener:
            return
        family = socket.AF_INET6 if ":" in self._address[0] else socket.AF_INET
        try:
            self._listener = socket.create_server(self._address, family=family, backlog=1)
        except OSError as error:
            host, port = self._address
            why = error.strerror or error
            raise PortError(f"cannot listen on {host}:{port}: {why}; choose another port") from None
        self._listener.setblocking(False)
        self._address = (self._address[0], self._listener.getsockname()[1])

    def unplug(self) -> None:
        """Cut the connection and close the port."""
        self._cut()
        if self._listener:
            self._listener.close()
            self._listener = None

    def watched(self) -> list[int]:
        """Return the listener, and the connection if there is one."""
        return [sock.fileno() for sock in (self._listener, self._peer) if sock]

    def read(self) -> bytes:
        """Accept a waiting host; return what the host has sent."""
        self._accept()
        if not self._peer:
            return b""
        try:
            data = self._peer.recv(AT_ONCE)
        except BlockingIOError:
            return b""
        except OSError:
            data = b""
        if not data:
            self._cut()
        return data

    def write(self, data: bytes) -> int:
        """Send to the host, if there is one."""
        if not self._peer:
            return 0
        try:
            return self._peer.send(data)
        except BlockingIOError:
            return 0
        except OSError:
            self._cut()
            return 0

    def close(self) -> None:
        """Unplug."""
        self.unplug()

    def _accept(self) -> None:
        if not self._listener:
            return
        try:
            caller, _ = self._listener.accept()
        except OSError:
            return
        if self._peer and not _has_gone(self._peer):
            caller.close()
            return
        self._cut()
        caller.setblocking(False)
        caller.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._peer = caller

    def _cut(self) -> None:
        if self._peer:
            # Reset instead of closing gracefully, as when a cable is pulled.
            with contextlib.suppress(OSError):
                linger = struct.pack("hh" if sys.platform == "win32" else "ii", 1, 0)
                self._peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            self._peer.close()
            self._peer = None


def _has_gone(peer: socket.socket) -> bool:
    if not select.select([peer], [], [], 0)[0]:
        return False
    try:
        return not peer.recv(1, socket.MSG_PEEK)
    except BlockingIOError:
        return False
    except OSError:
        return True
