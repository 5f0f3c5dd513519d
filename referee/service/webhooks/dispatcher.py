"""Deliver webhooks: from the log, each in its order, by one process at a time.

All happens in threads of its own. A write only says that it has been; a message leaves once its
entry is on disk, and counts as delivered once that is, so after a crash it may come twice.
"""

import asyncio
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from typing import ParamSpec, TypeVar
from urllib.parse import urlsplit

import structlog

from referee.service.log.event_log import EventLog
from referee.service.webhooks.attempts import DELAYS, Outcome
from referee.service.webhooks.deliveries import Deliveries, Delivery, Render, Statement
from referee.service.webhooks.messages import signed_headers
from referee.service.webhooks.sender import Sender
from referee.store.errors import StoreUnavailable
from referee.store.postgres.leadership import Leadership
from referee.store.writer import Job

QUICK_AT_ONCE, OTHERS_AT_ONCE = 64, 256
QUICK_NAMES, OTHER_NAMES = 8, 8
# Messages a second.
QUICK_PACE, OTHERS_PACE = 100, 50
# Messages under way to one host and port in a lane.
MOST_TO_ONE = 8


class Lane:
    """Messages under way together; ``names`` are its threads for resolving.

    No receiver holds up others: whoever answered quickly the last time goes by one lane, whoever
    failed, was slow or is new by another. Either has room for few messages to one host, and a pace:
    a message costs about as much work as a move, and moves come first.
    """

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


logger = structlog.get_logger(__name__)
# Seconds between looks at all webhooks, as notifications may be lost, and at who leads.
LOOK_EVERY = 30.0
LEAD_EVERY = 5.0
# Seconds between two writes of outcomes, which are then written together.
STORE_EVERY = 0.05
STOP_SECONDS = 5.0
# An outcome, beside the errors.
DELIVERED = "delivered"
P = ParamSpec("P")
T = TypeVar("T")


class Runner:
    """The work on one webhook: ``again`` if there is more, ``changed`` if it is to look at once."""

    def __init__(self) -> None:
        self.again = False
        self.changed = asyncio.Event()


