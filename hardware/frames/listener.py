"""Listens for frames at a local socket: a thread for each connection of a server process.

A message is the length of its head and of its body, each in four bytes, then the head as JSON, then
the body: a frame as JPEG, or nothing. Each is answered by one without a body.
"""

import json
import logging
import socket
import struct
import threading
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Protocol

LENGTHS = struct.Struct(">II")
MOST_HEAD, MOST_BODY = 8 * 1024, 512 * 1024


class WireError(OSError):
    """The other side broke off, or does not speak this."""


def send(to: socket.socket, head: Mapping[str, Any], body: bytes = b"") -> None:
    """Send a message. Raises OSError."""
    packed = json.dumps(head, separators=(",", ":")).encode()
    to.sendall(LENGTHS.pack(len(packed), len(body)) + packed + body)


def receive(of: socket.socket) -> tuple[dict[str, Any], bytes]:
    """Return head and body of the next message. Raises OSError."""
    head, body = LENGTHS.unpack(_exactly(of, LENGTHS.size))
    if head > MOST_HEAD or body > MOST_BODY:
        raise WireError("the message is too long")
    try:
        message = json.loads(_exactly(of, head))
    except ValueError:
        raise WireError("the message is not JSON") from None
    if not isinstance(message, dict):
        raise WireError("the message is no object")
    return message, _exactly(of, body)


def _exactly(of: socket.socket, size: int) -> bytes:
    got = bytearray()
    while len(got) < size:
        part = of.recv(min(size - len(got), 64 * 1024))
        if not part:
            raise WireError("the connection ended")
        got += part
    return bytes(got)


log = logging.getLogger(__name__)


class Taker(Protocol):
    """Takes frames; called from many threads."""

    def take(self, message: Mapping[str, Any], data: bytes) -> Mapping[str, Any]:
        """Return the answer to a message."""


class FrameListener:
    """Accepts connections until it is stopped."""

    def __init__(self, listening: socket.socket, taker: Taker) -> None:
        self._listening = listening
        self._taker = taker
        self._stopping = False

    def run(self) -> None:
        """Serve; returns once it is stopped."""
        while not self._stopping:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                if self._stopping:
                    return
                raise
            threading.Thread(
                target=self._serve, args=(connection,), name="frames", daemon=True
            ).start()

    def stop(self) -> None:
        """Accept nothing more; another thread may call it."""
        self._stopping = True
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)

    def _serve(self, connection: socket.socket) -> None:
        with connection:
            while not self._stopping:
                try:
                    message, data = receive(connection)
                except OSError:
                    return
                try:
                    answer = self._taker.take(message, data)
                except Exception:
                    # Whatever one frame does, the others are taken. Never log what it held.
                    log.exception("a frame could not be taken")
                    answer = {"refused": "no-watcher"}
                with suppress(OSError):
                    send(connection, answer)
