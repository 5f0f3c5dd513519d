"""The devices of a demo table, each a process of its own: sensor board, camera and gateway.

The board and the camera are virtual ones that take commands on their standard input.
"""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

import requests

from referee.demo.http.client import DemoError

Found = TypeVar("Found")
TIMEOUT = 15.0
STOP_SECONDS = 5.0
# The virtual board's --set for the powers of a deck.
SETS = {"towers": {"U", "N", "O", "!"}, "stands": {"red", "blue", "green", "yellow"}}


class DeviceProcess:
    """A device program; its log's last line goes into error messages."""

    def __init__(self, name: str, module: str, flags: Sequence[str], log: Path) -> None:
        self.name = name
        self._log = log
        with log.open("ab") as stderr:
            self._process = subprocess.Popen(  # noqa: S603 - our own program, no shell
                [sys.executable, "-m", module, *flags],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                text=True,
                env={**os.environ, "COLUMNS": "120"},
                start_new_session=True,
            )
        self._output: SimpleQueue[str] = SimpleQueue()
        threading.Thread(target=self._read_output, name=name, daemon=True).start()

    def _read_output(self) -> None:
        for line in self._process.stdout or ():
            self._output.put(line.rstrip("\n"))

    def read_line(self) -> str:
        """Return the next line that it prints. Raises DemoError when none comes."""
        end = time.monotonic() + TIMEOUT
        while time.monotonic() < end:
            try:
                return self._output.get(timeout=0.1)
            except Empty:
                if self._process.poll() is not None:
                    break
        logged = self._log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        last = f" Its last words: {logged[-1]}" if logged else ""
        raise DemoError(f"The {self.name} does not answer.{last}")

    def do(self, line: str) -> str:
        """Run a command and return the answer, without its "ok". Raises DemoError."""
        assert self._process.stdin is not None  # noqa: S101 - it is a pipe
        try:
            self._process.stdin.write(f"{line}\n")
            self._process.stdin.flush()
        except OSError:
            raise DemoError(f"The {self.name} has stopped.") from None
        answer = self.read_line()
        if not answer.startswith("ok"):
            raise DemoError(f"The {self.name} refused {line!r}: {answer}")
        return answer.removeprefix("ok").strip()

    def stop(self) -> None:
        """Stop it as Ctrl-C does, and kill it if it does not end."""
        for kind in (signal.SIGINT, signal.SIGKILL):
            if self._process.poll() is None:
                self._process.send_signal(kind)
                try:
                    self._process.wait(STOP_SECONDS)
                except subprocess.TimeoutExpired:
                    continue
        self._process.wait()


class VirtualBoard(DeviceProcess):
    """A sensor board, and the hands that move towers on it."""

    def __init__(self, folder: Path, seats: int, powers: Sequence[str]) -> None:
        self.port = folder / "board"
        kind = next((name for name, known in SETS.items() if known == set(powers)), None)
        if kind is None:
            raise DemoError(f"There is no board for {', '.join(powers)}.")
        flags = ["virtual-board", "--pty", str(self.port), "--seats", str(seats)]
        flags += ["--set", kind, "--commands"]
        super().__init__("virtual board", "hardware", flags, folder / "board.log")
        self.read_line()

    def put(self, power: str, place: int) -> None:
        """Move a power to a seat, or to the tray (0), as a hand does in a fifth of a second."""
        self.do(f"{power} {'tray' if place == 0 else f'seat {place}'} hand 0.2")

    def lit(self) -> dict[int, str]:
        """Return the light pattern of each lit place (0 is the tray)."""
        lights: dict[str, Any] = json.loads(self.do("state"))["lights"]
        return {int(place): str(light["pattern"]) for place, light in lights.items()}


class VirtualCamera(DeviceProcess):
    """A camera above a drawn table, and the hands at the pile."""

    def __init__(self, folder: Path, seed: int, size: str) -> None:
        self._truth = folder / "truth.jsonl"
        flags = ["--commands", "--truth", str(self._truth), "--seed", str(seed), "--size", size]
        super().__init__("virtual camera", "lab.virtual_camera", flags, folder / "camera.log")
        self.url = self.read_line()

    def wait_until_idle(self) -> None:
        """Wait until no hand is over the table. Raises DemoError."""
        wait_until(
            lambda: None if json.loads(self.do("state"))["busy"] else True,
            "a hand is still over the table",
        )

    def picture(self) -> bytes:
        """Return the present picture as JPEG."""
        answer = requests.get(self.url.replace("/stream", "/picture.jpg"), timeout=TIMEOUT)
        answer.raise_for_status()
        return answer.content

    def truth(self) -> list[dict[str, Any]]:
        """Return the true events at the pile, and when each became visible."""
        lines = self._truth.read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines]


@dataclass(frozen=True, slots=True)
class AttachedDevice:
    """A device in the gateway's configuration."""

    name: str
    backend: str
    token: str
    options: Mapping[str, str]


def board_at(port: Path, token: str) -> AttachedDevice:
    """Return a sensor board at a serial port, posting with ``token``."""
    return AttachedDevice("Board", "serial-board", token, {"port": str(port)})


class Gateway:
    """The gateway process, with a configuration of its own."""

    def __init__(
        self, folder: Path, server: str, table: str, devices: Sequence[AttachedDevice]
    ) -> None:
        config = folder / "table.toml"
        self._status = folder / "status.json"
        lines = [
            "[server]",
            f"url = {json.dumps(server)}",
            f"table = {json.dumps(table)}",
            "[outbox]",
            f"path = {json.dumps(str(folder / 'outbox.sqlite3'))}",
            "[status]",
            f"path = {json.dumps(str(self._status))}",
        ]
        for device in devices:
            options = ", ".join(f"{k} = {json.dumps(v)}" for k, v in device.options.items())
            lines += [
                "[[devices]]",
                f"name = {json.dumps(device.name)}",
                f"backend = {json.dumps(device.backend)}",
                f"token = {json.dumps(device.token)}",
                f"options = {{ {options} }}",
            ]
        config.touch(mode=0o600)
        config.write_text("\n".join(lines) + "\n", encoding="utf-8")
        self._config, self._log = config, folder / "gateway.log"
        self.start()

    def start(self) -> None:
        """Start it; it delivers the observations left in its outbox."""
        self._process = DeviceProcess(
            "gateway", "hardware", ["run", "--config", str(self._config)], self._log
        )

    def status(self) -> dict[str, Any]:
        """Return the contents of its status file; empty if there is none yet."""
        try:
            document = json.loads(self._status.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return document if isinstance(document, dict) else {}

    def wait_until_delivered(self, count: int) -> None:
        """Wait until the outbox is empty and ``count`` were delivered. Raises DemoError."""

        def all_there() -> bool | None:
            queues = [device["queue"] for device in self.status().get("devices", [])]
            left = any(queue["waiting"] or queue["set_aside"] for queue in queues)
            delivered = sum(int(queue["delivered"]) for queue in queues)
            return True if not left and delivered == count else None

        wait_until(all_there, f"the gateway does not count the {count} observations of the log")

    def stop(self) -> None:
        """Stop it; its outbox stays."""
        self._process.stop()


def wait_until(look: Callable[[], Found | None], otherwise: str) -> Found:
    """Poll ``look`` until it returns something other than None.

    Raises DemoError if it never does; ``otherwise`` is its message.
    """
    end = time.monotonic() + TIMEOUT
    while time.monotonic() < end:
        answer = look()
        if answer is not None:
            return answer
        time.sleep(0.02)
    raise DemoError(f"After {TIMEOUT:.0f} s {otherwise}.")
