"""``referee serve``: the server."""

import argparse
import socket
import sys
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from referee.api.guard.metrics import share_figures
from referee.commands.server import CAN_PIN, Server, make_room
from referee.config import Settings, settings_from_env
from referee.rules.ruleset import load_variant
from referee.store.database import DatabaseError, check_database, is_shared


def add_parser(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "serve",
        help="run the server",
        description="Serve the page for phones and the REST API. An acknowledged move is on the "
        "disk, whatever comes.",
        epilog="Then open http://127.0.0.1:8000 for the page, and /docs for the API. With --host "
        "0.0.0.0 phones in the same network reach it as well. One process serves an SQLite file; "
        "with PostgreSQL there can be several, on several machines.",
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
        "--streams", type=int, metavar="N", help="open event streams a process at most (1000)"
    )
    parser.add_argument(
        "--workers", type=int, metavar="N", help="processes; more than one needs PostgreSQL (1)"
    )
    parser.add_argument(
        "--pin",
        action="store_true",
        help="keep each process on one core: faster where nothing else wants that core",
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
    make_room(settings.max_streams)
    with ExitStack() as held:
        if settings.workers > 1:
            figures = TemporaryDirectory(prefix="referee-figures-")
            share_figures(held.enter_context(figures))
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
        settings = replace(settings, max_streams=args.streams)
    if args.workers is not None:
        if args.workers < 1:
            raise ValueError("--workers must be at least 1")
        settings = replace(settings, workers=args.workers)
    if args.pin:
        settings = replace(settings, pinned=True)
    if settings.pinned and not CAN_PIN:
        raise ValueError("--pin: this system does not keep a process on a core")
    if settings.workers > 1 and not is_shared(settings.database):
        raise ValueError(
            f"{settings.workers} workers need PostgreSQL (--database postgresql://…): "
            "an SQLite file is written by one process alone"
        )
    return settings
