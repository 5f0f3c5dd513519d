"""``referee serve``: the server."""

import argparse
import os
import socket
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from flask import Flask
from gunicorn.app.base import BaseApplication

from referee.api import create_app
from referee.camera import card_reader
from referee.config import Settings, settings_from_env
from referee.rules.ruleset import load_variant
from referee.store.database import DatabaseError, check_database

HEADROOM = 64
LONGEST_REQUEST_LINE = 4094


def add_parser(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "serve",
        help="run the server",
        description="Run the REST API. An acknowledged move is on the disk, whatever comes.",
        epilog="Then open http://127.0.0.1:8000/docs for the API. One process serves a database; "
        "each open event stream takes a thread.",
    )
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (%(default)s)")
    parser.add_argument(
        "--port", type=int, default=8000, help="port, 0 for any free one (%(default)s)"
    )
    parser.add_argument(
        "--database", metavar="FILE|URL", help="where tables are kept (referee.sqlite3)"
    )
    parser.add_argument(
        "--variants", metavar="DIR", type=Path, nargs="*", help="folders of further rulesets"
    )
    parser.add_argument(
        "--streams", type=int, metavar="N", help="open event streams at most (1000)"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serve until stopped."""
    try:
        settings = _settings(args)
        for folder in settings.variants:
            load_variant(folder)
        check_database(settings.database)
    except (ValueError, DatabaseError) as error:
        print(f"referee serve: {error}", file=sys.stderr)  # noqa: T201 - the command's voice
        return 2
    try:
        listener = socket.create_server((args.host, args.port), backlog=2048)
    except (OSError, OverflowError) as error:
        # Python adds the address to the reason, which has just been said.
        reason = str(getattr(error, "strerror", None) or error).partition(" (while")[0]
        message = f"cannot listen on {args.host}:{args.port}: {reason}"
        print(f"referee serve: {message}", file=sys.stderr)  # noqa: T201
        return 2
    Server(settings, listener).run()
    return 0


def _settings(args: argparse.Namespace) -> Settings:
    settings = settings_from_env()
    if args.database is not None:
        settings = replace(settings, database=args.database)
    if args.variants:
        settings = replace(settings, variants=tuple(args.variants))
    if args.streams is not None:
        if args.streams < 1:
            raise ValueError("--streams must be at least 1")
        settings = replace(settings, most_streams=args.streams)
    return settings


class Server(BaseApplication):
    """gunicorn with one worker of many threads: one process writes a database (docs/adr)."""

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
            "workers": 1,
            "worker_class": "gthread",
            "threads": self._settings.most_streams + HEADROOM,
            "worker_connections": self._settings.most_streams + 4 * HEADROOM,
            "keepalive": 75,
            "graceful_timeout": 3,
            "limit_request_line": LONGEST_REQUEST_LINE,
            "loglevel": "warning",
            "when_ready": lambda _: print(  # noqa: T201
                f"The referee listens on http://{host}:{port} (API: /docs). Ctrl-C stops it.",
                flush=True,
            ),
        }
        for name, value in options.items():
            self.cfg.set(name, value)

    def load(self) -> Flask:
        """The app, made in the worker: threads and the database lock do not survive a fork."""
        return create_app(self._settings, card_reader())
