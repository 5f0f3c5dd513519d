"""``referee serve``: the server."""

import argparse
import errno
import socket
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from referee.api.middleware.metrics import share_figures
from referee.api.middleware.redaction import redact_output
from referee.commands.output import complain
from referee.commands.server import (
    CAN_PIN,
    add_parent_flag,
    check_port,
    follow_parent,
    listen,
    make_room,
    run_server,
)
from referee.config import Settings, settings_from_env
from referee.rules.ruleset import load_variant
from referee.store.database import DatabaseError, check_database, is_shared

# What keeps one port, and not the next.
_OF_PORT = (errno.EADDRINUSE, errno.EACCES)
_OTHER_PORT = "--port takes another one"


DESCRIPTION = """\
Serve the page for phones and the REST API. Every acknowledged move is on disk.
"""
EPILOG = """\
Open http://127.0.0.1:8000 for the page, and /docs for the API. With --host
0.0.0.0 phones in the same network can reach the server too. An SQLite file is
served by one process; PostgreSQL allows several, on several machines.
docs/operations.md lists all settings.
"""


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (%(default)s)")
    parser.add_argument(
        "--port", type=int, default=8000, help="port, 0 for any free one (%(default)s)"
    )
    parser.add_argument(
        "--database", metavar="FILE|URL", help="SQLite file or PostgreSQL URL (referee.sqlite3)"
    )
    parser.add_argument(
        "--variants", metavar="DIR", type=Path, nargs="*", help="folders of further rulesets"
    )
    parser.add_argument(
        "--streams", type=int, metavar="N", help="most event streams per process (1000)"
    )
    parser.add_argument(
        "--workers", type=int, metavar="N", help="processes; more than one needs PostgreSQL (1)"
    )
    parser.add_argument(
        "--pin",
        action="store_true",
        help="keep each process on one core, and leave the others alone",
    )
    parser.add_argument(
        "--no-watcher",
        action="store_true",
        help="start no worker for phones that are their table's camera",
    )
    parser.add_argument(
        "--qr", action="store_true", help="draw the address for phones as a QR code to scan"
    )
    add_parent_flag(parser)


def run(args: argparse.Namespace) -> int:
    """Serve until stopped."""
    follow_parent(args)
    called = args.called or "serve"
    try:
        check_port(args.port, "--port")
        settings = _settings(args)
        for folder in settings.variants:
            load_variant(folder)
        # Before a database is made, which would be left behind where the port is taken.
        listener = _listen(args.host, args.port)
        check_database(settings.database)
    except (ValueError, DatabaseError) as error:
        complain(called, str(error))
        return 2
    make_room(settings.max_streams)
    redact_output()
    with ExitStack() as stack:
        if settings.workers > 1:
            metrics = TemporaryDirectory(prefix="referee-metrics-")
            share_figures(stack.enter_context(metrics))
        try:
            run_server(settings, listener, args.qr)
        except DatabaseError as error:
            complain(called, str(error))
            return 2
    return 0


def _listen(host: str, port: int) -> socket.socket:
    """Listen at an address or a name. Raises ValueError."""
    try:
        return listen(host, port)
    except OSError as error:
        # Drop the address that Python appends to the reason.
        reason = str(error.strerror or error).partition(" (while")[0]
        other = f"; {_OTHER_PORT}" if error.errno in _OF_PORT else ""
        raise ValueError(f"cannot listen on {host}:{port}: {reason}{other}") from None


def _settings(args: argparse.Namespace) -> Settings:
    """Return the environment's settings, changed by flags. Raises ValueError."""
    for flag in ("streams", "workers"):
        if (number := getattr(args, flag)) is not None and number < 1:
            raise ValueError(f"--{flag} must be at least 1")
    flags = {
        "database": args.database,
        "variants": tuple(args.variants) if args.variants else None,
        "max_streams": args.streams,
        "workers": args.workers,
        "pinned": args.pin or None,
        "watcher": False if args.no_watcher else None,
    }
    given = {name: value for name, value in flags.items() if value is not None}
    settings = replace(settings_from_env(), **given)
    if settings.pinned and not CAN_PIN:
        raise ValueError("--pin: this system cannot keep a process on one core")
    if settings.workers > 1 and not is_shared(settings.database):
        raise ValueError(
            f"{settings.workers} workers need PostgreSQL (--database postgresql://…): "
            "only one process can write an SQLite file"
        )
    return settings
