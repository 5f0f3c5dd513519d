"""One client's connection: what may come, how long it may take, and how refusals are written.

uvicorn does HTTP. This adds what a server needs that strangers reach: nobody waits for a client but
in the event loop, and no client can take more than its share of it.
"""

import asyncio
import random
import re
import socket
from contextlib import suppress
from functools import cached_property
from typing import Any

from uvicorn.protocols.http.httptools_impl import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)

from referee.api.middleware.headers import DATA
from referee.api.problems import DETAILS, KINDS, MEDIA_TYPE, RETRY_AFTER, problem_body
from referee.api.stream import PEER_KEY
from referee.service.log.entries import dump
from referee.service.problems import Problem
from referee.serving.door import Door
from referee.texts import pick_language

LONGEST_LINE = 4094
LONGEST_HEAD = 32 * 1024
MOST_HEADERS = 100
# Seconds for a first byte, then for the head of a request.
HEAD_SECONDS = 15.0
# Seconds for a body, and bytes that earn a second more.
BODY_SECONDS = 10.0
SLOWEST_BODY = 32 * 1024
# Seconds that a client may leave what is written to it unread.
PATIENCE = 20.0
# Seconds and bytes that a client may go on sending after it was refused.
LINGER_SECONDS = 2.0
# The kernel's buffer for what a stream sends.
BUFFER_BYTES = 64 * 1024
MOST_DISCARDED = 16 * 1024 * 1024
FULL = Problem("too-many-connections", "Too many connections are open; try again later.")
STOPPED = Problem("not-ready", "The server is being stopped; try again.")
OWN = {problem.kind: problem for problem in (FULL, STOPPED)}
# An offer to go on in another protocol, as Java's client makes one with its first request.
UPGRADE = re.compile(rb"(\r\n)upgrade:[^\r\n]*\r\n", re.IGNORECASE)
IPV4_IN_IPV6 = "::ffff:"


class Peer:
    """The client's end, for ``StreamLimit``: what it needs of a socket, from any thread."""

    def __init__(self, connection: "Connection", transport: asyncio.Transport) -> None:
        self._connection, self._loop = connection, connection.loop
        self._transport = transport
        self._socket: socket.socket = transport.get_extra_info("socket")
        self.gone = False
        self._is_refused = False

    def refuse(self) -> None:
        """Let ``give_up`` say that nothing was done."""
        self._is_refused = True

    def give_up(self) -> None:
        """Close the connection, in the event loop, as the server stops."""
        self._connection.give_up(self._is_refused)

    def send_from_small_buffer(self) -> None:
        """Let writes block soon after the client has stopped reading."""
        # The OSError is of a socket that is closed already.
        with suppress(OSError):
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER_BYTES)

    def cut(self, after: float = 0) -> None:
        """Close the connection in so many seconds, whatever is unsent; from any thread."""
        # The loop may have ended.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._loop.call_later, after, self._transport.abort)


