"""examples/python: a client generated from the description, and the scoreboard made with it."""

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.e2e.server import PATIENCE, Server
from tests.examples.playing import ROOT, Host, recorded

pytest.importorskip("openapi_python_client", reason="openapi-python-client is not installed")
EXAMPLE = ROOT / "examples" / "python"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the generated client, which the workers of a run share."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    folder /= "client"
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            generate(folder)
    return folder


def generate(folder: Path) -> None:
    """Make a folder with the generated client; leave none where that fails."""
    making = folder.with_suffix(".making")
    shutil.rmtree(making, ignore_errors=True)
    making.mkdir()
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none"]
    command += ["--path", str(ROOT / "openapi.yaml"), "--config", str(EXAMPLE / "client.yaml")]
    command += ["--output-path", str(making / "referee_client"), "--fail-on-warning"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    making.rename(folder)


@contextmanager
def scoreboard(client: Path, *args: str) -> Iterator[subprocess.Popen[str]]:
    """The app as a process of its own."""
    kept = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    with subprocess.Popen(
        [sys.executable, "-u", str(EXAMPLE / "scoreboard.py"), *args],
        env={**kept, "PYTHONPATH": str(client), "PYTHONIOENCODING": "utf-8"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def read_until(process: subprocess.Popen[str], beginning: str) -> list[str]:
    """The lines until one that begins so. Whoever kills the process ends the wait, too."""
    assert process.stdout is not None
    lines: list[str] = []
    for line in process.stdout:
        lines.append(line.rstrip("\n"))
        if line.startswith(beginning):
            return lines
    raise AssertionError(f"no line begins with {beginning!r}: {lines}")


def test_the_scoreboard_follows_a_game_to_its_end_through_a_server_that_dies(
    client: Path, tmp_path: Path
) -> None:
    record = recorded("classic-112-custom-cards")
    (played,) = record["rounds"]
    server = Server(tmp_path / "followed.sqlite3", stays=True)
    server.start()
    try:
        host = Host(server, record)
        with scoreboard(client, server.url, host.code, "--lang", "sv") as app:
            assert read_until(app, "  Cy")[-3:] == [
                "  Ann   0     0",
                "  Bo    0     0",
                "  Cy    0     0",
            ]
            host.open(played)
            said = read_until(app, "  Cy")
            server.kill()
            server.start()
            for move in played["moves"]:
                host.move(move)
            said += read_until(app, "Ann (90, 0, 0)")
            assert app.wait(PATIENCE) == 0
        entries = host.get("/events?after=1&limit=200&lang=sv").json()["items"]
    finally:
        server.stop()
    told = [line for entry in entries for line in entry.get("announcements", ())]
    assert len(told) > 20
    assert [line for line in said if line in told] == told
    assert "  Ann   0    90  +90" in said


ONE_EVENT = """
import sys
from following import follow
from referee_client import AuthenticatedClient

server, token, table = sys.argv[1:]
client = AuthenticatedClient(base_url=server, token=token)
print(next(follow(client, table, 999)).id)
"""


def test_following_goes_on_after_a_restored_backup(client: Path, tmp_path: Path) -> None:
    """It has seen more events than the server knows."""
    record = recorded("classic-112-custom-cards")
    with Server(tmp_path / "restored.sqlite3") as server:
        host = Host(server, record)
        version = host.get("").json()["version"]
        token = str(host.session.headers["Authorization"]).removeprefix("Bearer ")
        path = f"{client}{os.pathsep}{EXAMPLE}"
        with subprocess.Popen(
            [sys.executable, "-c", ONE_EVENT, server.url, token, host.table],
            env={**os.environ, "PYTHONPATH": path, "NO_PROXY": "*"},
            stdout=subprocess.PIPE,
            text=True,
        ) as app:
            try:
                # It is told of what comes once it listens, however late that is.
                host.open(record["rounds"][0])
                for move in record["rounds"][0]["moves"]:
                    with suppress(subprocess.TimeoutExpired):
                        app.wait(3)
                        break
                    host.move(move)
                out, _ = app.communicate(timeout=PATIENCE)
            finally:
                app.kill()
    assert int(out) > version


def test_the_scoreboard_says_why_it_cannot_join(client: Path, tmp_path: Path) -> None:
    with (
        Server(tmp_path / "refusing.sqlite3") as server,
        scoreboard(client, server.url, "NO-SUCH-CODE", "--lang", "fi") as app,
    ):
        out, _ = app.communicate(timeout=PATIENCE)
    assert app.returncode == 1
    assert out.strip()
    assert "Traceback" not in out
