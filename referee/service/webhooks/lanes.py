"""How many messages are under way at once: no receiver holds up others.

Whoever answered quickly the last time goes by one lane, whoever failed, was slow or is new by
another, with threads of its own for resolving names. Either has room for few messages to one host.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

QUICK_AT_ONCE, OTHERS_AT_ONCE = 64, 256
QUICK_NAMES, OTHER_NAMES = 8, 8
# Messages under way to one host and port in a lane.
MOST_TO_ONE = 8


class Lane:
    """Messages under way together; ``names`` are its threads for resolving."""

    def __init__(self, name: str, at_once: int, threads: int) -> None:
        self.names = ThreadPoolExecutor(threads, thread_name_prefix=f"webhook-names-{name}")
        self._free = asyncio.Semaphore(at_once)
        self._hosts: dict[str, asyncio.Semaphore] = {}
        self._using: Counter[str] = Counter()

    @asynccontextmanager
    async def slot(self, host: str) -> AsyncIterator[None]:
        """Wait for room, first among those to the same host."""
        mine = self._hosts.setdefault(host, asyncio.Semaphore(MOST_TO_ONE))
        self._using[host] += 1
        try:
            async with mine, self._free:
                yield
        finally:
            self._using[host] -= 1
            if not self._using[host]:
                del self._using[host], self._hosts[host]

    def close(self) -> None:
        """End its threads, once they are done with what they are at."""
        self.names.shutdown(wait=False, cancel_futures=True)
