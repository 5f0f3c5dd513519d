"""The threads that run the app, shared fairly between addresses."""

import asyncio
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any

from referee.serving.bodies import GoneError

MOST_THREADS = 32
# Threads that work for one address at a time.
EACH_ADDRESS = 8


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """A function to call for an address, unless it ``is_vain`` by then."""

    loop: asyncio.AbstractEventLoop
    future: "asyncio.Future[Any]"
    address: str
    is_vain: Callable[[], bool]
    function: Callable[..., Any]
    arguments: tuple[Any, ...]


class Threads:
    """Runs functions in threads for an event loop; starts a thread when all are busy.

    At most ``most`` run at a time, ``each`` of them for one address. The others wait; the addresses
    take turns. Where the system has no more threads, those that there are do what is due.
    """

    def __init__(self, most: int = MOST_THREADS, each: int = EACH_ADDRESS) -> None:
        self._most, self._each = most, each
        self._started = 0
        self._due: SimpleQueue[Job] = SimpleQueue()
        self._guard = threading.Lock()
        # Jobs that are due or run, and by address.
        self._all, self._of = 0, Counter[str]()
        self._waiting: OrderedDict[str, OrderedDict[asyncio.Future[Any], Job]] = OrderedDict()

    def run(
        self,
        address: str,
        function: Callable[..., Any],
        *arguments: Any,
        is_vain: Callable[[], bool] = lambda: False,
    ) -> "asyncio.Future[Any]":
        """Call the function in a thread; fail with GoneError if that would be in vain.

        Call this from the event loop. The future fails with RuntimeError where there is no thread.
        """
        loop = asyncio.get_running_loop()
        job = Job(loop, loop.create_future(), address, is_vain, function, arguments)
        with self._guard:
            try:
                may_run = self._has_room(address) and self._has_thread()
            except RuntimeError as error:
                job.future.set_exception(error)
                return job.future
            if may_run:
                self._all += 1
                self._of[address] += 1
                self._due.put(job)
            else:
                self._waiting.setdefault(address, OrderedDict())[job.future] = job
        return job.future

    def _has_room(self, address: str) -> bool:
        return self._all < self._most and self._of[address] < self._each

    def _has_thread(self) -> bool:
        """Return whether a thread is free; start one if none is. Raises RuntimeError.

        The error is that there is none at all, and that the system refuses the first.
        """
        if self._all < self._started:
            return True
        # They die with the process: whatever they do is either committed or it is not.
        thread = threading.Thread(target=self._work, name="app", daemon=True)
        try:
            thread.start()
        except RuntimeError:
            if not self._started:
                raise
            return False
        self._started += 1
        return True

    def is_waiting(self, address: str, future: "asyncio.Future[Any]") -> bool:
        """Return whether a job waits for a thread."""
        return future in self._waiting.get(address, ())

    def drop(self, address: str, future: "asyncio.Future[Any]") -> bool:
        """Forget a job that waits; return whether it did."""
        with self._guard:
            jobs = self._waiting.get(address, OrderedDict())
            job = jobs.pop(future, None)
            if not jobs:
                self._waiting.pop(address, None)
        if job is not None:
            _fail(future, GoneError())
        return job is not None

    def _work(self) -> None:
        while True:
            job: Job | None = self._due.get()
            while job is not None:
                _do(job)
                job = self._after(job)

    def _after(self, done: Job) -> Job | None:
        """Return the job that runs next."""
        with self._guard:
            self._all -= 1
            self._of[done.address] -= 1
            if not self._of[done.address]:
                del self._of[done.address]
            for address, jobs in self._waiting.items():
                if self._of[address] < self._each:
                    _, job = jobs.popitem(last=False)
                    if jobs:
                        self._waiting.move_to_end(address)
                    else:
                        del self._waiting[address]
                    self._all += 1
                    self._of[address] += 1
                    return job
        return None


def _do(job: Job) -> None:
    try:
        if job.is_vain():
            raise GoneError
        result = job.function(*job.arguments)
    except BaseException as error:
        _tell(job.loop, _fail, job.future, error)
    else:
        _tell(job.loop, _finish, job.future, result)


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
