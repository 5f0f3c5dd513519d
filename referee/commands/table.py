"""``referee table``: server and devices of one table on one computer, each a process."""

import argparse
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from referee.camera import can_watch
from referee.commands.output import complain
from referee.config import settings_from_env
from referee.extras import needs
from referee.store.database import DatabaseError, check_database, open_database
from referee.store.errors import StoreUnavailable
from referee.store.reader import LogReader

# The environment that server and gateway read: `hardware.commands.pairing.follow` has the latter.
DATABASE, CAMERA = "REFEREE_DATABASE", "REFEREE_TABLE_CAMERA"
# Seconds between two looks; until one that has ended is started again, at first and at most; after
# which one that has lived is not one of these; for all to stop in order.
LOOK_EVERY = 0.5
PAUSE, LONGEST_PAUSE, LIVED = 0.5, 30.0, 30.0
STOP_SECONDS = 20.0
NOT_UNDERSTOOD, STOPPED = 2, 130
# A table that was opened before, and is still being played at, say after a restart.
RECENT = timedelta(hours=12)
CAMERA_HELP = (
    "the camera: a number, path or address; one with a password is better in the environment, as "
    f"{CAMERA}, where nobody else sees it"
)
DESCRIPTION = """\
Run the server, and the gateway for the board and the camera that are here.
"""
EPILOG = """\
Phones scan the code that is drawn here. Once somebody opens a table, that host's phone asks
whether to let in the board and the camera of this computer, with the number that stands here, too.
From then on they come along to each table that this host opens. Ctrl-C stops everything.

examples:
  referee table                                    phones in this network, over HTTP
  referee table --home                             with HTTPS and a name, as 'referee home'
  referee table --board /dev/ttyACM0 --camera 1    this board and this camera
"""


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("--home", action="store_true", help="serve with HTTPS, as 'referee home'")
    parser.add_argument("--port", type=int, default=8000, help="port of HTTP (%(default)s)")
    parser.add_argument(
        "--secure-port", type=int, default=8443, help="port of HTTPS, with --home (%(default)s)"
    )
    parser.add_argument(
        "--database", metavar="FILE|URL", help="SQLite file or PostgreSQL URL (referee.sqlite3)"
    )
    parser.add_argument("--board", metavar="PORT", help="the board's port (each is tried)")
    parser.add_argument("--camera", metavar="SOURCE", help=CAMERA_HELP)
    parser.add_argument("--config", metavar="FILE", type=Path, help="the gateway's TOML file")


def run(args: argparse.Namespace) -> int:
    """Run until stopped; return the exit status."""
    try:
        if not can_watch():
            raise ValueError(needs("table"))
        settings = settings_from_env()
        if args.database:
            settings = replace(settings, database=args.database)
        # Before a database is made, which would be left behind where a port is taken.
        _check_port(args.port, "--port")
        if args.home:
            _check_port(args.secure_port, "--secure-port")
        check_database(settings.database)
        opened = OpenedTables(settings.database)
    except (ValueError, DatabaseError) as error:
        complain("table", str(error))
        return NOT_UNDERSTOOD
    # What may hold a password is handed on where no other user of this computer sees it.
    server = Kept("server", _server(args), hidden={DATABASE: args.database})
    gateway = _gateway(args)
    devices = Kept(
        "gateway of board and camera", gateway, told=opened, hidden={CAMERA: args.camera}
    )
    asked = _stop_on_signals()
    try:
        while not asked.is_set():
            for part in (server, devices):
                part.look()
            if server.refused:
                # It has said why, and would only say so again.
                return NOT_UNDERSTOOD
            asked.wait(LOOK_EVERY)
    finally:
        # The devices first, so that what they saw is delivered.
        for part in (devices, server):
            part.stop()
        opened.close()
    return asked.status


def _check_port(port: int, flag: str) -> None:
    """Check that the server can have a port. Raises ValueError."""
    if not 0 < port < 65536:
        raise ValueError(f"{flag} must be from 1 to 65535")
    try:
        socket.create_server(("", port)).close()
    except OSError as error:
        reason = str(error.strerror).partition(" (while")[0]
        raise ValueError(
            f"cannot listen on port {port}: {reason}; {flag} takes another one"
        ) from None


