"""Passes frames on to the worker that reads them, over a local socket.

A message is the length of its head and of its body, each in four bytes, then the head as JSON, then
the body. Each is answered by one without a body (``hardware.frames.listener`` is the other side).
"""

import json
import socket
import struct
from collections.abc import Mapping
from pathlib import Path
from queue import Empty, LifoQueue
from typing import Any

import structlog

from referee.service.devices.frames import Frame, FrameError, FrameTrouble, Sender

log = structlog.get_logger(__name__)
LENGTHS = struct.Struct(">II")
LONGEST_ANSWER = 64 * 1024
# Seconds for one frame, in which a thread of the server waits; the worker only queues it.
PATIENCE = 2.0
# Connections that are kept open, one for each thread that sends at the same time.
KEPT = 16
REFUSALS: Mapping[str, FrameTrouble] = {
    "no-reader": "no-reader",
    "unreadable-photo": "unreadable-photo",
    "too-large": "too-large",
    "another-phone": "another-phone",
}


class FrameSocket:
    """The worker's socket (``referee.service.devices.frames.FrameReader``)."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._kept: LifoQueue[socket.socket] = LifoQueue(KEPT)

    def take(self, sender: Sender, frame: Frame) -> Mapping[str, Any]:
        """Return what the newest frames show. Raises FrameError."""
        head = {
            "table": sender.table,
            "device": sender.device,
            "token": sender.token,
            "ruleset": sender.ruleset,
            "captured": frame.captured,
            "sent": frame.sent,
            "pile": frame.pile,
            "phone": frame.phone,
            "take_over": frame.take_over,
        }
        packed = json.dumps(head, separators=(",", ":")).encode()
        message = LENGTHS.pack(len(packed), len(frame.picture)) + packed + frame.picture
        answer = self._ask(message)
        view = answer.get("view")
        if isinstance(view, dict):
            return view
        raise FrameError(REFUSALS.get(str(answer.get("refused")), "no-watcher"))

    def close(self) -> None:
        """Close the connections."""
        while True:
            try:
                self._kept.get_nowait().close()
            except Empty:
                return

    def _ask(self, message: bytes) -> Mapping[str, Any]:
        """Return the answer to a message; a connection to an earlier worker is replaced once."""
        try:
            connection: socket.socket | None = self._kept.get_nowait()
        except Empty:
            connection = None
        if connection is not None:
            try:
                return self._exchange(connection, message)
            except TimeoutError:
                raise FrameError("no-watcher") from None
            except (OSError, ValueError):
                # That worker is gone, and so are those that its connections led to.
                self.close()
        try:
            return self._exchange(self._connected(), message)
        except (OSError, ValueError) as error:
            log.debug("no watcher", reason=type(error).__name__)
            raise FrameError("no-watcher") from None

    def _connected(self) -> socket.socket:
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.settimeout(PATIENCE)
        try:
            connection.connect(str(self._path))
        except OSError:
            connection.close()
            raise
        return connection

    def _exchange(self, connection: socket.socket, message: bytes) -> Mapping[str, Any]:
        """Send a message and return the answer; keep the connection if all went well."""
        try:
            connection.sendall(message)
            size, _ = LENGTHS.unpack(_exactly(connection, LENGTHS.size))
            if size > LONGEST_ANSWER:
                raise ValueError("the answer is too long")
            answer = json.loads(_exactly(connection, size))
            if not isinstance(answer, dict):
                raise TypeError("the answer is no object")
        except BaseException:
            connection.close()
            raise
        if self._kept.full():
            connection.close()
        else:
            self._kept.put_nowait(connection)
        return answer


def _exactly(of: socket.socket, size: int) -> bytes:
    got = bytearray()
    while len(got) < size:
        part = of.recv(size - len(got))
        if not part:
            raise ConnectionResetError("the worker broke off")
        got += part
    return bytes(got)
