"""The threads that run the app."""

import asyncio
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

MOST_THREADS = 32


class Threads:
    """Runs functions in threads for an event loop; starts a thread when all are busy."""

    def __init__(self, most: int = MOST_THREADS) -> None:
        self._most = most
        self._started = 0
        self._idle = 0
        self._guard = threading.Lock()
        self._due: SimpleQueue[
            tuple[asyncio.AbstractEventLoop, asyncio.Future[Any], Callable[..., Any], Any]
        ] = SimpleQueue()

    def run(self, function: Callable[..., Any], *arguments: Any) -> "asyncio.Future[Any]":
        """Call the function in a thread. Call this from the event loop."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()
        self._due.put((loop, future, function, arguments))
        if self._started < self._most and self._due.qsize() > self._idle:
            self._started += 1
            # They die with the process: whatever they do is either committed or it is not.
            threading.Thread(target=self._work, name="app", daemon=True).start()
        return future

    def _work(self) -> None:
        take = self._due.get
        while True:
            with self._guard:
                self._idle += 1
            loop, future, function, arguments = take()
            with self._guard:
                self._idle -= 1
            try:
                result = function(*arguments)
            except BaseException as error:
                _tell(loop, _fail, future, error)
            else:
                _tell(loop, _finish, future, result)
            # A thread that waits must keep nothing alive.
            del loop, future, function, arguments
            result = None


def _tell(loop: asyncio.AbstractEventLoop, *call: Any) -> None:
    try:
        loop.call_soon_threadsafe(*call)
    except RuntimeError:
        # The loop has ended, and nobody waits any more.
        return


def _finish(future: "asyncio.Future[Any]", result: Any) -> None:
    if not future.done():
        future.set_result(result)


def _fail(future: "asyncio.Future[Any]", error: BaseException) -> None:
    if not future.done():
        future.set_exception(error)
