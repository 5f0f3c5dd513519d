"""``referee table``: how it starts server and gateway."""

import errno
import os
import socket
import subprocess
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from hardware import backends
from hardware.cli import main as hardware
from hardware.commands.pairing import follow
from referee import extras
from referee.cli import main
from referee.commands import table

CAMERA = "http://ann:secret@10.0.0.9/video"
DATABASE = "postgresql://ann:hidden@db/referee"


class Ended:
    """A process that refuses how it was called."""

    stdin = None
    returncode = 2

    def poll(self) -> int:
        """Return its exit status."""
        return self.returncode


class Nothing:
    """A database in which no table is opened."""

    def __init__(self, database: str) -> None:
        pass

    def newest(self) -> None:
        """Return none."""

    def close(self) -> None:
        """Do nothing."""


def test_passwords_are_in_no_command_that_other_users_see(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started: list[tuple[list[str], dict[str, str]]] = []

    def start(command: list[str], env: dict[str, str], **_: Any) -> Ended:
        started.append((command, env))
        return Ended()

    monkeypatch.setattr(subprocess, "Popen", start)
    monkeypatch.setattr(socket, "create_server", lambda *_: socket.socket())
    monkeypatch.setattr(table, "check_database", lambda database: None)
    monkeypatch.setattr(table, "OpenedTables", Nothing)
    monkeypatch.setattr(table, "can_watch", lambda: True)
    monkeypatch.setattr(table, "_stop_on_signals", table._StopRequest)
    assert main(["table", "--camera", CAMERA, "--database", DATABASE]) == 2
    (server, servers), (gateway, gateways) = started
    assert "secret" not in " ".join([*server, *gateway])
    assert "hidden" not in " ".join([*server, *gateway])
    assert server[-2:] == ["--called", "table"]
    assert servers["REFEREE_DATABASE"] == DATABASE
    assert gateways["REFEREE_TABLE_CAMERA"] == CAMERA


@pytest.mark.parametrize(("flag", "more"), [("--port", ()), ("--secure-port", ("--home",))])
def test_nothing_is_made_where_a_port_is_taken(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    flag: str,
    more: tuple[str, ...],
) -> None:
    monkeypatch.setattr(table, "can_watch", lambda: True)

    def create_server(address: tuple[str, int]) -> socket.socket:
        if address[1] == 8123:
            raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))
        return socket.socket()

    monkeypatch.setattr(socket, "create_server", create_server)
    database = tmp_path / "referee.sqlite3"
    assert main(["table", *more, flag, "8123", "--database", str(database)]) == 2
    sentence = f"cannot listen on port 8123: Address already in use; {flag} takes another one\n"
    assert capsys.readouterr().err == f"referee table: {sentence}"
    assert list(tmp_path.iterdir()) == []


def test_packages_that_are_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(table, "can_watch", lambda: False)
    assert main(["table"]) == 2
    sentence = "needs the table packages: pip install '.[table]' in the project's folder"
    assert capsys.readouterr().err == f"referee table: {sentence}\n"
    # Server and devices share no code, but what they say is the same.
    assert (extras.needs("a", "b", "c"), extras.needs("table")) == (
        backends.needs("a", "b", "c"),
        sentence,
    )


def test_the_gateway_takes_the_camera_from_its_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[str | None] = []

    def following(_file: Path, _url: str, _port: str | None, source: str | None, _: Any) -> Any:
        taken.append(source)

    monkeypatch.setattr(follow, "Following", following)
    monkeypatch.setattr("signal.signal", lambda *_: None)
    monkeypatch.setattr("sys.stdin", StringIO(""))
    for flags, source in (([], CAMERA), (["--source", "1"], "1")):
        monkeypatch.setenv("REFEREE_TABLE_CAMERA", CAMERA)
        config = ["--config", str(tmp_path / "table.toml")]
        assert hardware(["follow", "--server", "http://h", *flags, *config]) == 0
        assert taken.pop() == source
        assert "REFEREE_TABLE_CAMERA" not in os.environ
