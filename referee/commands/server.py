"""gunicorn configured for the referee: processes with many threads."""

import os
import resource
import socket
import threading
from types import FrameType

from flask import Flask
from gunicorn.app.base import BaseApplication
from gunicorn.workers.gthread import ThreadWorker

from referee.api import create_app
from referee.api.middleware.metrics import forget_process
from referee.camera import card_reader
from referee.config import Settings
from referee.store.local_key import LocalKey
from referee.web.address import is_loopback, own_address

SPARE_THREADS = 64
ALL_INTERFACES = ("0.0.0.0", "::")  # noqa: S104 - compared with, not bound to
MAX_REQUEST_LINE = 4094
CAN_PIN = hasattr(os, "sched_setaffinity")
# Seconds to finish requests; streams end at once.
GRACEFUL_SECONDS = 10


class Worker(ThreadWorker):
    """A worker that ends its streams when it is stopped, and finishes other requests."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop on SIGTERM. A thread ends the streams, as a signal handler must not lock."""
        if self.alive:
            threading.Thread(target=self._end_streams, daemon=True).start()
        super().handle_exit(sig, frame)

    def handle_quit(self, sig: int, frame: FrameType | None) -> None:
        """Stop on SIGQUIT, which gunicorn sends on Ctrl-C."""
        self.handle_exit(sig, frame)

    def _end_streams(self) -> None:
        if self.wsgi is not None:
            self.wsgi.extensions["referee-streams"].close()


def make_room(streams: int) -> None:
    """Raise the limit of open files for this many streams, as far as the system allows."""
    wanted = streams + 8 * SPARE_THREADS
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


class GunicornServer(BaseApplication):
    """gunicorn with workers of many threads, as each open stream takes one (ADR 6)."""

    def __init__(self, settings: Settings, listener: socket.socket) -> None:
        self._settings = settings
        self._listener = listener
        self._address = listener.getsockname()[:2]
        super().__init__()

    def load_config(self) -> None:
        """Set the options that gunicorn usually reads from a file."""
        host, port = self._address
        os.set_inheritable(self._listener.fileno(), True)
        options = {
            "bind": [f"fd://{self._listener.fileno()}"],
            "workers": self._settings.workers,
            "worker_class": Worker,
            "threads": self._settings.max_streams + SPARE_THREADS,
            # Further connections wait in the kernel's queue.
            "worker_connections": self._settings.max_streams + 4 * SPARE_THREADS,
            "keepalive": 75,
            "graceful_timeout": GRACEFUL_SECONDS,
            "limit_request_line": MAX_REQUEST_LINE,
            "loglevel": "warning",
            "when_ready": lambda _: print(  # noqa: T201
                f"The referee listens on http://{host}:{port} (API: /docs). Ctrl-C stops it.\n"
                f"{for_phones(host, port)}",
                flush=True,
            ),
        }
        if self._settings.pinned:
            options["post_fork"] = lambda _, worker: pin(worker.age - 1)
        if self._settings.workers > 1:
            options["child_exit"] = lambda _, worker: forget_process(worker.pid)
        # Newer versions would open a control socket.
        if "control_socket_disable" in self.cfg.settings:
            options["control_socket_disable"] = True
        for name, value in options.items():
            self.cfg.set(name, value)

    def load(self) -> Flask:
        """Create the app in the worker, as threads and the database lock do not survive a fork."""
        host, port = self._address
        local = LocalKey(f"http://{_bracketed(_own(host))}:{port}", phones_origin(host, port))
        return create_app(self._settings, card_reader(self._settings.faces), local)


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
