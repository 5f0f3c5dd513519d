"""The real server as a process of its own, which can be killed."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import requests

from tests.e2e.clock import Clock

READY_SECONDS = 60


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


class Server:
    """``referee serve`` on a free port, or another command that serves."""

    def __init__(
        self,
        database: Path | str,
        *flags: str,
        env: Mapping[str, str] | None = None,
        clock: Clock | None = None,
        command: str = "serve",
        watcher: bool = False,
    ) -> None:
        self.database = database
        self.flags = flags
        self.watcher = "on" if watcher else "off"
        self.command = command
        self.env = env or {}
        self.program = ["tests.e2e.clock", str(clock.file)] if clock else ["referee"]
        self.process: subprocess.Popen[str] | None = None
        self.url = ""

    def start(self) -> float:
        """Start it; how many seconds until it was ready."""
        began = time.monotonic()
        command = [sys.executable, "-m", *self.program, self.command, "--port", "0"]
        command += ["--database", str(self.database), *self.flags]
        self.process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
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
        line = self.process.stdout.readline()
        assert "listens on http" in line, line
        url = next(word for word in line.split() if word.startswith("http"))
        self.url = url.replace("[::]", "127.0.0.1") if self.command == "home" else url
        while time.monotonic() < began + READY_SECONDS:
            try:
                requests.get(f"{self.url}/ready", timeout=2).raise_for_status()
                return time.monotonic() - began
            except requests.RequestException:
                time.sleep(0.02)
        raise AssertionError("the server did not get ready")

    def workers(self) -> list[int]:
        """The ids of the serving processes: a single one has no other to look after it."""
        assert self.process is not None
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
        assert self.process is not None
        assert self.process.stdout is not None
        self.process.wait(timeout=20)
        self.process.stdout.close()

    def __enter__(self) -> "Server":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
