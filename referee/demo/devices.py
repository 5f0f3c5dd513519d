"""What stands beside the table: a sensor board and a gateway, each a process of its own.

Both are the project's device programs, run as a person would run them; they know the server by its
address only. The board is a virtual one, handled by lines on its standard input.
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

from referee.demo.client import DemoError

Found = TypeVar("Found")
PATIENCE = 15.0
STOP_SECONDS = 5.0
# What boards there are, by the name that the virtual one takes.
SETS = {"towers": {"U", "N", "O", "!"}, "stands": {"red", "blue", "green", "yellow"}}


class DeviceProcess:
    """One of the device programs; what it prints is kept, the last of it for error messages."""

    def __init__(
        self, name: str, flags: Sequence[str], log: Path, module: str = "hardware"
    ) -> None:
        self.name = name
        self._log = log
        with log.open("ab") as complaints:
            self._process = subprocess.Popen(  # noqa: S603 - our own program, no shell
                [sys.executable, "-m", module, *flags],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=complaints,
                text=True,
                env={**os.environ, "COLUMNS": "120"},
                start_new_session=True,
            )
        self._said: SimpleQueue[str] = SimpleQueue()
        threading.Thread(target=self._listen, name=name, daemon=True).start()

    def _listen(self) -> None:
        for line in self._process.stdout or ():
            self._said.put(line.rstrip("\n"))

    def hear(self, seconds: float = PATIENCE) -> str:
        """The next line that it prints. Raises DemoError when none comes."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                return self._said.get(timeout=0.1)
            except Empty:
                if self._process.poll() is not None:
                    break
        words = self._log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        last = f" It said: {words[-1]}" if words else ""
        raise DemoError(f"The {self.name} does not answer.{last}")

    def tell(self, line: str) -> None:
        """A line for its standard input."""
        if self._process.stdin is None:
            raise DemoError(f"The {self.name} does not listen.")
        try:
            self._process.stdin.write(f"{line}\n")
            self._process.stdin.flush()
        except OSError:
            raise DemoError(f"The {self.name} has stopped.") from None

    def stop(self) -> None:
        """End it: as Ctrl-C does, or else at once."""
        for kind in (signal.SIGINT, signal.SIGKILL):
            if self._process.poll() is None:
                self._process.send_signal(kind)
                try:
                    self._process.wait(STOP_SECONDS)
                except subprocess.TimeoutExpired:
                    continue
        self._process.wait()


class VirtualBoard:
    """A sensor board, and the hands that move towers on it."""

    def __init__(self, folder: Path, seats: int, powers: Sequence[str]) -> None:
        self.port = folder / "board"
        kind = next((name for name, known in SETS.items() if known == set(powers)), None)
        if kind is None:
            raise DemoError(f"There is no board for {', '.join(powers)}.")
        flags = ["virtual-board", "--pty", str(self.port), "--seats", str(seats)]
        flags += ["--set", kind, "--commands"]
        self._process = DeviceProcess("virtual board", flags, folder / "board.log")
        self._process.hear()

    def do(self, line: str) -> str:
        """Let something happen, in the words of the board's scripts; what it answers."""
        self._process.tell(line)
        answer = self._process.hear()
        if not answer.startswith("ok"):
            raise DemoError(f"The virtual board was told {line!r}: {answer}")
        return answer.removeprefix("ok").strip()

    def put(self, power: str, place: int) -> None:
        """Move a power from wherever it is, as a hand does in a fifth of a second."""
        self.do(f"{power} {'tray' if place == 0 else f'seat {place}'} hand 0.2")

    def lit(self) -> dict[int, str]:
        """The places whose light is on: place (0: the tray) → pattern."""
        lights: dict[str, Any] = json.loads(self.do("state"))["lights"]
        return {int(place): str(light["pattern"]) for place, light in lights.items()}

    def stop(self) -> None:
        """Take it away."""
        self._process.stop()


class VirtualCamera:
    """A camera above a drawn table, and the hands at the pile."""

    def __init__(self, folder: Path, seed: int, size: str = "1280x720") -> None:
        self._truth = folder / "truth.jsonl"
        flags = ["--commands", "--truth", str(self._truth)]
        flags += ["--seed", str(seed), "--size", size]
        self._process = DeviceProcess(
            "virtual camera", flags, folder / "camera.log", "lab.virtual_camera"
        )
        self.url = self._process.hear()

    def do(self, line: str) -> str:
        """Let something happen, in the words of the camera's scripts; what it answers."""
        self._process.tell(line)
        answer = self._process.hear()
        if not answer.startswith("ok"):
            raise DemoError(f"The virtual camera was told {line!r}: {answer}")
        return answer.removeprefix("ok").strip()

    def wait_until_idle(self) -> None:
        """Wait until no hand is over the table. Raises DemoError."""

        def idle() -> bool | None:
            return None if json.loads(self.do("state"))["busy"] else True

        wait_until(idle, "a hand is still over the table")

    def picture(self) -> bytes:
        """What it sees now, as JPEG."""
        answer = requests.get(self.url.replace("/stream", "/picture.jpg"), timeout=PATIENCE)
        answer.raise_for_status()
        return answer.content

    def truth(self) -> list[dict[str, Any]]:
        """What was really done at the pile, and when it came to be seen."""
        lines = self._truth.read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines]

    def stop(self) -> None:
        """Take it away."""
        self._process.stop()


@dataclass(frozen=True, slots=True)
class AttachedDevice:
    """A device of a gateway: its backend, that one's options, and the token it posts with."""

    name: str
    backend: str
    token: str
    options: Mapping[str, str]


def board_at(port: Path, token: str) -> AttachedDevice:
    """A board at a port."""
    return AttachedDevice("Board", "serial-board", token, {"port": str(port)})


class Gateway:
    """The gateway, with a configuration of its own."""

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
        """Start it, again with what its outbox holds."""
        self._process = DeviceProcess("gateway", ["run", "--config", str(self._config)], self._log)

    def status(self) -> dict[str, Any]:
        """What the gateway says of itself, as its status file has it."""
        try:
            document = json.loads(self._status.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return document if isinstance(document, dict) else {}

    def wait_until_delivered(self, count: int) -> None:
        """Wait until nothing is left over, ``count`` having been taken. Raises DemoError."""

        def all_there() -> bool | None:
            queues = [device["queue"] for device in self.status().get("devices", [])]
            left = any(queue["waiting"] or queue["set_aside"] for queue in queues)
            delivered = sum(int(queue["delivered"]) for queue in queues)
            return True if not left and delivered == count else None

        wait_until(all_there, f"the gateway does not count the {count} observations of the log")

    def stop(self) -> None:
        """Stop it."""
        self._process.stop()


def wait_until(look: Callable[[], Found | None], otherwise: str) -> Found:
    """What ``look`` finds, looked for until it is there. Raises DemoError when it never is."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = look()
        if found is not None:
            return found
        time.sleep(0.02)
    raise DemoError(f"After {PATIENCE:.0f} s {otherwise}.")