class Dispatcher:
    """Delivers the webhooks of all tables of a database.

    ``delays`` are the seconds to wait after each failed attempt at a message, ``leads`` tells
    whether this process is the one that delivers. ``sent`` is called with each message's outcome.
    """

    def __init__(
        self,
        log: EventLog,
        render: Render,
        sender: Sender,
        delays: Sequence[float] = DELAYS,
        sent: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.sender = sender
        self.delays = delays
        self._sent = sent
        self._log = log
        self._deliveries = Deliveries(log, render)
        self._leadership = Leadership(log.engine)
        self._shared = log.engine.dialect.name == "postgresql"
        self._begin = threading.Lock()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        # Tables that have webhooks which are on, where this process leads.
        self._of_table: dict[str, tuple[str, ...]] = {}
        self.leads = False
        self._runners: dict[str, tuple[Runner, asyncio.Task[None]]] = {}
        self._outcomes: list[tuple[list[Statement], asyncio.Future[None]]] = []
        self._tasks: set[asyncio.Task[None]] = set()

    def open(self) -> None:
        """Listen to what is written, and deliver what is left from before."""
        self._log.hooks.written = self._written
        self._log.hooks.changed = self._changed
        self._log.hooks.close = self.close
        if self._shared or self._log.reader.webhook_positions():
            self._start()

    def close(self) -> None:
        """Stop; what is under way is broken off, and sent again by the next process."""
        loop, thread = self._loop, self._thread
        if loop is not None and thread is not None:
            with suppress(RuntimeError):  # it has ended already
                loop.call_soon_threadsafe(self._stop.set)
            thread.join(STOP_SECONDS)

    def _start(self) -> asyncio.AbstractEventLoop:
        with self._begin:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._stop, self._look = asyncio.Event(), asyncio.Event()
                self._thread = threading.Thread(target=self._run, name="webhooks", daemon=True)
                self._thread.start()
            return self._loop

    def _run(self) -> None:
        loop = self._start()
        asyncio.set_event_loop(loop)
        try:
            loop.run_until_complete(self._main())
        finally:
            loop.close()

    def _written(self, table_id: str) -> None:
        """Note new entries; from any thread, so it is quick."""
        if table_id in self._of_table and self._loop is not None:
            self._loop.call_soon_threadsafe(self._wake_table, table_id)

    def _changed(self, table_id: str) -> None:
        self._start().call_soon_threadsafe(self._look_at, table_id)

    async def _main(self) -> None:
        self._reading = ThreadPoolExecutor(1, thread_name_prefix="webhooks-read")
        self._writing = ThreadPoolExecutor(1, thread_name_prefix="webhooks-write")
        self._quick = Lane("quick", QUICK_AT_ONCE, QUICK_PACE, QUICK_NAMES)
        self._others = Lane("others", OTHERS_AT_ONCE, OTHERS_PACE, OTHER_NAMES)
        self._has_outcomes = asyncio.Event()
        storing = asyncio.create_task(self._store_outcomes())
        try:
            await self._lead()
        finally:
            storing.cancel()
            ended = [storing, *self._stand_down(), *self._tasks]
            await asyncio.gather(*ended, return_exceptions=True)
            for executor in (self._reading, self._writing):
                executor.shutdown(cancel_futures=True)
            for lane in (self._quick, self._others):
                lane.close()
            self._leadership.release()

    async def _lead(self) -> None:
        """Look at who leads, and as the leader at all webhooks, until stopped."""
        looked = -LOOK_EVERY
        while not self._stop.is_set():
            try:
                led, self.leads = self.leads, await self._read(self._leadership.held)
                now = asyncio.get_running_loop().time()
                if not self.leads:
                    self._stand_down()
                elif not led or self._look.is_set() or now >= looked + LOOK_EVERY:
                    self._look.clear()
                    await self._look_at_all()
                    looked = now
            except StoreUnavailable:
                logger.debug("webhooks wait for the store")
            except Exception as error:
                logger.warning("task failed", task="webhooks", exc_info=error)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stop.wait(), LEAD_EVERY)

    def _stand_down(self) -> list[asyncio.Task[None]]:
        """Leave everything to the process that leads now; return the tasks that end."""
        self._of_table = {}
        tasks = [task for _, task in self._runners.values()]
        for task in tasks:
            task.cancel()
        self._runners.clear()
        return tasks

    async def _look_at_all(self) -> None:
        positions = await self._read(self._log.reader.webhook_positions)
        tables: dict[str, tuple[str, ...]] = {}
        for position in positions:
            tables[position.table_id] = (*tables.get(position.table_id, ()), position.id)
        new = tables.keys() - self._of_table.keys()
        self._of_table = tables
        if new:
            # What was written there until now has not been told.
            positions = await self._read(self._log.reader.webhook_positions)
        self._deliveries.forget_all_but(position.id for position in positions)
        for hook_id in self._deliveries.due(positions):
            self._wake(hook_id)

    def _look_at(self, table_id: str) -> None:
        """Look at the webhooks of a table, which were changed."""
        task = asyncio.get_running_loop().create_task(self._look_at_table(table_id))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _look_at_table(self, table_id: str) -> None:
        if not self.leads:
            return
        try:
            positions = await self._read(self._log.reader.webhook_positions, table_id)
        except StoreUnavailable:
            self._look.set()
            return
        if self.leads:
            others = {table: ids for table, ids in self._of_table.items() if table != table_id}
            on = {table_id: tuple(position.id for position in positions)} if positions else {}
            self._of_table = {**others, **on}
            for position in positions:
                self._wake(position.id, changed=True)

    def _wake_table(self, table_id: str) -> None:
        for hook_id in self._of_table.get(table_id, ()):
            self._wake(hook_id)

    def _wake(self, hook_id: str, *, changed: bool = False) -> None:
        """Let somebody work on a webhook."""
        if hook_id in self._runners:
            runner, _ = self._runners[hook_id]
            runner.again = True
            if changed:
                runner.changed.set()
            return
        runner = Runner()
        task = asyncio.get_running_loop().create_task(self._work_on(hook_id, runner))
        self._runners[hook_id] = (runner, task)

    async def _work_on(self, hook_id: str, runner: Runner) -> None:
        try:
            while True:
                runner.again = False
                runner.changed.clear()
                delivery = await self._read(self._deliveries.next, hook_id)
                if isinstance(delivery, Delivery):
                    await self._deliver(delivery)
                elif delivery is not None:
                    with suppress(TimeoutError):
                        await asyncio.wait_for(runner.changed.wait(), delivery)
                elif not runner.again:
                    return
        except StoreUnavailable:
            logger.debug("webhook waits for the store", webhook=hook_id)
        except Exception as error:
            logger.warning("webhook not delivered", webhook=hook_id, exc_info=error)
        finally:
            if self._runners.get(hook_id, (None,))[0] is runner:
                del self._runners[hook_id]

    async def _deliver(self, delivery: Delivery) -> None:
        url = delivery.hook["url"]
        lane = self._quick if delivery.quick else self._others
        async with lane.slot(urlsplit(url).netloc):
            at = datetime.now(UTC)
            headers = signed_headers(delivery.hook, delivery.message, delivery.body, at)
            outcome = await self.sender.post(url, headers, delivery.body, lane.names)
        await self._store(delivery, outcome, at)

    async def _store(self, delivery: Delivery, outcome: Outcome, at: datetime) -> None:
        self._sent(outcome.error or DELIVERED)
        statements = self._deliveries.store(delivery, outcome, at, self.delays)
        stored: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._outcomes.append((statements, stored))
        self._has_outcomes.set()
        await stored

    async def _store_outcomes(self) -> None:
        """Write what came of deliveries, all that wait at once."""
        while True:
            await self._has_outcomes.wait()
            self._has_outcomes.clear()
            waiting, self._outcomes = self._outcomes, []
            job = Job(before=[statement for statements, _ in waiting for statement in statements])
            failed: Exception | None = None
            try:
                loop = asyncio.get_running_loop()
                await loop.run_in_executor(self._writing, self._log.writer.write, job)
            except Exception as error:
                failed = error
            for _, stored in waiting:
                if stored.done():
                    continue
                if failed is None:
                    stored.set_result(None)
                else:
                    stored.set_exception(failed)
            await asyncio.sleep(STORE_EVERY)

    async def _read(self, do: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
        """Do what reads the store, in the thread that does so."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._reading, lambda: do(*args, **named))
