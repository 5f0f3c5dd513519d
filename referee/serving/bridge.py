"""Serve a WSGI app from an event loop: bodies are read before a thread is taken, streams take none.

The app gets each request whole, so that no thread ever waits for a client. A stream of events is
left to this module under ``ENVIRON_KEY``; it is written to while its reader has room.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from contextlib import suppress
from functools import partial
from io import BytesIO
from typing import Any
from urllib.parse import unquote_to_bytes
from wsgiref.types import WSGIApplication

from referee.api.limits.rates import forwarded_address
from referee.api.stream import ENVIRON_KEY, PEER_KEY, STILL_HERE, EventStream
from referee.serving.bodies import BodyRoom, GoneError
from referee.serving.connection import Peer
from referee.serving.threads import Threads

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]

# Longer bodies are sent in pieces of about this length.
PIECE = 128 * 1024
LENGTH = b"content-length"
NOTHING: Mapping[str, Any] = {}
# These are answered while everything else is busy.
LOOKS = frozenset({"/health", "/ready"})
PLAIN = {b"content-type": "CONTENT_TYPE", b"content-length": "CONTENT_LENGTH"}


class Answer:
    """What the app answered. It is closed unless it is a stream or comes in pieces."""

    def __init__(self, app: WSGIApplication, environ: dict[str, Any]) -> None:
        self.status = 500
        self.headers: Headers = []
        self.body = b""
        self._body: Iterable[bytes] = ()
        self.stream: EventStream | None = None
        self.in_pieces = False
        try:
            self._body = app(environ, self._start)
            if self.status == 200 and environ["REQUEST_METHOD"] != "HEAD":
                self.stream = environ.get(ENVIRON_KEY)
            self.in_pieces = self.stream is None and self._length() > PIECE
            self._pieces = iter(self._body)
            if self.stream is None and not self.in_pieces:
                self.body = b"".join(self._pieces)
        except BaseException:
            self.close(environ)
            raise
        if self.stream is None and not self.in_pieces:
            self.close(environ)

    def piece(self) -> bytes:
        """Return a next piece of a long body; nothing after the last."""
        parts: list[bytes] = []
        size = 0
        for part in self._pieces:
            parts.append(part)
            size += len(part)
            if size >= PIECE:
                break
        return b"".join(parts)

    def _length(self) -> int:
        return next((int(text) for name, text in self.headers if name.lower() == LENGTH), 0)

    def close(self, environ: Mapping[str, Any] = NOTHING) -> None:
        """Let the app know that it is sent, and a stream that it was opened in vain."""
        stream = self.stream or environ.get(ENVIRON_KEY)
        try:
            close = getattr(self._body, "close", None)
            if close is not None:
                close()
        finally:
            if stream is not None:
                stream.close()

    def _start(
        self, status: str, headers: list[tuple[str, str]], _error: Any = None
    ) -> Callable[[bytes], object]:
        self.status = int(status[:3])
        self.headers = [
            (name.encode("latin-1"), value.encode("latin-1"))
            for name, value in headers
            # uvicorn says the time itself.
            if name != "Date"
        ]
        return _no_writing


def _no_writing(data: bytes) -> object:
    raise NotImplementedError("the app returns its body")


class Bridge:
    """An ASGI app that runs a WSGI app in threads; ``proxies`` are in front of it."""

    def __init__(self, app: WSGIApplication, room: BodyRoom, proxies: int = 0) -> None:
        self._app, self._room, self._proxies = app, room, proxies
        self._threads, self._lookouts = Threads(), Threads(most=4, each=2)
        self._errors = sys.stderr

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        peer: Peer = scope["state"][PEER_KEY]
        try:
            await self._serve(scope, peer, receive, send)
        except asyncio.CancelledError:
            # The server stops, and cannot wait any longer.
            peer.give_up()

    async def _serve(self, scope: Scope, peer: Peer, receive: Receive, send: Send) -> None:
        try:
            with self._room.body(_client(scope)[0], scope["headers"]) as body:
                environ = self._environ(scope, await body.read(receive), body.length)
                address = forwarded_address(environ, self._proxies)
                answer = await self._answer(environ, address, peer, receive)
        except GoneError:
            return
        start = {"type": "http.response.start", "status": answer.status, "headers": answer.headers}
        if answer.stream is None and not answer.in_pieces:
            await send(start)
            await send({"type": "http.response.body", "body": answer.body})
            return
        try:
            await send(start)
            if answer.stream is None:
                await self._send_pieces(answer, address, send)
            else:
                await self._send_stream(answer.stream, address, receive, send)
        finally:
            self._close(answer, address)

    async def _answer(
        self, environ: dict[str, Any], address: str, peer: Peer, receive: Receive
    ) -> Answer:
        threads = self._lookouts if environ["PATH_INFO"] in LOOKS else self._threads
        answering: asyncio.Future[Answer] = threads.run(
            address, Answer, self._app, environ, is_vain=lambda: peer.gone
        )
        leaving: asyncio.Future[None] | None = None
        if threads.is_waiting(address, answering):
            leaving = asyncio.ensure_future(_until_gone(receive))
            leaving.add_done_callback(lambda _: threads.drop(address, answering))
        try:
            return await asyncio.shield(answering)
        except asyncio.CancelledError:
            if threads.drop(address, answering):
                peer.refuse()
            answering.add_done_callback(partial(self._close_unsent, address))
            raise
        finally:
            if leaving is not None:
                leaving.cancel()

    def _close_unsent(self, address: str, answering: "asyncio.Future[Answer]") -> None:
        if not answering.cancelled() and answering.exception() is None:
            self._close(answering.result(), address)

    def _close(self, answer: Answer, address: str) -> None:
        if answer.stream is not None:
            answer.stream.leave()
        # In a thread, as it waits for the table; unawaited, as this may be cancelled.
        self._threads.run(address, answer.close)

    async def _send_pieces(self, answer: Answer, address: str, send: Send) -> None:
        """Send a long body as its reader makes room, so that it never lies in memory as a whole."""
        more = True
        while more:
            piece = await self._threads.run(address, answer.piece)
            more = bool(piece)
            await send({"type": "http.response.body", "body": piece, "more_body": more})

    async def _send_stream(
        self, stream: EventStream, address: str, receive: Receive, send: Send
    ) -> None:
        loop = asyncio.get_running_loop()
        news = asyncio.Event()

        async def say(text: str, more: bool = True) -> None:
            stream.open_stream.is_writing = True
            await send({"type": "http.response.body", "body": text.encode(), "more_body": more})
            stream.open_stream.is_writing = False

        def wake() -> None:
            # The loop may have ended.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(news.set)

        leaving = asyncio.ensure_future(_until_gone(receive))
        leaving.add_done_callback(lambda _: news.set())
        try:
            with stream.hear(wake):
                await say(await self._threads.run(address, stream.begin))
                while not stream.ended and not leaving.done():
                    news.clear()
                    if stream.is_quick():
                        text = stream.more()
                    else:
                        text = await self._threads.run(address, stream.more)
                    if text:
                        await say(text)
                    elif not await _came(news, stream.keep_alive):
                        await say(STILL_HERE)
            await say("", more=False)
        finally:
            leaving.cancel()

    def _environ(self, scope: Scope, body: bytes, length: int) -> dict[str, Any]:
        client, server = _client(scope), scope["server"] or ("", 0)
        environ: dict[str, Any] = {
            "REQUEST_METHOD": scope["method"],
            "SCRIPT_NAME": "",
            "PATH_INFO": _path(scope["raw_path"]),
            "QUERY_STRING": scope["query_string"].decode("latin-1"),
            "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
            "SERVER_NAME": server[0],
            "SERVER_PORT": str(server[1]),
            "REMOTE_ADDR": client[0],
            "REMOTE_PORT": str(client[1]),
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": scope["scheme"],
            "wsgi.input": BytesIO(body),
            "wsgi.errors": self._errors,
            "wsgi.multithread": True,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
            PEER_KEY: scope["state"][PEER_KEY],
        }
        for name, value in scope["headers"]:
            # With an underscore, it could pass for another header.
            if b"_" in name:
                continue
            key = PLAIN.get(name) or "HTTP_" + name.decode("latin-1").upper().replace("-", "_")
            text = value.decode("latin-1")
            environ[key] = f"{environ[key]},{text}" if key in environ else text
        if body or length or "CONTENT_LENGTH" in environ:
            environ["CONTENT_LENGTH"] = str(length)
        # The body has been put together.
        environ.pop("HTTP_TRANSFER_ENCODING", None)
        return environ


def _client(scope: Scope) -> tuple[str, int]:
    """Return the client's address and port; of one that has gone already, no address."""
    client: tuple[str, int] | None = scope["client"]
    return client or ("", 0)


def _path(raw: bytes) -> str:
    return (unquote_to_bytes(raw) if b"%" in raw else raw).decode("latin-1")


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _came(news: asyncio.Event, seconds: float) -> bool:
    try:
        async with asyncio.timeout(seconds):
            await news.wait()
    except TimeoutError:
        return False
    return True
