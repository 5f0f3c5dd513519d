"""Start serving: the listening socket, the processes, and what is said about where they are."""

import os
import resource
import socket
from collections.abc import Callable

from flask import Flask

from referee.api import create_app
from referee.api.middleware.metrics import forget_process
from referee.camera import card_reader
from referee.config import Settings
from referee.serving.process import MORE_CONNECTIONS, die_with, serve
from referee.serving.processes import Processes
from referee.store.local_key import LocalKey
from referee.web.address import is_loopback, own_address

ALL_INTERFACES = ("0.0.0.0", "::")  # noqa: S104 - compared with, not bound to
CAN_PIN = hasattr(os, "sched_setaffinity")
BACKLOG = 2048
# Files beside the connections: the database, its connections, the log.
MORE_FILES = 256


def listen(host: str, port: int) -> socket.socket:
    """Listen at an address or a name. Raises OSError."""
    if ":" not in host:
        return socket.create_server((host, port), backlog=BACKLOG)
    both = host == "::" and socket.has_dualstack_ipv6()
    return socket.create_server(
        (host, port), family=socket.AF_INET6, backlog=BACKLOG, dualstack_ipv6=both
    )


def make_room(streams: int) -> None:
    """Raise the limit of open files for this many streams, as far as the system allows."""
    wanted = streams + MORE_CONNECTIONS + MORE_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def pin(number: int) -> None:
    """Keep this process on one core, chosen by its number.

    Its threads take turns anyway, and moving between cores would lose their caches.
    """
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[number % len(cores)]})


def run_server(settings: Settings, listener: socket.socket) -> None:
    """Serve until stopped: in this process, or in several with this one to look after them."""
    host, port = listener.getsockname()[:2]

    def ready() -> None:
        print(  # noqa: T201
            f"The referee listens on http://{_bracketed(host)}:{port} (API: /docs). "
            f"Ctrl-C stops it.\n{for_phones(host, port)}",
            flush=True,
        )

    if settings.workers == 1:
        _serve(settings, listener, 0, ready)
        return
    parent = os.getpid()

    def work(number: int) -> None:
        die_with(parent)
        _serve(settings, listener, number, lambda: None)

    Processes(settings.workers, work, forget_process).run(ready)


def _serve(
    settings: Settings, listener: socket.socket, number: int, ready: Callable[[], None]
) -> None:
    if settings.pinned:
        pin(number)
    host, port = listener.getsockname()[:2]

    def make_app() -> Flask:
        local = LocalKey(f"http://{_bracketed(_own(host))}:{port}", phones_origin(host, port))
        return create_app(settings, card_reader(settings.faces), local)

    serve(make_app, listener, ready)


def for_phones(host: str, port: int) -> str:
    """Return the address for phones, as a sentence."""
    if host not in ALL_INTERFACES and is_loopback(host):
        return "Phones cannot reach it; start it with --host 0.0.0.0 for them."
    return f"Phones open {phones_origin(host, port) or f'http://ADDRESS-OF-THIS-COMPUTER:{port}'}"


def phones_origin(host: str, port: int) -> str | None:
    """Return where phones reach the server; None if they cannot, or nobody knows."""
    if host not in ALL_INTERFACES and is_loopback(host):
        return None
    address = own_address() if host in ALL_INTERFACES else host
    return f"http://{_bracketed(address)}:{port}" if address else None


def _own(host: str) -> str:
    """Return the address at which this machine itself reaches the server."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - compared with


def _bracketed(address: str) -> str:
    return f"[{address}]" if ":" in address else address
