"""One serving process: the app, the event loop and what stops them."""

import asyncio
import gc
import os
import signal
import socket
import ssl
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from types import FrameType
from wsgiref.types import WSGIApplication

import uvicorn
from flask import Flask

from referee.api import close_app
from referee.service.records.photos import LARGEST_PHOTO
from referee.serving.bodies import BodyRoom
from referee.serving.bridge import Bridge
from referee.serving.connection import Connection
from referee.serving.door import Door

# Seconds for a request to follow another on the same connection.
KEEP_ALIVE = 75
# Seconds to finish requests; streams end at once.
GRACEFUL_SECONDS = 10
HANDSHAKE_SECONDS = 10
# Connections beside the streams.
MORE_CONNECTIONS = 3_000
# Bytes of large bodies that are held at a time, in all and of one address.
BODIES_TOGETHER = 128 * 1024 * 1024
BODIES_EACH = 32 * 1024 * 1024
TURN_SECONDS = 0.001
# Seconds between looks at whether the parent still lives.
PARENT_EVERY = 0.5


@dataclass(frozen=True, slots=True)
class Openings:
    """What a server admits, and whom it tells.

    ``streams`` and ``body``: the most streams, the longest body in bytes. ``proxies``: how many are
    in front of it. ``refused`` is called with the kind of a problem that the app never saw,
    ``end_streams`` when the server is to stop.
    """

    streams: int = 0
    body: int = 64 * 1024
    proxies: int = 0
    refused: Callable[[str], None] = lambda _: None
    end_streams: Callable[[], None] = lambda: None


@dataclass(frozen=True, slots=True)
class SecureListener:
    """A socket that listens for HTTPS, beside the one for plain HTTP."""

    socket: socket.socket
    context: ssl.SSLContext


class Server(uvicorn.Server):
    """uvicorn, which ends streams when it is stopped and finishes other requests."""

    def __init__(
        self,
        app: WSGIApplication,
        openings: Openings,
        ready: Callable[[], None] = lambda: None,
        secure: SecureListener | None = None,
    ) -> None:
        most, body = openings.streams + MORE_CONNECTIONS, openings.body
        # Behind a proxy, one address is everybody.
        door = Door(most, most if openings.proxies else most // 2, openings.refused)
        each = BODIES_TOGETHER if openings.proxies else BODIES_EACH
        room = BodyRoom(body, BODIES_TOGETHER, each)
        self._door, self._end_streams, self._ready = door, openings.end_streams, ready
        self._secure = secure
        self._watching: asyncio.Task[None] | None = None
        super().__init__(
            uvicorn.Config(
                Bridge(app, room, openings.proxies),
                http=partial(Connection, door),  # type: ignore[arg-type]
                ws="none",
                interface="asgi3",
                lifespan="off",
                log_config=None,
                log_level="error",
                access_log=False,
                proxy_headers=False,
                server_header=False,
                timeout_keep_alive=KEEP_ALIVE,
                timeout_graceful_shutdown=GRACEFUL_SECONDS,
            )
        )

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start listening."""
        settle()
        await super().startup(sockets)
        if self._secure is not None:
            self.servers.append(await self._listen(self._secure))
        self._watching = asyncio.create_task(self._door.watch())
        self._ready()

    async def _listen(self, secure: SecureListener) -> asyncio.Server:
        """Listen as uvicorn does, which knows one kind of socket at a time."""

        def protocol() -> asyncio.Protocol:
            return self.config.http_protocol_class(  # type: ignore[call-arg]
                config=self.config,
                server_state=self.server_state,
                app_state=self.lifespan.state,
            )

        return await asyncio.get_running_loop().create_server(
            protocol,
            sock=secure.socket,
            ssl=secure.context,
            # Whoever does not shake hands must not hold a connection.
            ssl_handshake_timeout=HANDSHAKE_SECONDS,
            backlog=self.config.backlog,
        )

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept nothing more, end the streams, and finish requests."""
        await asyncio.to_thread(self._end_streams)
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, _frame: FrameType | None) -> None:
        """Stop gracefully on a first signal, and at once on a second Ctrl-C."""
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True


def settle() -> None:
    """Set the interpreter up for many threads that each have little to do."""
    # With Python's 5 ms, an event reaches its streams later whenever anything else computes.
    sys.setswitchinterval(TURN_SECONDS)
    # What there is now stays: looking through it for garbage would only cost time.
    gc.collect()
    gc.freeze()


def serve(
    make_app: Callable[[], Flask],
    listener: socket.socket,
    ready: Callable[[], None],
    secure: SecureListener | None = None,
) -> None:
    """Serve until stopped. The app is made here, as threads and locks do not survive a fork."""
    app = make_app()
    settings = app.extensions["referee-settings"]
    openings = Openings(
        settings.max_streams,
        max(settings.max_body, LARGEST_PHOTO),
        settings.guard.proxies,
        app.extensions["referee-metrics"].refused,
        app.extensions["referee-streams"].close,
    )
    Server(app.wsgi_app, openings, ready, secure).run(sockets=[listener])
    close_app(app)


def die_with(parent: int) -> None:
    """End this process when its parent has ended, however that came about."""

    def watch() -> None:
        while os.getppid() == parent:
            ended.wait(PARENT_EVERY)
        os.kill(os.getpid(), signal.SIGTERM)
        ended.wait(GRACEFUL_SECONDS + 1)
        with suppress(ProcessLookupError):
            os.kill(os.getpid(), signal.SIGKILL)

    ended = threading.Event()
    threading.Thread(target=watch, name="parent", daemon=True).start()