def _server(args: argparse.Namespace) -> list[str]:
    home = ["home", "--secure-port", str(args.secure_port)]
    where = home if args.home else ["serve", "--host", "0.0.0.0", "--qr"]  # noqa: S104
    parent = ["--parent", str(os.getpid()), "--called", "table"]
    return ["referee", *where, "--port", str(args.port), *parent]


def _gateway(args: argparse.Namespace) -> list[str]:
    given = {"--port": args.board, "--config": args.config}
    flags = [part for name, value in given.items() if value for part in (name, str(value))]
    return ["hardware", "follow", "--server", f"http://127.0.0.1:{args.port}", *flags]


class _StopRequest(threading.Event):
    """Set by a signal; ``status`` is the exit status."""

    status = 0


def _stop_on_signals() -> _StopRequest:
    asked = _StopRequest()

    def stop(number: int, _: object) -> None:
        asked.status = STOPPED if number == signal.SIGINT else 0
        asked.set()

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, stop)
    return asked


class OpenedTables:
    """The newest table of a database. Raises DatabaseError."""

    def __init__(self, database: str) -> None:
        self._engine = open_database(database)
        self._reader = LogReader(self._engine)

    def newest(self) -> str | None:
        """Return the id and the join code of the newest table as a line; None without one."""
        since = (datetime.now(UTC) - RECENT).isoformat()
        try:
            newest = self._reader.newest_table(since)
        except StoreUnavailable:
            return None
        return None if newest is None else f"{newest[0]} {newest[1]}\n"

    def close(self) -> None:
        """Close the database."""
        self._engine.dispose()


class Kept:
    """A process that is started again when it ends, unless it refuses how it was called.

    ``told``: it is told of tables on its standard input, and ends when that does. ``hidden``: what
    it is told in its environment, where it is given.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        told: OpenedTables | None = None,
        hidden: Mapping[str, str | None] | None = None,
    ) -> None:
        self.refused = False
        self._name, self._command, self._told = name, command, told
        self._hidden = {key: value for key, value in (hidden or {}).items() if value}
        self._process: subprocess.Popen[str] | None = None
        self._pause, self._began, self._due = 0.0, 0.0, 0.0
        self._worked = False
        self._line: str | None = None

    def look(self) -> None:
        """Start it where it is due, and tell it what is new."""
        if self._process is not None and (status := self._process.poll()) is not None:
            self._ended(status)
        if self._process is None and not self.refused and time.monotonic() >= self._due:
            self._start()
        if self._process is not None and self._told is not None:
            self._tell(self._told.newest())

    def stop(self) -> None:
        """Stop it in order, or else at once."""
        process, self._process = self._process, None
        if process is None:
            return
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdin is not None:
            with suppress(OSError):
                process.stdin.close()

    def _start(self) -> None:
        # A group of its own: Ctrl-C reaches this process alone, which stops them in order.
        self._process = subprocess.Popen(  # noqa: S603 - our own program, no shell
            [sys.executable, "-m", *self._command],
            stdin=subprocess.DEVNULL if self._told is None else subprocess.PIPE,
            text=True,
            env={**os.environ, **self._hidden},
            process_group=0,
        )
        self._began, self._line = time.monotonic(), None

    def _ended(self, status: int) -> None:
        self._process = None
        lived = time.monotonic() - self._began
        self._worked |= lived > LIVED
        if status == NOT_UNDERSTOOD and not self._worked:
            self.refused = True
            if self._told is not None:
                complain("table", f"the {self._name} is left out; phones play without it")
            return
        self._pause = PAUSE if lived > LIVED else min(max(2 * self._pause, PAUSE), LONGEST_PAUSE)
        self._due = time.monotonic() + self._pause
        why = f"by signal {-status}" if status < 0 else f"with status {status}"
        complain("table", f"the {self._name} has ended {why}, and is started again")

    def _tell(self, line: str | None) -> None:
        if line is None or line == self._line or self._process is None:
            return
        stdin = self._process.stdin
        with suppress(OSError):
            if stdin is not None:
                stdin.write(line)
                stdin.flush()
        self._line = line
