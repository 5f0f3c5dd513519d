"""A new user's way: server, board and `referee-table join CODE`, each a process of its own."""

import socket
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest
import requests

from hardware.backends import BOARD
from hardware.commands.pairing import join
from hardware.commands.pairing import joining as asking_in
from hardware.commands.pairing.join import AtBootError, start_at_boot
from hardware.gateway import find_server
from hardware.gateway.posting.outbox_file import lock
from referee.service.access import CODE_ALPHABET, CODE_LENGTH, SEAL_LENGTH, is_code
from tests.e2e.server import PATIENCE, Server, free_port
from tests.e2e.test_table_command import Host, Program
from tests.hardware.conftest import Run
from tests.waiting import until


def test_a_server_is_named_by_its_address(run: Run) -> None:
    said = run("join", "ABCD-EF23", "--server", "foo", ends=2)
    assert (
        said.err == "referee-table join: --server: 'foo' is no address such as http://host:8000\n"
    )


@pytest.mark.parametrize("code", ["XX!!", "ABCD-EF2", "ABCD-EF20", "ABCD-EF23-4", ""])
def test_a_code_is_checked_before_devices_are_looked_for(
    monkeypatch: pytest.MonkeyPatch, run: Run, code: str
) -> None:
    monkeypatch.setattr(join, "find_devices", None)
    assert run("join", code, ends=2).err.startswith(
        f"referee-table join: {code!r} is no join code:"
    )


@pytest.mark.parametrize("code", ["ABCDEF23", "abcd-ef23-ABCD-EF23", " abcd ef23 "])
def test_what_may_be_a_code_is_asked_for(code: str) -> None:
    join._check_code(code)
    assert is_code(code)


def test_codes_are_made_of_the_same_letters() -> None:
    """Server and devices share no code, so what they take for a code is compared."""
    assert set(CODE_ALPHABET) == join.ALPHABET
    assert join.LENGTHS == (CODE_LENGTH, CODE_LENGTH + SEAL_LENGTH)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("join") / "tables.sqlite3") as running:
        yield running


