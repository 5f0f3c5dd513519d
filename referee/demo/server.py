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

from referee.demo.errors import DemoError

READY = re.compile(r"http://\S+:\d+")
START_SECONDS = 30.0
STOP_SECONDS = 8.0


@contextmanager
def running_server() -> Iterator[str]:
    """Where the server listens; it is stopped and its database is gone at the end, come what may.

    Raises DemoError when it does not start.
    """
    with tempfile.TemporaryDirectory(prefix="referee-demo-") as folder:
        log = Path(folder, "server.log")
        with log.open("wb") as complaints:
            process = subprocess.Popen(  # noqa: S603 - our own program, no shell
                [
                    *(sys.executable, "-m", "referee", "serve"),
                    *("--port", "0", "--database", str(Path(folder, "demo.sqlite3"))),
                ],
                stdout=subprocess.PIPE,
                stderr=complaints,
                text=True,
                env={name: v for name, v in os.environ.items() if not name.startswith("REFEREE_")},
                # Ctrl-C is for the demo, which stops the server when it has said goodbye.
                start_new_session=True,
            )
        done = False
        try:
            yield _address(process)
            done = True
        except DemoError as error:
            if process.poll() is not None:
                raise DemoError(f"The server has stopped. {_last_words(log)}".strip()) from None
            raise DemoError(f"{error} {_last_words(log)}".strip()) from None
        finally:
            _stop(process, kindly=done)


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
