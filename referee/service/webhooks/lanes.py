"""How many messages are under way at once: no receiver holds up others.

Whoever answered quickly the last time goes by one lane, whoever failed, was slow or is new by
another, with threads of its own for resolving names. Either has room for few messages to one host,
and a pace: a message costs about as much work as a move, and moves come first.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

QUICK_AT_ONCE, OTHERS_AT_ONCE = 64, 256
QUICK_NAMES, OTHER_NAMES = 8, 8
# Messages a second.
QUICK_PACE, OTHERS_PACE = 100, 50
# Messages under way to one host and port in a lane.
MOST_TO_ONE = 8


class Lane:
    """Messages under way together; ``names`` are its threads for resolving."""

    def __init__(self, name: str, at_once: int, a_second: int, threads: int) -> None:
        self.names = ThreadPoolExecutor(threads, thread_name_prefix=f"webhook-names-{name}")
        self._spacing = 1 / a_second
        self._next = 0.0
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
                await self._turn()
                yield
        finally:
            self._using[host] -= 1
            if not self._using[host]:
                del self._using[host], self._hosts[host]

    async def _turn(self) -> None:
        now = asyncio.get_running_loop().time()
        turn = max(now, self._next)
        self._next = turn + self._spacing
        if turn > now:
            await asyncio.sleep(turn - now)

    def close(self) -> None:
        """End its threads, once they are done with what they are at."""
        self.names.shutdown(wait=False, cancel_futures=True)
