"""One computer beside the table, as a new user starts it: server, virtual board, virtual camera."""

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import requests

from tests import waiting
from tests.e2e.server import PATIENCE, TAKEN, Server, free_port

KEY = {"key": "k" * 43}
# The server counts requests.
until = partial(waiting.until, pause=0.2)


class Program:
    """A command in a process of its own, and what it has printed."""

    def __init__(self, *command: str, folder: Path, **more: str) -> None:
        self.lines: list[str] = []
        self.process = subprocess.Popen(
            [sys.executable, "-u", "-m", *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={
                **os.environ,
                **more,
                "REFEREE_LIMITS": "off",
                "HOME": str(folder),
                "XDG_STATE_HOME": str(folder / "state"),
                "XDG_CONFIG_HOME": str(folder / "config"),
            },
        )
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        self.lines += self.process.stdout

    def said(self, pattern: str, times: int = 1) -> str:
        """Wait for so many lines of this pattern; return what the last one has in brackets."""

        def found() -> list[re.Match[str]]:
            matches = [match for line in self.lines if (match := re.search(pattern, line))]
            return matches if len(matches) >= times else []

        try:
            return str(until(found)[-1][1])
        except AssertionError:
            raise AssertionError("".join(self.lines)) from None

    def stop(self, signum: int = signal.SIGTERM) -> int:
        """Stop it; return its exit status."""
        self.process.send_signal(signum)
        return self.process.wait(PATIENCE)


class Host:
    """A host's phone: its table, over the API."""

    def __init__(
        self, url: str, ruleset: str = "power-grab", seats: Sequence[str] = ("Ann", "Bo")
    ) -> None:
        api = f"{url}/api/v1"
        wish = {"ruleset": ruleset, "seats": seats}
        made = requests.post(f"{api}/tables", json=wish, timeout=PATIENCE).json()
        self.id, self.code, self.token = made["table"]["id"], made["table"]["code"], made["token"]
        self._at = f"{api}/tables/{self.id}"
        self._headers = {"Authorization": f"Bearer {self.token}"}

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Send a request that succeeds."""
        answer = requests.request(
            method, self._at + path, json=body, headers=self._headers, timeout=PATIENCE
        )
        assert answer.ok, answer.text
        return answer.json() if answer.content else None

    def let_in(self, program: Program, *kinds: str) -> None:
        """Let the computer in whose program shows the same digits, for later tables, too."""
        [asking] = until(lambda: self.ask("GET", "/pairings")["items"])
        # It may have asked at a table before that it was brought to meanwhile.
        program.said(rf"same number: ({asking['digits']})")
        assert {device["kind"] for device in asking["devices"]} == set(kinds or ("board", "camera"))
        self.ask("POST", f"/pairings/{asking['id']}/kept", KEY)

    def heard(self) -> bool:
        """Whether board and camera were heard of."""
        items = self.ask("GET", "/devices")["items"]
        return {item["kind"] for item in items if item["last_seen"]} == {"board", "camera"}

    def kinds(self) -> set[str]:
        """What the devices have seen."""
        page = self.ask("GET", "/events?limit=200")["items"]
        return {one["observation"]["kind"] for one in page if one["kind"] == "observed"}


@pytest.fixture
def programs(tmp_path: Path) -> Iterator[Callable[..., Program]]:
    """Starts commands, and stops them afterwards."""
    started: list[Program] = []

    def start(*command: str, **more: str) -> Program:
        started.append(Program(*command, folder=tmp_path, **more))
        return started[-1]

    yield start
    for one in reversed(started):
        if one.process.poll() is None:
            one.process.kill()
        one.process.wait(PATIENCE)


@pytest.fixture
def board(programs: Callable[..., Program], tmp_path: Path) -> str:
    """The port of a virtual board."""
    port = tmp_path / "board"
    programs("hardware", "virtual-board", "--pty", str(port))
    until(port.exists)
    return str(port)


@pytest.fixture
def camera(programs: Callable[..., Program]) -> tuple[Program, str]:
    """A virtual camera that takes commands, and its address."""
    flags = ("--commands", "--rate", "8", "--size", "640x360")
    program = programs("lab.virtual_camera", "--port", "0", *flags)
    return program, program.said(r"(http://\S+)")


def test_a_server_killed_at_any_step_of_a_pairing_forgets_none(tmp_path: Path) -> None:
    """Each side keeps its own secret, so that a lost answer costs nothing."""
    secret = "c" * 43
    wish = {
        "devices": [{"name": "Board", "kind": "board"}],
        "computer": {"token": secret, "name": "Pi"},
    }
    server = Server(tmp_path / "tables.sqlite3")

    def restarted() -> str:
        if server.process is not None:
            server.kill()
        server.start()
        return f"{server.url}/api/v1"

    def sent(method: str, path: str, token: str | None, body: Any) -> Any:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = requests.request(method, api + path, json=body, headers=headers, timeout=PATIENCE)
        assert answer.ok, answer.text
        return answer.json()

    api = restarted()
    try:
        host = Host(server.url)
        guest = sent("POST", "/join", None, {"code": host.code})
        at = f"/tables/{host.id}"
        sent("POST", f"{at}/pairings", guest["token"], wish)
        api = restarted()
        # It asks again, is let in, and nobody hears the answer.
        asking = sent("POST", f"{at}/pairings", guest["token"], wish)["id"]
        sent("POST", f"{at}/pairings/{asking}/kept", host.token, KEY)
        api = restarted()
        given = sent("POST", f"{at}/pairings", guest["token"], wish)["devices"]
        assert (
            sent("POST", "/computers/place", None, {"token": secret})["devices"][0]["token"]
            == given[0]["token"]
        )
        following = Host(server.url)
        sent("POST", f"/tables/{following.id}/computers", following.token, KEY)
        api = restarted()
        first = sent("POST", "/computers/place", None, {"token": secret})
        api = restarted()
        assert sent("POST", "/computers/place", None, {"token": secret}) == first
        assert first["table_id"] == following.id
        devices = sent("GET", f"/tables/{following.id}/devices", following.token, None)["items"]
        assert len(devices) == 1
    finally:
        server.stop()


def test_three_commands_and_a_second_table(
    programs: Callable[..., Program], board: str, camera: tuple[Program, str], tmp_path: Path
) -> None:
    """Server, virtual board and camera, ``join``: let in once, it is at the next table as well."""
    film, address = camera
    with Server(tmp_path / "tables.sqlite3") as server:
        table = Host(server.url)
        flags = ("--server", server.url, "--port", board, "--source", address)
        join = programs("hardware", "join", table.code, *flags)
        table.let_in(join)
        until(table.heard)
        until(lambda: table.kinds() >= {"powers"})
        following = Host(server.url)
        [one] = following.ask("POST", "/computers", KEY)["items"]
        assert one["place"] in ("coming", "here")
        until(following.heard)
        film.process.stdin.write("lay red-7\n")
        film.process.stdin.flush()
        until(lambda: "pile" in following.kinds() or "camera" in following.kinds())
        assert join.stop() == 0


def test_referee_table_survives_a_new_table_and_dead_children(
    programs: Callable[..., Program], board: str, camera: tuple[Program, str], tmp_path: Path
) -> None:
    """``referee table``: one command; a tap lets the devices in, and whatever dies comes back."""
    program, url = referee_table(programs, tmp_path, "--board", board, "--camera", camera[1])
    table = Host(url)
    table.let_in(program)
    until(table.heard)
    following = Host(url)
    following.ask("POST", "/computers", KEY)
    until(following.heard)
    # Another host's table: asked there as well, and let in there.
    another = Host(url)
    another.let_in(program)
    until(another.heard)
    server, gateway = sorted(
        children(program.process.pid), key=lambda child: "hardware" in child[1]
    )
    for pid, name in (server, gateway):
        os.kill(pid, signal.SIGKILL)
        program.said("(has ended by signal 9)", times=1 if "serve" in name else 2)
    until(lambda: answers(url))
    until(lambda: len(children(program.process.pid)) == 2)
    last = Host(url)
    last.ask("POST", "/computers", KEY)
    until(last.heard)
    # What the dead gateway had started has ended with it, and only the new one's runs.
    until(lambda: len(running("hardware run", tmp_path)) == 1)
    assert program.stop(signal.SIGINT) == 130
    until(lambda: not answers(url))
    until(lambda: not running("hardware", tmp_path / "config"))


def test_a_board_stays_where_towers_are(
    programs: Callable[..., Program], board: str, tmp_path: Path
) -> None:
    """It is offered to no table without towers, and leaves no other for one."""
    program, url = referee_table(programs, tmp_path, "--board", board)
    without = Host(url, "classic-108")
    program.said("(classic-108, which has neither towers nor powers)")
    assert without.ask("GET", "/pairings")["items"] == []
    table = Host(url)
    table.let_in(program, "board")
    until(lambda: table.kinds() == {"powers"})
    other = Host(url, "classic-108")
    program.said("(classic-108, which has neither towers nor powers)", times=2)
    assert other.ask("GET", "/pairings")["items"] == []
    assert [item["kind"] for item in table.ask("GET", "/devices")["items"]] == ["board"]
    assert program.stop(signal.SIGINT) == 130


def test_a_camera_goes_to_a_table_without_towers_alone(
    programs: Callable[..., Program], board: str, camera: tuple[Program, str], tmp_path: Path
) -> None:
    program, url = referee_table(programs, tmp_path, "--board", board, "--camera", camera[1])
    without = Host(url, "classic-108")
    without.let_in(program, "camera")
    until(lambda: without.kinds() == {"camera"})
    # At the next table that has towers both are offered, and stay.
    table = Host(url)
    table.let_in(program)
    until(table.heard)
    Host(url, "classic-108")
    program.said("(whose deck has no towers: the devices stay)")
    assert program.stop(signal.SIGINT) == 130


def referee_table(
    programs: Callable[..., Program], folder: Path, *flags: str
) -> tuple[Program, str]:
    """Start ``referee table``, which asks for a port, at one that nobody else takes meanwhile."""
    while True:
        port = str(free_port())
        where = ("--port", port, "--database", str(folder / "tables.sqlite3"))
        program = programs("referee", "table", *where, *flags)
        if TAKEN not in program.said(f"(listens on|{TAKEN})"):
            break
    url = f"http://127.0.0.1:{port}"
    until(lambda: answers(url))
    return program, url


def running(command: str, folder: Path) -> list[str]:
    """The processes of a command that name something in a folder."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            line = file.read_bytes().replace(b"\0", b" ").decode(errors="replace")
            if command in line and str(folder) in line:
                found.append(line)
    return found


def answers(url: str) -> bool:
    """Whether a server is ready there."""
    try:
        return requests.get(f"{url}/ready", timeout=2).ok
    except requests.RequestException:
        return False


def children(pid: int) -> list[tuple[int, str]]:
    """The children of a process, with their commands."""
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    commands = {
        int(one): Path(f"/proc/{one}/cmdline").read_text(encoding="utf-8").replace("\0", " ")
        for one in found
    }
    return [(one, command) for one, command in commands.items() if command]


@pytest.mark.parametrize(
    ("flags", "reason"),
    [
        (("--port", "0"), "--port must be from 1 to 65535"),
        (("--database", "/dev/null/tables.sqlite3"), "cannot be opened"),
    ],
)
def test_what_cannot_be_is_one_sentence(flags: tuple[str, ...], reason: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "referee", "table", *flags],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 2
    assert reason in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_port_that_is_taken_stops_it(tmp_path: Path) -> None:
    """The server has said why; nothing is tried again and again."""
    with Server(tmp_path / "other.sqlite3", "--host", "0.0.0.0") as other:
        port = other.url.rpartition(":")[2]
        flags = ["--port", port, "--database", str(tmp_path / "tables.sqlite3")]
        done = subprocess.run(
            [sys.executable, "-m", "referee", "table", *flags],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
            env={**os.environ, "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "config")},
        )
    assert done.returncode == 2
    assert "cannot listen on" in done.stderr
