"""The real server as a process of its own, which can be killed."""

import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import requests

from tests.e2e.clock import Clock
from tests.waiting import PATIENCE

TAKEN = "Address already in use"
# Linux gives none of them to a program that asks for any port, or connects.
PORTS = range(20_000, 32_000)


def free_port() -> int:
    """A port that nobody listens on, and that few others may come to."""
    while True:
        port = random.choice(PORTS)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


class Server:
    """``referee serve`` on a free port, or another command that serves.

    ``stays``: after a restart it is at the same port.
    """

    def __init__(
        self,
        database: Path | str,
        *flags: str,
        env: Mapping[str, str] | None = None,
        clock: Clock | None = None,
        command: str = "serve",
        watcher: bool = False,
        stays: bool = False,
    ) -> None:
        self.database = database
        self.flags = flags
        self.watcher = "on" if watcher else "off"
        self.command = command
        self.port = free_port() if stays else 0
        self.env = env or {}
        self.program = ["tests.e2e.clock", str(clock.file)] if clock else ["referee"]
        self.process: subprocess.Popen[str] | None = None
        self.url = ""

    def start(self) -> float:
        """Start it; how many seconds until it was ready."""
        began = time.monotonic()
        line = self._launch()
        while self.port and TAKEN in line and time.monotonic() < began + PATIENCE:
            # Another program has it, for ever before the first start, or for a moment.
            self._wait()
            self.port = self.port if self.url else free_port()
            line = self._launch()
        assert "listens on http" in line, line
        url = next(word for word in line.split() if word.startswith("http"))
        self.url = url.replace("[::]", "127.0.0.1") if self.command == "home" else url
        while time.monotonic() < began + PATIENCE:
            try:
                requests.get(f"{self.url}/ready", timeout=2).raise_for_status()
                return time.monotonic() - began
            except requests.RequestException:
                time.sleep(0.02)
        raise AssertionError("the server did not get ready")

    def _launch(self) -> str:
        """Start the process; return its first line, or why it has ended."""
        command = [sys.executable, "-m", *self.program, self.command, "--port", str(self.port)]
        command += ["--database", str(self.database), *self.flags]
        with tempfile.TemporaryFile("w+") as errors:
            self.process = subprocess.Popen(
                command,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                # Tests are in more of a hurry than people.
                env={
                    "REFEREE_LIMITS": "off",
                    "REFEREE_WATCHER": self.watcher,
                    **os.environ,
                    **self.env,
                },
            )
            assert self.process.stdout is not None
            if line := self.process.stdout.readline():
                return line
            errors.seek(0)
            return errors.read()

    def ask(self, method: str, path: str, token: str | None = None, body: Any = None) -> Any:
        """Send a request that is granted; return what the answer says."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = requests.request(
            method, f"{self.url}/api/v1{path}", json=body, headers=headers, timeout=PATIENCE
        )
        assert answer.ok, answer.text
        return answer.json()

    def workers(self) -> list[int]:
        """The ids of the serving processes: a single one has no other to look after it."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        found = [int(child) for child in children.read_text(encoding="ascii").split()]
        return found or [self.process.pid]

    def kill(self) -> None:
        """kill -9, the worker first and then its parent."""
        assert self.process is not None
        for worker in self.workers():
            os.kill(worker, signal.SIGKILL)
        self.process.kill()
        self._wait()

    def stop(self) -> None:
        """Stop it as Ctrl-C does."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self._wait()

    def _wait(self) -> None:
        assert self.process.stdout is not None
        self.process.wait(timeout=PATIENCE)
        self.process.stdout.close()

    def __enter__(self) -> "Server":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