class Connection(HttpToolsProtocol):
    """A connection that the door admits, with deadlines and limits."""

    def __init__(self, door: Door, **options: Any) -> None:
        super().__init__(**options)
        self._door = door
        self._refusal = ""
        self._in_head, self._head = False, 0
        self._body_began, self._body, self._discarded = 0.0, 0, 0
        # Requests that are not answered; uvicorn tells only the last that the client has gone.
        self._unanswered: list[RequestResponseCycle] = []
        self._deadline: float | None = None
        self._stuck_since: float | None = None
        self._deaf = self._refused = False

    @cached_property
    def address(self) -> str:
        """The client's address; IPv4 addresses look the same on any listener."""
        return self.client[0].removeprefix(IPV4_IN_IPV6) if self.client else ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Admit the client, or refuse it at once."""
        super().connection_made(transport)
        self.client = (self.address, self.client[1]) if self.client else None
        self._peer = Peer(self, transport)
        self.app_state = {PEER_KEY: self._peer}
        self._deadline = self.loop.time() + HEAD_SECONDS
        # Not every system has it.
        with suppress(OSError, AttributeError):
            milliseconds = int(1000 * PATIENCE)
            transport.get_extra_info("socket").setsockopt(
                socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, milliseconds
            )
        if not self._door.admit(self):
            self._refuse(FULL.kind)

    def connection_lost(self, exc: Exception | None) -> None:
        """Make room for another."""
        self._door.leave(self)
        self._leave_requests()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse what came, unless the client has been refused."""
        if self._deaf:
            self._discard(len(data))
            return
        begun = self.headers if self._in_head else None
        super().data_received(data if self._is_in_body() else _without_upgrade(data))
        if self._in_head and self.headers is begun:
            # The parser keeps an unfinished header.
            self._head += len(data)
            if self._head > LONGEST_HEAD:
                self._refuse("headers-too-large")
        elif self._deadline is None and (self.cycle is None or self.cycle.response_complete):
            # Empty lines before a request must not keep the connection.
            self._deadline = self.loop.time() + HEAD_SECONDS

    def eof_received(self) -> None:
        """Take it that the client has gone; asyncio closes the connection."""
        self._deaf = True
        self._leave_requests()

    def on_message_begin(self) -> None:
        """Start the clock of a request."""
        super().on_message_begin()
        self._in_head, self._head = True, 0
        self._deadline = self.loop.time() + HEAD_SECONDS

    def on_url(self, url: bytes) -> None:
        """Refuse a long address."""
        super().on_url(url)
        if len(self.url) > LONGEST_LINE:
            self._refusal = "uri-too-long"
            raise ValueError(self._refusal)

    def on_headers_complete(self) -> None:
        """Refuse long headers, and start the clock of the body."""
        self._in_head = False
        size = sum([len(name) + len(value) for name, value in self.headers])
        if len(self.headers) > MOST_HEADERS or size > LONGEST_HEAD:
            self._refusal = "headers-too-large"
            raise ValueError(self._refusal)
        if not _is_plain(self.parser.get_http_version(), self.headers):
            self._refusal = "bad-request"
            raise ValueError(self._refusal)
        self._body_began = self.loop.time()
        self._deadline = self._body_began + BODY_SECONDS
        self._body = self._discarded = 0
        super().on_headers_complete()
        waiting = (cycle for cycle in self._unanswered if not cycle.response_complete)
        self._unanswered = [*waiting, self.cycle]

    def on_body(self, body: bytes) -> None:
        """Give time for what comes."""
        self._body += len(body)
        self._deadline = self._body_began + BODY_SECONDS + self._body / SLOWEST_BODY
        super().on_body(body)
        if self.cycle.response_complete:
            self._discard(len(body))

    def on_message_complete(self) -> None:
        """Stop the clock."""
        super().on_message_complete()
        self._deadline = None

    def pause_writing(self) -> None:
        """Note that the client does not read."""
        super().pause_writing()
        self._stuck_since = self.loop.time()

    def resume_writing(self) -> None:
        """Note that the client reads again."""
        super().resume_writing()
        self._stuck_since = None

    def send_400_response(self, _msg: str) -> None:
        """Refuse what cannot be parsed, or what a callback of the parser refused."""
        self._refuse(self._refusal or "bad-request")

    def check(self, now: float) -> None:
        """Close the connection of a client that is late; ``now`` is the event loop's time."""
        if self.transport.is_closing() and self._stuck_since is None:
            self._stuck_since = now
        if self._stuck_since is not None and now - self._stuck_since > PATIENCE:
            self.transport.abort()
        # Of a request behind another nothing is read.
        elif self._deadline is not None and now > self._deadline and not self.pipeline:
            if self._refused or not (self._in_head or self._is_in_body()):
                self.transport.abort()
            else:
                self._refuse("too-slow")

    def shutdown(self) -> None:
        """Close, unless a request is being answered."""
        if self._is_in_body():
            self._leave_requests()
            self.transport.close()
        else:
            super().shutdown()

    def give_up(self, refuse: bool) -> None:
        """Close, though a request is not answered; ``refuse``: say that the server stops."""
        self._leave_requests()
        if refuse:
            self.transport.write(self._problem(STOPPED.kind))
            self.transport.close()
        else:
            self.transport.abort()

    def _refuse(self, kind: str) -> None:
        """Answer with a problem, and close once the client has had time to read it."""
        self._deaf = True
        cycle = self.cycle
        if cycle is not None and not cycle.response_complete:
            if not cycle.more_body or cycle.response_started:
                # It follows a request that is being answered.
                cycle.keep_alive = False
                self._deadline = None
                return
            self._leave_requests()
        if self._refused or self.transport.is_closing():
            return
        self._refused = True
        self._unset_keepalive_if_required()
        self.flow.resume_reading()
        self.transport.write(self._problem(kind))
        self._deadline = self.loop.time() + LINGER_SECONDS
        # With data unread, closing would take the answer away from the client.
        if self.transport.can_write_eof():
            self.transport.write_eof()

    def _is_in_body(self) -> bool:
        cycle = self.cycle
        return cycle is not None and cycle.more_body and not cycle.response_complete

    def _leave_requests(self) -> None:
        """Let nobody answer any more."""
        self._peer.gone = True
        self.pipeline.clear()
        for cycle in self._unanswered:
            cycle.disconnected = True
            cycle.message_event.set()

    def _discard(self, size: int) -> None:
        self._discarded += size
        if self._discarded > MOST_DISCARDED:
            self.transport.abort()

    def _problem(self, kind: str) -> bytes:
        status = KINDS[kind][0]
        headers = getattr(self, "headers", None) or ()
        accepted = next((value for name, value in headers if name == b"accept-language"), b"")
        request_id = f"{random.getrandbits(64):016x}"
        problem = OWN.get(kind) or Problem(kind, DETAILS[status])
        body = problem_body(problem, pick_language(accepted.decode("latin-1")))
        content = dump({**body, "request_id": request_id}).encode()
        sent = [
            ("Content-Type", MEDIA_TYPE),
            ("Content-Length", str(len(content))),
            ("Connection", "close"),
            ("X-Request-ID", request_id),
            *DATA,
        ]
        if status == 503:
            sent.append(("Retry-After", str(RETRY_AFTER)))
        self._door.refused(kind)
        lines = "".join(f"{name}: {value}\r\n" for name, value in sent)
        return STATUS_LINE[status] + f"{lines}\r\n".encode("latin-1") + content


def _is_plain(version: str, headers: list[tuple[bytes, bytes]]) -> bool:
    """Return whether every server would read the same host and the same body (RFC 9112)."""
    hosts = [value for name, value in headers if name == b"host"]
    if len(hosts) > 1 or (not hosts and version == "1.1"):
        return False
    encodings = [value.lower() for name, value in headers if name == b"transfer-encoding"]
    return not encodings or (version == "1.1" and encodings == [b"chunked"])


def _without_upgrade(data: bytes) -> bytes:
    """Leave out an offer of another protocol, with which the parser would skip the body."""
    head, end, rest = data.partition(b"\r\n\r\n")
    return UPGRADE.sub(rb"\1", head + b"\r\n") + end[2:] + rest if end else data
