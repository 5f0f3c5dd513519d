"""Who gets a thread while all are busy, and that nobody is run who has left."""

import asyncio
import threading
from collections.abc import Callable, Iterable, Iterator, MutableMapping
from typing import Any
from wsgiref.types import StartResponse

import pytest

from referee.api.stream import PEER_KEY
from referee.serving.bodies import BodyRoom, GoneError
from referee.serving.bridge import Bridge
from referee.serving.threads import EACH_ADDRESS, Threads

# Seconds for which a thread is held at most, and for which what has to come is waited for.
HELD, SOON = 240, 120


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    opened = threading.Event()
    yield opened
    opened.set()


def test_addresses_take_turns(gate: threading.Event) -> None:
    done: list[str] = []

    async def run() -> None:
        threads = Threads(most=1)
        held = threads.run("a", gate.wait, HELD)
        jobs = [threads.run(one[0], done.append, one) for one in ("a1", "a2", "a3", "b1", "c1")]
        gate.set()
        await asyncio.gather(held, *jobs)

    asyncio.run(run())
    assert done == ["a1", "b1", "c1", "a2", "a3"]


def test_one_address_leaves_threads_to_others(gate: threading.Event) -> None:
    async def run() -> None:
        threads = Threads(most=3, each=2)
        held = [threads.run("a", gate.wait, HELD) for _ in range(9)]
        async with asyncio.timeout(SOON):
            assert await threads.run("b", str, "served") == "served"
        assert not any(one.done() for one in held)
        gate.set()
        assert all(await asyncio.gather(*held))

    asyncio.run(run())


def test_who_leaves_while_waiting_is_not_run(gate: threading.Event) -> None:
    done: list[str] = []

    async def run() -> None:
        threads = Threads(most=1, each=1)
        held = threads.run("a", gate.wait, HELD)
        left = threads.run("b", done.append, "left")
        vain = threads.run("b", done.append, "vain", is_vain=lambda: True)
        stays = threads.run("b", done.append, "stays")
        assert threads.is_waiting("b", left)
        assert threads.drop("b", left)
        gate.set()
        assert await held
        found = await asyncio.gather(left, vain, stays, return_exceptions=True)
        assert [type(one) for one in found] == [GoneError, GoneError, type(None)]

    asyncio.run(run())
    assert done == ["stays"]


def refused(_thread: threading.Thread) -> None:
    raise RuntimeError("can't start new thread")


def test_a_job_for_which_there_is_no_thread_fails_and_leaves_nothing_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done: list[str] = []

    async def run() -> None:
        threads = Threads(most=1)
        with monkeypatch.context() as system:
            system.setattr(threading.Thread, "start", refused)
            lost = threads.run("a", done.append, "lost")
            assert not threads.is_waiting("a", lost)
            with pytest.raises(RuntimeError, match="new thread"):
                await lost
        async with asyncio.timeout(SOON):
            await threads.run("a", done.append, "served")

    asyncio.run(run())
    assert done == ["served"]


