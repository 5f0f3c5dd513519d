"""Messages between server and worker, over a local socket.

A message is the length of its head and of its body, each in four bytes, then the head as JSON, then
the body: a frame as JPEG, or nothing. Each is answered by one without a body.
"""

import json
import socket
import struct
from collections.abc import Mapping
from typing import Any

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
        said = json.loads(_exactly(of, head))
    except ValueError:
        raise WireError("the message is not JSON") from None
    if not isinstance(said, dict):
        raise WireError("the message is no object")
    return said, _exactly(of, body)


def _exactly(of: socket.socket, size: int) -> bytes:
    got = bytearray()
    while len(got) < size:
        part = of.recv(min(size - len(got), 64 * 1024))
        if not part:
            raise WireError("the connection ended")
        got += part
    return bytes(got)
