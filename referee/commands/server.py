"""Start serving: the listening socket, the processes, and what is said about where they are."""

import argparse
import os
import resource
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from flask import Flask

from referee.api import create_app
from referee.api.middleware.metrics import forget_process
from referee.camera import can_watch, card_reader
from referee.config import Settings
from referee.serving.frames import FrameSocket
from referee.serving.process import MORE_CONNECTIONS, SecureListener, die_with, serve
from referee.serving.processes import Processes
from referee.serving.watcher import Watcher, watcher_command
from referee.store.database import private_folder, using
from referee.store.local_key import LocalKey
from referee.store.purge import WORKER
from referee.web.address import address_for_phones, in_container, is_loopback
from referee.web.codes import code_in_text

ALL_INTERFACES = ("0.0.0.0", "::")  # noqa: S104 - compared with, not bound to
CAN_PIN = hasattr(os, "sched_setaffinity")
BACKLOG = 2048
# Whatever colours the terminal has: not every phone reads a code that is light on dark ground.
WHITE_ON_BLACK = "\033[38;5;231;48;5;16m"
USUAL_COLORS = "\033[0m"
# Files beside the connections: the database, its connections, the log.
MORE_FILES = 256


def add_parent_flag(parser: Any) -> None:
    """Add the flag with which another program has the server end with it."""
    parser.add_argument("--parent", type=int, help=argparse.SUPPRESS)
    # What the user has called, in whose name is complained.
    parser.add_argument("--called", help=argparse.SUPPRESS)


def follow_parent(args: argparse.Namespace) -> None:
    """End this process when the one that is named has ended, however that came about."""
    if args.parent is not None:
        die_with(args.parent)


def check_port(port: int, flag: str) -> None:
    """Check a port, 0 for any free one. Raises ValueError."""
    if not 0 <= port < 65536:
        raise ValueError(f"{flag} must be from 1 to 65535, or 0 for any free port")


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


def run_server(
    settings: Settings,
    listener: socket.socket,
    qr: bool = False,
    secure: SecureListener | None = None,
    phones: str | None = None,
) -> None:
    """Serve until stopped: in this process, or in several with this one to look after them.

    Raises DatabaseError.

    Args:
        settings: The server's.
        listener: Where it listens.
        qr: Draw the address for phones in the terminal.
        secure: Where it listens for HTTPS; for one process only.
        phones: What is said about phones; by default the address that they open.
    """
    host, port = listener.getsockname()[:2]

    def ready() -> None:
        told = for_phones(host, port) + (drawn_for_phones(host, port) if qr else "")
        print(  # noqa: T201
            f"The referee listens on http://{bracketed(host)}:{port} (API: /docs). "
            f"Ctrl-C stops it.\n{told if phones is None else phones}",
            flush=True,
        )

    with ExitStack() as stack:
        watcher = _watcher(settings, host, port)
        if watcher is not None:
            stack.enter_context(watcher)
        frames = None if watcher is None else watcher.path
        if settings.workers == 1:
            if watcher is not None:
                watcher.start()
            _serve(settings, listener, 0, ready, frames, secure)
            return
        parent = os.getpid()

        def work(number: int) -> None:
            die_with(parent)
            if watcher is not None and number == settings.workers:
                _watch(watcher)
            else:
                _serve(settings, listener, number, lambda: None, frames)

        # One worker for all of them, looked after by a process of its own.
        count = settings.workers + (watcher is not None)
        Processes(count, work, forget_process).run(ready)


def _watcher(settings: Settings, host: str, port: int) -> Watcher | None:
    """Return what looks after the worker for phones' frames; None if there is none."""
    if not (settings.watcher and can_watch()):
        return None
    server = f"http://{bracketed(_own(host))}:{port}"
    folder = private_folder(settings.database, WORKER, os.environ)
    return Watcher(watcher_command(server, folder, settings.faces))


def _watch(watcher: Watcher) -> None:
    """Look after the worker until this process is told to stop."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: watcher.ask_to_stop())
    watcher.run()


def _serve(
    settings: Settings,
    listener: socket.socket,
    number: int,
    ready: Callable[[], None],
    frames: Path | None = None,
    secure: SecureListener | None = None,
) -> None:
    if settings.pinned:
        pin(number)
    host, port = listener.getsockname()[:2]

    def make_app() -> Flask:
        local = LocalKey(f"http://{bracketed(_own(host))}:{port}", phones_origin(host, port))
        reader = None if frames is None else FrameSocket(frames)
        with using(settings.database):
            return create_app(settings, card_reader(settings.faces), local, reader)

    serve(make_app, listener, ready, secure)


def for_phones(host: str, port: int) -> str:
    """Return the address for phones, as a sentence."""
    if host not in ALL_INTERFACES and is_loopback(host):
        return "Phones cannot reach it; start it with --host 0.0.0.0 for them."
    if origin := phones_origin(host, port):
        return f"Phones open {origin}"
    published = f", if the container publishes port {port}" if in_container() else ""
    return f"Phones open http://ADDRESS-OF-THIS-COMPUTER:{port}{published}"


def drawn_for_phones(host: str, port: int) -> str:
    """Return the address for phones as a QR code of lines of text; nothing without an address."""
    origin = phones_origin(host, port)
    return "" if origin is None else drawn_code(origin)


def drawn_code(address: str) -> str:
    """Return a QR code of an address as lines of text, after an empty one."""
    drawn = code_in_text(address).splitlines()
    if sys.stdout.isatty():
        drawn = [f"{WHITE_ON_BLACK}{line}{USUAL_COLORS}" for line in drawn]
    return "\n\n" + "\n".join(drawn)


def phones_origin(host: str, port: int) -> str | None:
    """Return where phones reach the server; None if they cannot, or nobody knows."""
    if host not in ALL_INTERFACES and is_loopback(host):
        return None
    address = address_for_phones() if host in ALL_INTERFACES else host
    return f"http://{bracketed(address)}:{port}" if address else None


def _own(host: str) -> str:
    """Return the address at which this machine itself reaches the server."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - compared with


def bracketed(address: str) -> str:
    """Return an address as URLs have it."""
    return f"[{address}]" if ":" in address else address
