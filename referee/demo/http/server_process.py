"""The real server in a process, on a free port with a fresh database."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import requests

from referee.demo.http.client import DemoError

READY = re.compile(r"http://\S+:\d+")
START_SECONDS = 30.0
STOP_SECONDS = 8.0
DECKS = "REFEREE_VARIANTS"


class ServerProcess:
    """A server process, listening on ``url``."""

    def __init__(self, folder: Path) -> None:
        self._database = folder / "demo.sqlite3"
        self._log = folder / "server.log"
        self._process: subprocess.Popen[str] | None = None
        self.url = ""

    def start(self) -> None:
        """Start it, at the same address as before if there was one. Raises DemoError."""
        port = self.url.rpartition(":")[2] or "0"
        with self._log.open("ab") as stderr:
            self._process = subprocess.Popen(  # noqa: S603 - our own program, no shell
                [
                    *(sys.executable, "-m", "referee", "serve"),
                    *("--port", port, "--database", str(self._database)),
                    # Not even a demo that is killed leaves it behind.
                    *("--parent", str(os.getpid())),
                ],
                stdout=subprocess.PIPE,
                stderr=stderr,
                text=True,
                env=_environment(),
                # Ctrl-C stops the demo, which then stops the server.
                start_new_session=True,
            )
        self.url = _address(self._process)

    def stop(self, *, kill: bool = False) -> None:
        """Stop it, at once with ``kill``."""
        if self._process is not None:
            _stop(self._process, kill)

    def last_words(self) -> str:
        """Return the last line of its log, and whether it has stopped, as a sentence."""
        stopped = self._process is not None and self._process.poll() is not None
        lines = self._log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        last = f"The server said: {lines[-1]}" if lines else ""
        return f"{'The server has stopped. ' if stopped else ''}{last}"


def _environment() -> dict[str, str]:
    """Drop settings meant for another server; simulated players are too fast for the limits.

    Decks of one's own are kept: they may be what is played.
    """
    own = "REFEREE_"
    kept = {n: v for n, v in os.environ.items() if n == DECKS or not n.startswith(own)}
    return {**kept, "REFEREE_LIMITS": "off"}


@contextmanager
def running_server() -> Iterator[ServerProcess]:
    """Start a server; stop it and delete its database at the end. Raises DemoError."""
    with tempfile.TemporaryDirectory(prefix="referee-demo-") as folder:
        server = ServerProcess(Path(folder))
        try:
            server.start()
            yield server
        except DemoError as error:
            raise DemoError(f"{error} {server.last_words()}".strip()) from None
        finally:
            server.stop()


def _address(process: subprocess.Popen[str]) -> str:
    """Return the address that the server prints, once it answers there."""
    output: list[str] = []

    def read_output() -> None:
        # Read to the end, so that the server never blocks on a full pipe.
        output.extend(process.stdout or ())

    threading.Thread(target=read_output, name="server-output", daemon=True).start()
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        match = READY.search("".join(output))
        if match and _is_healthy(match[0]):
            return match[0]
        time.sleep(0.02)
    raise DemoError("The server did not start.")


def _is_healthy(address: str) -> bool:
    try:
        return requests.get(f"{address}/health", timeout=2).ok
    except requests.RequestException:
        return False


def _stop(process: subprocess.Popen[str], kill: bool) -> None:
    """Stop the server and its workers."""
    for kind in (signal.SIGKILL,) if kill else (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, kind)
            process.wait(STOP_SECONDS)
        except ProcessLookupError:
            break
        except subprocess.TimeoutExpired:
            continue
    process.wait()
