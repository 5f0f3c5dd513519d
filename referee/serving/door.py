"""Who is let in: the connections of a process, at most so many of one address."""

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Protocol

LOOK_EVERY = 1.0


class Client(Protocol):
    """A connection."""

    @property
    def address(self) -> str:
        """Where it comes from."""

    def check(self, now: float) -> None:
        """Close the connection if it is late. ``now``: the event loop's time in seconds."""


class Door:
    """The open connections: at most ``most``, and ``each`` of one address.

    ``refused`` is called with the kind of each problem that a connection answered by itself.
    """

    def __init__(self, most: int, each: int, refused: Callable[[str], None]) -> None:
        self._most, self._each = most, each
        self._inside: set[Client] = set()
        self._of: Counter[str] = Counter()
        self.refused = refused

    def admit(self, client: Client) -> bool:
        """Let a client in; return False if it must leave again."""
        self._inside.add(client)
        self._of[client.address] += 1
        return len(self._inside) <= self._most and self._of[client.address] <= self._each

    def leave(self, client: Client) -> None:
        """Let a client out."""
        if client in self._inside:
            self._inside.remove(client)
            self._of[client.address] -= 1
            if not self._of[client.address]:
                del self._of[client.address]

    async def watch(self) -> None:
        """Check the clients every ``LOOK_EVERY`` seconds, without end."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(LOOK_EVERY)
            now = loop.time()
            for client in list(self._inside):
                client.check(now)
