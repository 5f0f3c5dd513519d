"""The line to hosts on the network: lets in one at a time that knows the key."""

import hashlib
import os
import select
import socket

from . import messages
from .framing import Deframer, frame
from .ticks import elapsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PORT = 7833
PROVE_MS = 2000  # for a caller to prove that it knows the key
SILENCE_MS = 5000  # the host sends every second
READ_AT_MOST = 256
BLOCK = 64  # bytes of SHA-256


def proof(key: bytes, challenge: bytes) -> bytes:
    """Return the HMAC-SHA-256 of a challenge."""
    padded = key + bytes(BLOCK - len(key))
    inner = hashlib.sha256(bytes([byte ^ 0x36 for byte in padded]) + challenge).digest()
    return hashlib.sha256(bytes([byte ^ 0x5C for byte in padded]) + inner).digest()


class Door:
    """A TCP port; neither method ever waits.

    Who calls has to prove that it knows the key. While one is in, who calls is told so.
    """

    def __init__(self, board_id: bytes) -> None:
        self._id = board_id
        self._key = b""
        self._poller = select.poll()
        self._listener: socket.socket | None = None
        self._caller: socket.socket | None = None
        self._called_at = 0
        self._challenge = b""
        self._deframer = Deframer()
        self._host: socket.socket | None = None
        self._heard_at = 0
        self._readable = False
        self._now = 0

    def open(self, key: bytes) -> None:
        """Listen for hosts that know a key; those with another one are put out. Raises OSError."""
        self.close()
        self._key = key
        listener = socket.socket()
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            address = socket.getaddrinfo("0.0.0.0", PORT)[0][-1]  # noqa: S104 - the Wi-Fi alone
            listener.bind(address)
            listener.listen(2)
            listener.setblocking(False)  # who called may be gone before it is received
        except OSError:
            listener.close()
            raise
        self._listener = self._watched(listener)

    def is_open(self) -> bool:
        """Return whether hosts can call."""
        return self._listener is not None

    def close(self) -> None:
        """Put everybody out, and listen no more."""
        for each in (self._listener, self._caller, self._host):
            self._shut(each)
        self._listener = self._caller = self._host = None

    def tick(self, now: int) -> None:
        """Receive callers; called in each turn, before ``read``."""
        self._now = now
        self._readable = False
        if self._listener is None:
            return
        if self._caller and elapsed(now, self._called_at) >= PROVE_MS:
            self._dismiss()
        if self._host and elapsed(now, self._heard_at) >= SILENCE_MS:
            self._lose_host()
        ready: list[Any] = self._poller.poll(0)
        for event in ready:
            if event[0] is self._host:
                self._readable = True
            elif event[0] is self._caller:
                self._examine()
            elif self._caller is None:
                self._receive()

    def read(self) -> bytes:
        """Return what the host has sent."""
        if not self._readable or self._host is None:
            return b""
        self._readable = False
        data = _received(self._host)
        if not data:
            self._lose_host()
            return b""
        self._heard_at = self._now
        return data

    def write(self, data: bytes) -> int:
        """Send bytes to the host; return how many were taken. Without one all are, and are lost."""
        if self._host is None:
            return len(data)
        try:
            return self._host.send(data)
        except OSError as error:
            if error.errno != 11:  # no room at the moment
                self._lose_host()
            return 0

    def _receive(self) -> None:
        """Receive whoever calls."""
        if self._listener is None:
            return
        try:
            caller = self._listener.accept()[0]
        except OSError:  # it has hung up already
            return
        caller.setblocking(False)
        _send_at_once(caller)
        if self._host:
            _say(caller, messages.admission(messages.TAKEN))
            caller.close()
            return
        self._challenge = self._id + os.urandom(messages.CHALLENGE_BYTES - len(self._id))
        self._deframer = Deframer()
        self._called_at = self._now
        self._caller = self._watched(caller)
        _say(caller, messages.challenge(self._challenge))

    def _examine(self) -> None:
        """Let the caller in as soon as it has proved that it knows the key."""
        caller = self._caller
        if caller is None:
            return
        data = _received(caller)
        for packet in self._deframer.feed(data):
            try:
                kind, _, fields = messages.read(packet)
            except messages.MessageError:
                continue
            if kind != messages.PROOF:
                continue
            if fields[0] == proof(self._key, self._challenge):
                self._caller, self._host = None, caller
                self._heard_at = self._now
                _say(caller, messages.admission(messages.ADMITTED))
            else:
                _say(caller, messages.admission(messages.UNKNOWN_HOST))
                self._dismiss()
            return
        if not data:
            self._dismiss()

    def _dismiss(self) -> None:
        self._shut(self._caller)
        self._caller = None

    def _lose_host(self) -> None:
        self._shut(self._host)
        self._host = None

    def _watched(self, sock: "socket.socket") -> "socket.socket":
        self._poller.register(sock, select.POLLIN)
        return sock

    def _shut(self, sock: "socket.socket | None") -> None:
        if sock is not None:
            self._poller.unregister(sock)
            sock.close()


def _received(sock: "socket.socket") -> bytes:
    """Return what has come over a readable socket; nothing if it is at its end."""
    try:
        return sock.recv(READ_AT_MOST)
    except OSError:
        return b""


def _say(sock: "socket.socket", packet: bytes) -> None:
    try:  # noqa: SIM105 - MicroPython has no contextlib
        sock.send(frame(packet))
    except OSError:
        pass  # whoever called has gone


def _send_at_once(sock: "socket.socket") -> None:
    """Send small frames without waiting for the confirmation of earlier ones."""
    try:  # noqa: SIM105
        sock.setsockopt(getattr(socket, "IPPROTO_TCP", 6), getattr(socket, "TCP_NODELAY", 1), 1)
    except OSError:
        pass  # it works without, a little slower
