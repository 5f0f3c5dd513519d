"""A receiver of webhooks on this machine, which keeps what it was sent."""

import ipaddress
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from flask import Flask
from standardwebhooks import Webhook

from referee.service.webhooks.addresses import AddressPolicy
from referee.service.webhooks.sender import Sender
from tests.waiting import PATIENCE, until

LOOPBACK = AddressPolicy(networks=(ipaddress.ip_network("127.0.0.0/8"),))


def nowhere(app: Flask) -> None:
    """Let a server find no address for any name, so that nothing leaves this machine."""

    def resolve(host: str, port: int) -> list[str]:
        raise OSError(host)

    app.extensions["referee-webhooks"].sender = Sender(AddressPolicy(), resolve=resolve)


def patient(app: Flask) -> None:
    """Let a server wait long for the receivers on this machine."""
    app.extensions["referee-webhooks"].sender = Sender(LOOPBACK, PATIENCE)


@dataclass
class Message:
    """A message as it arrived."""

    headers: dict[str, str]
    raw: bytes

    @property
    def body(self) -> dict[str, Any]:
        return dict(json.loads(self.raw))

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def event(self) -> int:
        return int(self.body["data"]["id"])

    def verify(self, secret: str) -> None:
        """Check the signature as a receiver does; raises if it is wrong."""
        Webhook(secret).verify(self.raw, self.headers)


@dataclass
class Receiver:
    """Answers with ``status``, or what ``answer`` does to a handler; ``got`` is what came."""

    url: str = ""
    status: int = 204
    headers: dict[str, str] = field(default_factory=dict)
    answer: Callable[[BaseHTTPRequestHandler], None] | None = None
    got: list[Message] = field(default_factory=list)

    def events(self) -> list[int]:
        return [message.event for message in self.got if message.body["type"] != "test"]

    def wait_for(self, count: int) -> list[Message]:
        until(lambda: len(self.got) >= count)
        return list(self.got)


@contextmanager
def receiving() -> Iterator[Receiver]:
    """Run a receiver."""
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers["Content-Length"]))
            named = {name.lower(): value for name, value in self.headers.items()}
            receiver.got.append(Message(named, raw))
            if receiver.answer is not None:
                receiver.answer(self)
                return
            self.send_response(receiver.status)
            for name, value in receiver.headers.items():
                self.send_header(name, value)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    receiver.url = f"http://127.0.0.1:{server.server_port}/hook?key=1"
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
