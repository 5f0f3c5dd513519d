"""Read the bodies of requests: of bounded length, and with bounded memory for all together.

A body that comes too slowly is the connection's concern (``connection``).
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, MutableMapping
from contextlib import contextmanager
from typing import Any

Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]

# Bodies up to this length are read without asking for room.
SMALL = 64 * 1024
# Seconds between looking for room.
LOOK_EVERY = 0.05


class GoneError(Exception):
    """The client has gone."""


class BodyRoom:
    """Room for the bodies that are being read or worked on.

    ``most`` is the longest body, ``together`` what all large ones may hold, and ``each`` those of
    one address, in bytes.
    """

    def __init__(self, most: int, together: int, each: int) -> None:
        self._most, self._together, self._each = most, together, each
        self._held: Counter[str] = Counter()

    @contextmanager
    def body(self, address: str, headers: Iterable[tuple[bytes, bytes]]) -> Iterator["Body"]:
        """Hold room for one body."""
        body = Body(self, address, self._most, _declared(headers))
        try:
            yield body
        finally:
            self._held[address] -= body.held
            if not self._held[address]:
                del self._held[address]

    async def take(self, body: "Body", size: int) -> None:
        """Wait until there is room for so many bytes more."""
        while (
            self._held[body.address] + size > self._each
            or self._held.total() + size > self._together
        ):
            await asyncio.sleep(LOOK_EVERY)
        self._held[body.address] += size
        body.held += size


class Body:
    """The body of one request.

    ``length`` is what was declared or read. It is ``unread`` if it is too long; then its length is
    beyond the limit.
    """

    def __init__(self, room: BodyRoom, address: str, most: int, declared: int) -> None:
        self._room, self._most = room, most
        self.address = address
        self.length = declared
        self.unread = declared > most
        self.held = 0

    async def read(self, receive: Receive) -> bytes:
        """Return the whole body; nothing if it is too long. Raises GoneError."""
        if self.unread:
            return b""
        parts: list[bytes] = []
        read, more = 0, True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise GoneError
            part = message.get("body", b"")
            more = message.get("more_body", False)
            read += len(part)
            if read > self._most:
                self.length, self.unread = read, True
                return b""
            if read > SMALL:
                await self._room.take(self, read - self.held)
            parts.append(part)
        self.length = read
        return parts[0] if len(parts) == 1 else b"".join(parts)


def _declared(headers: Iterable[tuple[bytes, bytes]]) -> int:
    """Return the Content-Length, which the parser has checked; 0 without one."""
    return next((int(value) for name, value in headers if name == b"content-length"), 0)
