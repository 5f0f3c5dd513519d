"""Listens for frames at a local socket: a thread for each connection of a server process."""

import logging
import socket
import threading
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Protocol

from hardware.frames.wire import receive, send

log = logging.getLogger(__name__)


class Taker(Protocol):
    """Takes frames; called from many threads."""

    def take(self, said: Mapping[str, Any], data: bytes) -> Mapping[str, Any]:
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
                    said, data = receive(connection)
                except OSError:
                    return
                try:
                    answer = self._taker.take(said, data)
                except Exception:
                    # Whatever one frame does, the others are taken. Never log what it held.
                    log.exception("a frame could not be taken")
                    answer = {"refused": "no-watcher"}
                with suppress(OSError):
                    send(connection, answer)
