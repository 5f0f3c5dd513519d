"""kill -9 of the process that looks after others: they end, and the next start is not refused."""

import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
import requests

from tests.e2e.server import PATIENCE, Server
from tests.postgres import PostgresServer
from tests.processes import children, lives
from tests.waiting import until


def kill_alone(server: Server) -> None:
    """kill -9 of the first process, and of no other."""
    server.process.send_signal(signal.SIGKILL)
    server.process.wait(timeout=PATIENCE)


def restart_at_once(server: Server) -> None:
    """Start again with the same database, at the same port; that it is taken is no excuse."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tests.e2e.server.TAKEN", "\0")
        server.start()


def test_the_worker_for_phones_holds_neither_database_nor_port(tmp_path: Path) -> None:
    with (
        tempfile.TemporaryDirectory(prefix="orphans-", dir="/tmp") as folder,
        Server(tmp_path / "db", watcher=True, env={"TMPDIR": folder}, stays=True) as server,
    ):
        for _ in range(3):
            (path,) = Path(folder).glob("referee-watcher-*/frames")
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as frame:
                # The first connection starts the worker.
                frame.connect(str(path))
                first = server.process.pid
                until(lambda first=first: children(first))
                (worker,) = children(first)
                kill_alone(server)
                restart_at_once(server)
            until(lambda worker=worker: not lives(worker))
            path.unlink()
            path.parent.rmdir()


def test_several_workers_end_with_the_one_that_looks_after_them(postgres: PostgresServer) -> None:
    with Server(postgres.database(), "--workers", "2", stays=True) as server:
        made = requests.post(
            f"{server.url}/api/v1/tables",
            json={"ruleset": "classic-112", "seats": ["Ann", "Bo"]},
            timeout=PATIENCE,
        ).json()
        url = f"{server.url}/api/v1/tables/{made['table']['id']}/events"
        headers = {"Authorization": f"Bearer {made['token']}", "Accept": "text/event-stream"}
        with requests.get(url, headers=headers, stream=True, timeout=PATIENCE) as stream:
            assert stream.status_code == 200
            workers = server.workers()
            assert len(workers) == 2
            kill_alone(server)
            until(lambda: not any(map(lives, workers)))
        restart_at_once(server)
        assert not set(workers) & set(server.workers())
        answer = requests.get(url.removesuffix("/events"), headers=headers, timeout=PATIENCE)
        assert answer.status_code == 200


def test_a_demo_that_is_killed_leaves_no_server(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "referee", "demo", "--delay", "60"]
    with (tmp_path / "out").open("wb") as out, subprocess.Popen(command, stdout=out) as demo:
        until(lambda: children(demo.pid))
        (server,) = children(demo.pid)
        demo.kill()
    until(lambda: not lives(server))
