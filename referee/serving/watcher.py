"""The worker that reads phones' frames: a process beside the server, started with the first frame.

Its socket is the server's, which listens there from the beginning: what is sent while the worker
starts, or starts again, waits there.
"""

import os
import select
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Self

import structlog

log = structlog.get_logger(__name__)
BACKLOG = 64
# Seconds between looks at whether a frame waits, or the worker has died.
LOOK_EVERY = 0.1
# Seconds until one that died is started again: at first, and at most if it dies again and again;
# and after which one that has lived is not one of these.
PAUSE, LONGEST_PAUSE, LIVED = 0.5, 60.0, 30.0
STOP_SECONDS = 8.0
PREFIX = "referee-watcher-"
# A socket's path may have 104 bytes where it may have fewest (macOS), its end included.
LONGEST_FOLDER = 60
ELSEWHERE = "/tmp"  # noqa: S108 - a folder of our own is made there


class Watcher:
    """Starts the worker, starts it again when it dies, and stops it.

    ``command`` is the worker's, without its socket, which it gets as ``--listen fd:N``, and without
    its parent's id, at whose end it ends.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._folder = _short_folder()
        self.path = Path(self._folder.name) / "frames"
        self._listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listening.bind(str(self.path))
        self._listening.listen(BACKLOG)
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Look after the worker in a thread."""
        self._thread = threading.Thread(target=self.run, name="watcher", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self._listening.close()
        self._folder.cleanup()

    def stop(self) -> None:
        """Stop the worker; a thread that looks after it has ended then."""
        self.ask_to_stop()
        if self._thread is not None:
            self._thread.join()

    def ask_to_stop(self) -> None:
        """Let ``run`` end, and the worker before it."""
        self._stop.set()

    def run(self) -> None:
        """Look after the worker until ``stop`` is called."""
        pause, began = 0.0, 0.0
        worker: subprocess.Popen[bytes] | None = None
        while not self._stop.wait(LOOK_EVERY if worker else 0):
            if worker is None:
                if self._is_wanted():
                    self._stop.wait(pause)
                    worker, began = self._started(), time.monotonic()
                continue
            if worker.poll() is not None:
                lived = time.monotonic() - began
                pause = PAUSE if lived > LIVED else min(max(2 * pause, PAUSE), LONGEST_PAUSE)
                log.warning("watcher ended", status=worker.returncode, lived=round(lived, 1))
                worker = None
        if worker is not None:
            _end(worker)

    def _is_wanted(self) -> bool:
        """Return whether somebody has connected."""
        return bool(select.select([self._listening], [], [], LOOK_EVERY)[0])

    def _started(self) -> subprocess.Popen[bytes]:
        number = self._listening.fileno()
        return subprocess.Popen(  # noqa: S603 - our own program, no shell
            [*self._command, "--listen", f"fd:{number}", "--parent", str(os.getpid())],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=[number],
        )


def watcher_command(server: str, state: Path, faces: Path | None) -> list[str]:
    """Return the worker's command, for a server's address and the worker's folder."""
    command = [sys.executable, "-m", "hardware", "worker", "--server", server]
    command += ["--state", str(state)]
    return [*command, "--faces", str(faces)] if faces else command


def _short_folder() -> tempfile.TemporaryDirectory[str]:
    """Return a folder of our own whose path leaves room for a socket's name."""
    usual = tempfile.gettempdir()
    folder = usual if len(os.fsencode(usual)) <= LONGEST_FOLDER else ELSEWHERE
    return tempfile.TemporaryDirectory(prefix=PREFIX, dir=folder)


def _end(worker: subprocess.Popen[bytes]) -> None:
    worker.terminate()
    try:
        worker.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        worker.kill()
        worker.wait()
