"""The worker beside the server: started when it is wanted, started again, and never left behind."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from referee.service.devices.frames import Frame, FrameError, Sender
from referee.serving import frames as frame_socket
from referee.serving.frames import FrameSocket
from referee.serving.watcher import Watcher, watcher_command
from tests.processes import children
from tests.waiting import PATIENCE

SENDER = Sender("t1", "d1", "secret", "classic-112")
# Speaks the wire, and answers with its own id and what it was sent.
WORKER = """
import json, os, socket, struct, sys, threading
number = int(sys.argv[sys.argv.index("--listen") + 1].removeprefix("fd:"))
parent = int(sys.argv[sys.argv.index("--parent") + 1])
assert os.getppid() == parent
def exactly(of, size):
    got = b""
    while len(got) < size:
        part = of.recv(size - len(got))
        if not part:
            sys.exit()
        got += part
    return got
def serve(one):
    while True:
        sizes = struct.unpack(">II", exactly(one, 8))
        head, body = (exactly(one, size) for size in sizes)
        said = json.loads(head)
        if said["captured"] == 13:
            os._exit(3)
        refused = said["captured"] == 7
        view = {"pid": os.getpid(), "said": said, "size": len(body)}
        seen = {"refused": "no-reader"} if refused else {"view": view}
        packed = json.dumps(seen).encode()
        one.sendall(struct.pack(">II", len(packed), 0) + packed)
listening = socket.socket(fileno=number)
while True:
    one, _ = listening.accept()
    threading.Thread(target=serve, args=(one,), daemon=True).start()
"""


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frame_socket, "PATIENCE", PATIENCE)


@pytest.fixture
def watcher(tmp_path: Path) -> Iterator[Watcher]:
    program = tmp_path / "worker.py"
    program.write_text(WORKER, encoding="utf-8")
    with Watcher([sys.executable, str(program)]) as watcher:
        watcher.start()
        yield watcher


def answered(frames: FrameSocket, captured: float = 1.0, picture: bytes = b"") -> int:
    """Send a frame until a worker answers."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return int(frames.take(SENDER, Frame(picture, captured, captured))["pid"])
        except FrameError:
            assert time.monotonic() < until


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def within(seconds: float, true: Callable[[], bool]) -> bool:
    until = time.monotonic() + seconds
    while not true() and time.monotonic() < until:
        time.sleep(0.02)
    return true()


def test_it_starts_with_the_first_frame_and_stops_with_the_server(watcher: Watcher) -> None:
    before = children(os.getpid())
    time.sleep(0.3)
    assert children(os.getpid()) == before
    frames = FrameSocket(watcher.path)
    picture = b"\xff\xd8" + bytes(300_000)
    view = frames.take(SENDER, Frame(picture, 1000.5, 1001.0, (0.5, 0.25), "a1", take_over=True))
    assert view["size"] == 300_002
    assert view["said"] == {
        "table": "t1",
        "device": "d1",
        "token": "secret",
        "ruleset": "classic-112",
        "captured": 1000.5,
        "sent": 1001.0,
        "pile": [0.5, 0.25],
        "phone": "a1",
        "take_over": True,
    }
    assert answered(frames) == view["pid"]
    watcher.stop()
    assert gone(view["pid"])
    frames.close()


def test_one_that_dies_is_started_again(watcher: Watcher) -> None:
    frames = FrameSocket(watcher.path)
    first = answered(frames)
    os.kill(first, signal.SIGKILL)
    second = answered(frames)
    assert second != first
    # A frame that it dies of is lost, not the next ones.
    with pytest.raises(FrameError):
        frames.take(SENDER, Frame(b"", 13, 13))
    assert answered(frames) not in (first, second)


def test_what_it_refuses_is_told(watcher: Watcher) -> None:
    frames = FrameSocket(watcher.path)
    answered(frames)
    with pytest.raises(FrameError) as refused:
        frames.take(SENDER, Frame(b"", 7, 7))
    assert refused.value.kind == "no-reader"


def test_nobody_else_reaches_its_socket(watcher: Watcher) -> None:
    assert watcher.path.parent.stat().st_mode & 0o777 == 0o700
    folder = watcher.path.parent
    watcher.__exit__()
    assert not folder.exists()
    with pytest.raises(FrameError):
        FrameSocket(watcher.path).take(SENDER, Frame(b"", 1, 1))


def test_the_real_worker_ends_with_its_parent(tmp_path: Path) -> None:
    command = watcher_command("http://127.0.0.1:1", tmp_path / "state", None)
    program = (
        "import glob, os, time\n"
        "from referee.serving.watcher import Watcher\n"
        "from referee.serving.frames import FrameSocket\n"
        "from referee.service.devices.frames import Frame, FrameError, Sender\n"
        f"watcher = Watcher({command!r})\n"
        "watcher.start()\n"
        "frames = FrameSocket(watcher.path)\n"
        "while True:\n"
        "    try:\n"
        "        frames.take(Sender('t', 'd', 'x', 'toy'), Frame(b'', 1, 1))\n"
        "    except FrameError as error:\n"
        "        if error.kind == 'no-reader':\n"
        "            break\n"
        "    time.sleep(0.05)\n"
        "for file in glob.glob('/proc/self/task/*/children'):\n"
        "    print(open(file).read(), flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    (worker,) = (int(one) for one in done.stdout.split())
    assert within(PATIENCE, lambda: gone(worker))


def test_a_long_folder_for_temporary_files_leaves_room_for_a_socket(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / ("a" * 100)
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    with Watcher([]) as watcher:
        assert watcher.path.is_socket()
    assert not watcher.path.parent.exists()
