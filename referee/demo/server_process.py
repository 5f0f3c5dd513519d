"""The real server as a process of its own, on a free port and a fresh database."""

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

from referee.demo.client import DemoError

READY = re.compile(r"http://\S+:\d+")
START_SECONDS = 30.0
STOP_SECONDS = 8.0


class ServerProcess:
    """A server process; ``url`` is where it listens."""

    def __init__(self, folder: Path) -> None:
        self._database = folder / "demo.sqlite3"
        self._log = folder / "server.log"
        self._process: subprocess.Popen[str] | None = None
        self.url = ""

    def start(self) -> None:
        """Start it, again at the same address. Raises DemoError when it does not come up."""
        port = self.url.rpartition(":")[2] or "0"
        with self._log.open("ab") as complaints:
            self._process = subprocess.Popen(  # noqa: S603 - our own program, no shell
                [
                    *(sys.executable, "-m", "referee", "serve"),
                    *("--port", port, "--database", str(self._database)),
                ],
                stdout=subprocess.PIPE,
                stderr=complaints,
                text=True,
                env=_environment(),
                # Ctrl-C is for the demo, which stops the server when it has said goodbye.
                start_new_session=True,
            )
        self.url = _address(self._process)

    def kill(self) -> None:
        """End it at once, as kill -9 does: whatever it was doing stays undone."""
        if self._process is not None:
            _stop(self._process, kindly=False)

    def stop(self, kindly: bool) -> None:
        """End it; kindly, it may finish what it is doing."""
        if self._process is not None:
            _stop(self._process, kindly)

    def last_words(self) -> str:
        """That it has stopped, if it has, and what it said last."""
        stopped = self._process is not None and self._process.poll() is not None
        return f"{'The server has stopped. ' if stopped else ''}{_last_words(self._log)}"


def _environment() -> dict[str, str]:
    """No settings meant for another server; its players are faster than people."""
    ours = {name: v for name, v in os.environ.items() if not name.startswith("REFEREE_")}
    return {**ours, "REFEREE_LIMITS": "off"}


@contextmanager
def running_server() -> Iterator[ServerProcess]:
    """A server; it is stopped and its database is gone at the end, come what may.

    Raises DemoError when it does not start.
    """
    with tempfile.TemporaryDirectory(prefix="referee-demo-") as folder:
        server = ServerProcess(Path(folder))
        done = False
        try:
            server.start()
            yield server
            done = True
        except DemoError as error:
            raise DemoError(f"{error} {server.last_words()}".strip()) from None
        finally:
            server.stop(kindly=done)


def _address(process: subprocess.Popen[str]) -> str:
    """What the server says it listens on, once it answers there."""
    said: list[str] = []

    def listen() -> None:
        # To the end, so that the server never waits for a reader.
        said.extend(process.stdout or ())

    def found() -> str | None:
        match = READY.search("".join(said))
        return match[0] if match else None

    threading.Thread(target=listen, name="server-output", daemon=True).start()
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        address = found()
        if address is not None and _is_well(address):
            return address
        time.sleep(0.02)
    raise DemoError("The server did not start.")


def _is_well(address: str) -> bool:
    try:
        return requests.get(f"{address}/health", timeout=2).ok
    except requests.RequestException:
        return False


def _last_words(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return f"The server said: {lines[-1]}" if lines else ""


def _stop(process: subprocess.Popen[str], kindly: bool) -> None:
    """End the server and its workers: at once, unless it may finish what it is doing."""
    for kind in (signal.SIGTERM, signal.SIGKILL) if kindly else (signal.SIGKILL,):
        try:
            os.killpg(process.pid, kind)
            process.wait(STOP_SECONDS)
        except ProcessLookupError:
            break
        except subprocess.TimeoutExpired:
            continue
    process.wait()