@pytest.fixture
def table(server: Server) -> Host:
    return Host(server.url)


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Path]:
    """The virtual board's port."""
    port = tmp_path / "board"
    command = [sys.executable, "-m", "hardware", "virtual-board", "--pty", str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        until(port.exists)
        yield port
        process.terminate()


@pytest.fixture
def joining(server: Server, table: Host, board: Path, tmp_path: Path) -> Iterator[Program]:
    """``referee-table join`` with the board, which asks its table."""
    flags = ["--server", server.url, "--port", str(board), "--config", str(tmp_path / "table.toml")]
    program = Program("hardware", "join", table.code.lower(), *flags, folder=tmp_path)
    yield program
    program.stop()


def asking(table: Host) -> list[Any]:
    """The computers that ask to be let in."""
    return cast("list[Any]", table.ask("GET", "/pairings")["items"])


def heard(table: Host) -> bool:
    """Whether a device of the table was heard of."""
    return any(item["last_seen"] for item in table.ask("GET", "/devices")["items"])


def test_the_host_lets_it_in_and_the_board_is_heard(
    joining: Program, table: Host, tmp_path: Path
) -> None:
    digits = joining.said(r"same number: (\d{4})")
    [one] = asking(table)
    assert one["digits"] == digits
    assert {"name": "Board", "kind": "board"} in one["devices"]
    table.ask("POST", f"/pairings/{one['id']}")
    joining.said("(Joined)")
    until(lambda: heard(table))
    file = tmp_path / "table.toml"
    assert file.stat().st_mode & 0o777 == 0o600
    written = tomllib.loads(file.read_text())
    assert written["server"]["table"] == table.id
    assert table.token not in file.read_text()
    # It let go of the token with which it asked.
    assert asking(table) == []


def test_it_comes_along_to_the_hosts_next_table(
    joining: Program, server: Server, table: Host, tmp_path: Path
) -> None:
    key = {"key": "k" * 43}
    joining.said("(same number)")
    [asked] = asking(table)
    assert asked["computer"]
    table.ask("POST", f"/pairings/{asked['id']}/kept", key)
    joining.said("(Joined)")
    secret = tmp_path / "computer.key"
    assert secret.stat().st_mode & 0o777 == 0o600
    until(lambda: heard(table))
    for _ in range(2):
        following = Host(server.url)
        [one] = following.ask("POST", "/computers", key)["items"]
        assert one["place"] in ("coming", "here")
        until(partial(heard, following))
        written = tomllib.loads((tmp_path / "table.toml").read_text())
        assert written["server"]["table"] == following.id
    # It is forgotten, and stays where it is.
    following.ask("POST", "/computers/forgotten", {**key, "which": one["id"]})
    assert Host(server.url).ask("POST", "/computers", key)["items"] == []
    joining.said("(The host has forgotten this computer: it stays at this table)")


def test_the_host_refuses(joining: Program, table: Host, tmp_path: Path) -> None:
    joining.said("(same number)")
    [asked] = asking(table)
    table.ask("DELETE", f"/tokens/{asked['id']}")
    joining.said("(referee-table join: the host does not let it in)")
    assert joining.process.wait(PATIENCE) == 1
    assert not (tmp_path / "table.toml").exists()


def test_it_asks_on_while_others_fill_the_table(
    server: Server, table: Host, board: Path, tmp_path: Path
) -> None:
    guests, api = [], f"{server.url}/api/v1"
    for _ in range(4):
        joined = requests.post(f"{api}/join", json={"code": table.code}, timeout=120).json()
        guests.append({"Authorization": f"Bearer {joined['token']}"})

    def ask(guest: Any) -> int:
        body = {"devices": [{"name": "Board", "kind": "board"}]}
        url = f"{api}/tables/{table.id}/pairings"
        return requests.post(url, json=body, headers=guest, timeout=120).status_code

    assert [ask(one) for one in guests] == [200] * 4
    options = {BOARD: {"port": str(board)}}
    request = asking_in.JoinRequest(server.url, table.code, options, None)
    assert request.ask() == ()
    # The host refuses them, and the computer has its number.
    table.ask("DELETE", "/pairings")
    assert [ask(one) for one in guests] == [403] * 4
    assert request.ask() == []
    [asked] = asking(table)
    assert asked["quiet"]
    table.ask("POST", f"/pairings/{asked['id']}")
    assert len(request.ask()) == 1
    request.close()


@pytest.fixture
def start(tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Flags with which nothing of this machine is looked at."""
    monkeypatch.setattr(asking_in, "VIDEO", tmp_path)
    monkeypatch.setattr(asking_in, "has_board", lambda: False)
    return ["join", "ABCDEF23", "--server", server.url, "--config", str(tmp_path / "table.toml")]


@pytest.mark.parametrize(
    ("flags", "reason", "status"),
    [
        ([], "there is no sensor board and no camera here", 1),
        (["--port", "loop://", "--server", "http://127.0.0.1:9"], "nothing listens there", 1),
        (["--port", "loop://"], "code", 1),
    ],
)
def test_what_cannot_be(
    start: list[str], run: Run, flags: list[str], reason: str, status: int
) -> None:
    assert reason in run(*start, *flags, ends=status).err


@pytest.mark.parametrize(
    ("flags", "reason"),
    [
        (["--port", "/dev/none"], "there is no port /dev/none; is the board plugged in?"),
        (["--port", "/"], "/ is no serial port"),
        (["--source", "none.jpg"], "there is no file or folder none.jpg"),
        (["--source", "/dev/video-none"], "there is no camera /dev/video-none"),
    ],
)
def test_what_is_named_and_not_here_is_told_before_anybody_is_asked(
    start: list[str], run: Run, flags: list[str], reason: str
) -> None:
    said = run(*start, *flags, ends=2)
    assert said.err.startswith(f"referee-table join: {reason}")
    assert said.out == ""


def test_a_stream_without_a_picture_is_told_before_anybody_is_asked(
    start: list[str], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(join, "JoinRequest", None)
    address = f"http://127.0.0.1:{free_port()}/film"
    error = run(*start, "--source", address, ends=1).err
    assert address in error
    assert error.count("\n") == 1
    assert "nothing listens there" in error


def test_what_is_named_by_a_path_is_found_from_any_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, board: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pile.png").touch()
    assert asking_in.find_devices(board.name, "pile.png") == {
        "serial-board": {"port": str(board)},
        "camera": {"source": str(tmp_path / "pile.png")},
    }
    address = "http://127.0.0.1:9/film"
    assert asking_in.find_devices("loop://", address)["camera"] == {"source": address}


def test_what_is_not_here_is_left_out_where_others_play_on(tmp_path: Path) -> None:
    left_out: list[str] = []
    found = asking_in.find_devices("loop://", str(tmp_path / "none.jpg"), left_out.append)
    assert found == {"serial-board": {"port": "loop://"}}
    assert "there is no file or folder" in left_out[0]


class Unanswered:
    """A request that nobody answers for a while."""

    def __init__(self, digits: str) -> None:
        self.digits = digits
        self.asked = 0

    def ask(self) -> Any:
        self.asked += 1
        return [{}] if self.asked > 200 else []

    def write(self, *_: object) -> None:
        pass

    def close(self) -> None:
        pass


@pytest.mark.parametrize(
    ("digits", "said"),
    [("1234", "On the host's phone 1234 is at the top of the page"), ("", "waiting for room")],
)
def test_it_says_now_and_then_that_it_still_waits(
    monkeypatch: pytest.MonkeyPatch, capsys: Any, digits: str, said: str
) -> None:
    now = [0.0]
    monkeypatch.setattr("hardware.commands.pairing.join.time.monotonic", lambda: now[0])
    monkeypatch.setattr(
        "hardware.commands.pairing.join.time.sleep",
        lambda seconds: now.__setitem__(0, now[0] + seconds),
    )
    join._join(cast("Any", Unanswered(digits)), Path(), "http://h")
    # 300 seconds: after one minute, and three later.
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert said in lines[0]
    assert "Ctrl-C stops" in lines[0]


def test_a_file_that_cannot_be_changed_is_told_before_anybody_is_asked(
    start: list[str], run: Run, tmp_path: Path
) -> None:
    (tmp_path / "table.toml").write_text("not = [toml")
    assert "it is no TOML" in run(*start, "--port", "loop://", ends=2).err


def test_where_the_devices_run_already_nobody_is_asked(
    start: list[str], run: Run, tmp_path: Path
) -> None:
    (tmp_path / "table.toml").write_text('[outbox]\npath = "kept.sqlite3"\n')
    taken = lock(tmp_path / "kept.sqlite3")
    try:
        said = run(*start, "--port", "loop://", ends=1)
    finally:
        taken.release()
    assert "run already: stop them first" in said.err


def test_a_referee_that_is_announced_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    zeroconf = pytest.importorskip("zeroconf")
    info = zeroconf.ServiceInfo(
        find_server.SERVICE,
        f"Referee on test.{find_server.SERVICE}",
        port=8123,
        server="referee-test.local.",
        addresses=[socket.inet_aton("127.0.0.1")],
    )
    monkeypatch.setattr(find_server, "PATIENCE", 120)
    with zeroconf.Zeroconf(interfaces=["127.0.0.1"]) as announcing:
        announcing.register_service(info)
        assert "http://127.0.0.1:8123" in find_server.find_servers(["127.0.0.1"])


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        ([], "no referee is announced in this network"),
        (["http://a:1", "http://b:2"], "choose by --server one of http://a:1, http://b:2"),
    ],
)
def test_none_or_several_are_found(
    monkeypatch: pytest.MonkeyPatch, start: list[str], run: Run, found: list[str], reason: str
) -> None:
    monkeypatch.setattr(find_server, "find_servers", lambda: found)
    at = start.index("--server")
    assert reason in run(*start[:at], *start[at + 2 :], "--port", "loop://", ends=1).err


def test_it_starts_at_boot_by_the_users_systemd(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    control = tmp_path / "systemctl"
    control.write_text(f'#!/bin/sh\necho "$@" >> {log}\n')
    control.chmod(0o755)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setattr(join.shutil, "which", lambda _: str(control))
    assert "enable-linger" in start_at_boot(tmp_path / "100 % table.toml")
    unit = (tmp_path / "config" / "systemd" / "user" / "referee-table.service").read_text()
    assert f'run --plain --config "{tmp_path}/100 %% table.toml"' in unit
    assert log.read_text().splitlines() == [
        "--user daemon-reload",
        "--user enable referee-table.service",
        "--user restart referee-table.service",
    ]
    control.write_text("#!/bin/sh\necho no bus >&2\nexit 1\n")
    with pytest.raises(AtBootError, match="no bus"):
        start_at_boot(tmp_path / "table.toml")
    monkeypatch.setattr(join.shutil, "which", lambda _: None)
    with pytest.raises(AtBootError, match="there is no systemd here"):
        start_at_boot(tmp_path / "table.toml")