def test_threads_that_there_are_do_what_is_due_while_there_are_no_more(
    gate: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        threads = Threads(most=3)
        held = threads.run("a", gate.wait, HELD)
        with monkeypatch.context() as system:
            system.setattr(threading.Thread, "start", refused)
            kept = threads.run("a", str, "kept")
            left = threads.run("b", str, "left")
            assert threads.is_waiting("a", kept)
            assert threads.drop("b", left)
        async with asyncio.timeout(SOON):
            more = [threads.run(address, gate.wait, HELD) for address in "cd"]
            # That no thread was to be had before counts for nothing.
            assert not any(map(threads.is_waiting, "cd", more))
            gate.set()
            assert await kept == "kept"
            assert all(await asyncio.gather(held, *more))
        with pytest.raises(GoneError):
            await left

    asyncio.run(run())


class Caller:
    """Asks an app as the server does."""

    gone = False
    client: tuple[str, int] | None = ("192.0.2.1", 1)
    given_up = refused = False

    def __init__(self, bridge: Bridge, forwarded: str = "") -> None:
        self.bridge, self.forwarded = bridge, forwarded
        self.left, self.status, self.waits = asyncio.Event(), 0, False

    def give_up(self) -> None:
        self.given_up = True

    def refuse(self) -> None:
        self.refused = True

    async def receive(self) -> MutableMapping[str, Any]:
        if not self.status:
            self.status = -1
            return {"type": "http.request", "body": b"", "more_body": False}
        # Only while it waits for a thread is it looked whether a client is there.
        self.waits = True
        await self.left.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: MutableMapping[str, Any]) -> None:
        self.status = message.get("status", self.status)

    async def ask(self, path: str) -> int:
        scope = {
            "method": "GET",
            "raw_path": path.encode(),
            "query_string": b"",
            "scheme": "http",
            "http_version": "1.1",
            "client": self.client,
            "server": ("here", 80),
            "headers": [(b"x-forwarded-for", self.forwarded.encode())],
            "state": {PEER_KEY: self},
        }
        await self.bridge(scope, self.receive, self.send)
        return self.status


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(SOON):
        while not holds():
            await asyncio.sleep(0.01)


def test_health_and_other_clients_of_a_proxy_are_answered_meanwhile(gate: threading.Event) -> None:
    ran: list[str] = []

    def app(environ: dict[str, Any], start: StartResponse) -> Iterable[bytes]:
        ran.append(environ["PATH_INFO"])
        if environ["PATH_INFO"] == "/slow":
            gate.wait(HELD)
        start("200 OK", [])
        return [b""]

    async def run() -> None:
        bridge = Bridge(app, BodyRoom(9, 9, 9), proxies=1)
        callers = [Caller(bridge, "198.51.100.1") for _ in range(2 * EACH_ADDRESS)]
        slow = [asyncio.create_task(caller.ask("/slow")) for caller in callers]
        async with asyncio.timeout(SOON):
            await asyncio.sleep(0)
            # What a client writes in front of the proxy's word counts for nothing.
            assert await Caller(bridge, "198.51.100.1, 203.0.113.2").ask("/quick") == 200
            assert await Caller(bridge, "198.51.100.1").ask("/health") == 200
        for caller in callers:
            caller.left.set()
        await until(lambda: sum(one.done() for one in slow) == EACH_ADDRESS)
        gate.set()
        await asyncio.gather(*slow)
        assert ran.count("/slow") == EACH_ADDRESS

    asyncio.run(run())


def test_requests_that_the_stopping_server_cannot_finish_are_given_up(
    gate: threading.Event,
) -> None:
    begun: list[str] = []

    def app(environ: dict[str, Any], start: StartResponse) -> Iterable[bytes]:
        begun.append(environ["PATH_INFO"])
        gate.wait(HELD)
        start("200 OK", [])
        return [b""]

    async def run() -> None:
        bridge = Bridge(app, BodyRoom(9, 9, 9))
        callers = [Caller(bridge) for _ in range(EACH_ADDRESS + 1)]
        asked = [asyncio.create_task(caller.ask("/slow")) for caller in callers]
        await until(lambda: len(begun) == EACH_ADDRESS and callers[-1].waits)
        for one in asked:
            one.cancel()
        await asyncio.gather(*asked)
        assert all(caller.given_up for caller in callers)
        # Of the one that waited it is known that nothing was done.
        assert [caller.refused for caller in callers] == [False] * EACH_ADDRESS + [True]
        gate.set()

    asyncio.run(run())


def test_a_request_whose_client_has_gone_already_is_of_no_address() -> None:
    addresses: list[str] = []

    def app(environ: dict[str, Any], start: StartResponse) -> Iterable[bytes]:
        addresses.append(environ["REMOTE_ADDR"])
        start("200 OK", [])
        return [b""]

    async def run() -> None:
        caller = Caller(Bridge(app, BodyRoom(9, 9, 9)))
        caller.client = None
        assert await caller.ask("/table") == 200

    asyncio.run(run())
    assert addresses == [""]
