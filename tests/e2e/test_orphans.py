"""kill -9 of the process that looks after others: they end, and the next start is not refused."""

import signal
import socket
import tempfile
from pathlib import Path

import requests

from tests.e2e.server import Server
from tests.hardware.gateway.fakes import until
from tests.postgres import PostgresServer

# A worker sees within half a second that its parent is gone, ends its streams, and has ten more
# seconds for requests; on a busy machine all of that takes longer.
GONE_SECONDS = 40.0


def children(process: int) -> list[int]:
    """The processes that any thread of this one has started."""
    found: list[int] = []
    for task in Path(f"/proc/{process}/task").iterdir():
        found += map(int, (task / "children").read_text(encoding="ascii").split())
    return found


def lives(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(") ")[2]
    except FileNotFoundError:
        return False
    # Where nobody waits for it, an ended process stays listed.
    return not state.startswith("Z")


def kill_alone(server: Server) -> None:
    """kill -9 of the first process, and of no other."""
    assert server.process is not None
    server.process.send_signal(signal.SIGKILL)
    server.process.wait(timeout=20)


def restart_at_once(server: Server) -> None:
    """Start again with the same database, at the same port."""
    if "--port" not in server.flags:
        server.flags = (*server.flags, "--port", server.url.rpartition(":")[2])
    server.start()


def test_the_worker_for_phones_holds_neither_database_nor_port(tmp_path: Path) -> None:
    with (
        tempfile.TemporaryDirectory(prefix="orphans-", dir="/tmp") as folder,
        Server(tmp_path / "db", watcher=True, env={"TMPDIR": folder}) as server,
    ):
        for _ in range(3):
            (path,) = Path(folder).glob("referee-watcher-*/frames")
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as frame:
                # The first connection starts the worker.
                frame.connect(str(path))
                assert server.process is not None
                first = server.process.pid
                until(lambda first=first: children(first))
                (worker,) = children(first)
                kill_alone(server)
                restart_at_once(server)
            until(lambda worker=worker: not lives(worker), GONE_SECONDS)
            path.unlink()
            path.parent.rmdir()


def test_several_workers_end_with_the_one_that_looks_after_them(postgres: PostgresServer) -> None:
    with Server(postgres.database(), "--workers", "2") as server:
        made = requests.post(
            f"{server.url}/api/v1/tables",
            json={"ruleset": "classic-112", "seats": ["Ann", "Bo"]},
            timeout=20,
        ).json()
        url = f"{server.url}/api/v1/tables/{made['table']['id']}/events"
        headers = {"Authorization": f"Bearer {made['token']}", "Accept": "text/event-stream"}
        with requests.get(url, headers=headers, stream=True, timeout=20) as stream:
            assert stream.status_code == 200
            workers = server.workers()
            assert len(workers) == 2
            kill_alone(server)
            until(lambda: not any(map(lives, workers)), GONE_SECONDS)
        restart_at_once(server)
        assert not set(workers) & set(server.workers())
        answer = requests.get(url.removesuffix("/events"), headers=headers, timeout=20)
        assert answer.status_code == 200
