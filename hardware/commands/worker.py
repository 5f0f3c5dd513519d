"""``referee-table worker``: watch for the phones of a server's tables."""

import argparse
import logging
import os
import signal
import socket
import stat
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hardware.commands.output import complain
from hardware.commands.parent import add_parent_flag, end_with
from hardware.frames.answer import paced, starting
from hardware.frames.listener import FrameListener

if TYPE_CHECKING:
    from hardware.frames.phones import Phones

FAILED, NOT_UNDERSTOOD = 1, 2
BACKLOG = 64
HELP = "watch for phones that are their table's camera ('referee serve' starts it)"
DESCRIPTION = "Watch tables by the frames that phones send to a referee."
EPILOG = """\
'referee serve' starts it and stops it; there is no need to. It reads the cards in the frames that
phones send to the server and posts what it sees as every other camera does. Frames are never kept.

exit status: 0 stopped, or its server is gone, 1 cannot run, 2 usage error
"""


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the command's flags."""
    add = parser.add_argument
    add(
        "--listen",
        required=True,
        metavar="ADDRESS",
        help="where frames come from: the path of a local socket, or fd:N for one that is open",
    )
    add("--server", required=True, metavar="URL", help="the referee, as http://127.0.0.1:8000")
    add("--state", required=True, type=Path, metavar="DIR", help="folder of what is not yet posted")
    add("--faces", type=Path, metavar="DIR", help="folder of enrolled faces")
    add_parent_flag(parser)


def run(args: argparse.Namespace) -> int:
    """Watch until stopped."""
    try:
        listening = _socket(args.listen)
    except (OSError, ValueError) as error:
        complain("worker", f"--listen {args.listen}: {error}")
        return NOT_UNDERSTOOD
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="watcher: %(message)s")
    worker = _Worker(args, FrameListener)
    listener = worker.listener(listening)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: listener.stop())
    end_with(args.parent, listener.stop)
    worker.load()
    listener.run()
    worker.close()
    return FAILED if worker.failed else 0


class _Worker:
    """Takes frames; the networks are loaded meanwhile, since the first frames wait already."""

    def __init__(
        self, args: argparse.Namespace, listen: Callable[[socket.socket, "_Worker"], FrameListener]
    ) -> None:
        self._args = args
        self._listen = listen
        self._phones: Phones | None = None
        self._listener: FrameListener | None = None
        self.failed = False

    def listener(self, listening: socket.socket) -> FrameListener:
        """Return what listens there for it."""
        self._listener = self._listen(listening, self)
        return self._listener

    def load(self) -> None:
        """Begin to load; a failure stops the listener."""
        threading.Thread(target=self._load, name="loading", daemon=True).start()

    def take(self, request: Mapping[str, Any], data: bytes) -> Mapping[str, Any]:
        """Take a frame; return the view, or why it is refused."""
        if self._phones is None:
            return {"view": paced(starting(), 0)}
        from hardware.frames.phone import Sender
        from hardware.frames.phones import Refused

        sender = Sender(*(str(request[key]) for key in ("table", "device", "token", "ruleset")))
        times = request["captured"] / 1000, request["sent"] / 1000
        pile = request.get("pile")
        point = None if pile is None else (pile[0], pile[1])
        name, take_over = str(request.get("phone") or ""), bool(request.get("take_over"))
        try:
            view = self._phones.take(sender, data or None, times, point, name, take_over)
        except Refused as refused:
            return {"refused": refused.why}
        return {"view": view}

    def close(self) -> None:
        """Stop watching."""
        if self._phones is not None:
            self._phones.close()

    def _load(self) -> None:
        try:
            import cv2

            from hardware.frames.phone import Place
            from hardware.frames.phones import Phones

            # One core a table: more threads would only take turns.
            cv2.setNumThreads(1)
            place = Place(self._args.server, self._args.state, self._args.faces)
            self._phones = Phones(place)
        except Exception as error:
            complain("worker", f"cannot watch: {error}")
            self.failed = True
            if self._listener is not None:
                self._listener.stop()


def _socket(where: str) -> socket.socket:
    """Return a listening socket. Raises OSError, ValueError."""
    if where.startswith("fd:"):
        return socket.socket(fileno=int(where.removeprefix("fd:")))
    if not hasattr(socket, "AF_UNIX"):
        raise ValueError("this system has no local sockets")
    path = Path(where)
    if path.exists() and stat.S_ISSOCK(path.stat().st_mode):
        path.unlink()
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o177)
    try:
        listening.bind(where)
    finally:
        os.umask(before)
    listening.listen(BACKLOG)
    return listening
