"""gunicorn, set up for the referee: one or more processes of many threads."""

import os
import resource
import socket
import threading
from types import FrameType

from flask import Flask
from gunicorn.app.base import BaseApplication
from gunicorn.workers.gthread import ThreadWorker

from referee.api import create_app
from referee.api.guard.metrics import forget_process
from referee.camera import card_reader
from referee.config import Settings
from referee.web.address import is_loopback, own_address

HEADROOM = 64
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - what somebody may have asked for
LONGEST_REQUEST_LINE = 4094
CAN_PIN = hasattr(os, "sched_setaffinity")
# Writes that are in hand are finished within this; streams end at once.
GRACEFUL_SECONDS = 10


class Worker(ThreadWorker):
    """A worker that, told to stop, tells its streams, and finishes what is in hand."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """SIGTERM: stop, from a thread of its own, as a signal must not wait for a lock."""
        if self.alive:
            threading.Thread(target=self._end_streams, daemon=True).start()
        super().handle_exit(sig, frame)

    def handle_quit(self, sig: int, frame: FrameType | None) -> None:
        """SIGQUIT, which gunicorn makes of Ctrl-C: the same."""
        self.handle_exit(sig, frame)

    def _end_streams(self) -> None:
        if self.wsgi is not None:
            self.wsgi.extensions["referee-streams"].close()


def make_room(streams: int) -> None:
    """Let the process have as many sockets as it may need, where the system lets it."""
    wanted = streams + 8 * HEADROOM
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def pin(number: int) -> None:
    """Keep this process on one of the cores it may use; the next number gets the next core.

    Its threads take turns anyway: one core is all they can use, and moving between two costs them
    what they have in its cache.
    """
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[number % len(cores)]})


class Server(BaseApplication):
    """gunicorn with workers of many threads: each open stream takes one (docs/adr)."""

    def __init__(self, settings: Settings, listener: socket.socket) -> None:
        self._settings = settings
        self._listener = listener
        super().__init__()

    def load_config(self) -> None:
        """Tell gunicorn what it would read from a file."""
        host, port = self._listener.getsockname()[:2]
        os.set_inheritable(self._listener.fileno(), True)
        options = {
            "bind": [f"fd://{self._listener.fileno()}"],
            "workers": self._settings.workers,
            "worker_class": Worker,
            "threads": self._settings.max_streams + HEADROOM,
            # Whoever comes beyond these waits in the kernel's queue, and costs no memory here.
            "worker_connections": self._settings.max_streams + 4 * HEADROOM,
            "keepalive": 75,
            "graceful_timeout": GRACEFUL_SECONDS,
            "limit_request_line": LONGEST_REQUEST_LINE,
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
        # Newer ones would open a socket to be steered by.
        if "control_socket_disable" in self.cfg.settings:
            options["control_socket_disable"] = True
        for name, value in options.items():
            self.cfg.set(name, value)

    def load(self) -> Flask:
        """The app, made in the worker: threads and the database lock do not survive a fork."""
        return create_app(self._settings, card_reader(self._settings.faces))


def for_phones(host: str, port: int) -> str:
    """Where a phone opens the page, as far as that can be known here."""
    if host not in EVERYWHERE and is_loopback(host):
        return "Phones cannot reach it: for them start it with --host 0.0.0.0."
    address = own_address() if host in EVERYWHERE else host
    return f"Phones open http://{address or 'ADDRESS-OF-THIS-COMPUTER'}:{port}"
