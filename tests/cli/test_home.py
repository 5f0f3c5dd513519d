"""``referee home``: what it refuses, and what it says about phones."""

import errno
import os
import socket
from datetime import date
from ipaddress import ip_address
from pathlib import Path
from typing import NoReturn

import pytest

from referee.cli import main
from referee.commands import home as command
from referee.commands.home import said_with_authority, said_with_domain
from referee.config import Home
from referee.home.authority import Pair
from referee.home.names import Names
from tests.e2e.server import Server
from tests.home.test_door import PublicAuthority

Capture = pytest.CaptureFixture[str]
FINGERPRINT = "AB:CD"
HOUSE = Home(8000, 8443, "referee.local", b"certificate", FINGERPRINT)


@pytest.fixture
def start(tmp_path: Path) -> list[str]:
    """A start that needs no network and leaves nothing behind."""
    ports = ["--port", "0", "--secure-port", "0"]
    folders = ["--folder", str(tmp_path / "home"), "--database", str(tmp_path / "home.sqlite3")]
    return ["home", "--quiet", *ports, *folders]


def said(capsys: Capture) -> str:
    error = capsys.readouterr().err
    assert error.startswith("referee home: ")
    assert error.count("\n") == 1
    return error


def names(*reached: str) -> Names:
    return Names(("referee.local",), (), tuple(map(ip_address, reached)))


@pytest.mark.parametrize("flag", ["--port", "--secure-port"])
def test_a_port_that_is_taken(start: list[str], capsys: Capture, flag: str) -> None:
    with socket.create_server(("0.0.0.0", 0)) as taken:
        port = taken.getsockname()[1]
        assert main([*start, flag, str(port)]) == 2
    expected = f"cannot listen on port {port}: Address already in use; {flag} takes another one\n"
    assert said(capsys).endswith(expected)


def test_a_second_start_is_told_that_a_referee_runs_already(
    start: list[str], capsys: Capture, tmp_path: Path
) -> None:
    with Server(tmp_path / "other.sqlite3") as server:
        port = server.url.rpartition(":")[2]
        assert main([*start, "--port", port]) == 2
    assert f": a referee already runs here: http://localhost:{port}/; " in said(capsys)


def test_a_port_for_administrators(
    start: list[str], capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> NoReturn:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(command, "listen", refuse)
    assert main([*start, "--port", "80"]) == 2
    assert "Permission denied, since ports below 1024 need an administrator; --port" in said(capsys)


@pytest.mark.parametrize(
    ("flags", "reason"),
    [
        (["--port", "70000"], "--port must be from 1 to 65535, or 0 for any free port\n"),
        (["--secure-port", "70000"], "--secure-port must be from 1 to 65535"),
        (["--name", "a b"], "'a b' is no name: letters a to z"),
        (["--cert", "fullchain.pem"], "--cert and --key belong together"),
        (["--cert", "none.pem", "--key", "none.pem"], "No such file or directory"),
        (
            ["--folder", "/dev/null"],
            "the house's certificate cannot be kept in /dev/null: File exists; --folder names",
        ),
        (
            ["--folder", "/proc/nowhere"],
            "cannot be kept in /proc/nowhere: No such file or directory; --folder names another",
        ),
        (["--port", "8190", "--secure-port", "8190"], "--port and --secure-port have to differ\n"),
        (["--database", "nothing://here"], "cannot be opened"),
    ],
)
def test_flags_that_do_not_work(
    start: list[str], capsys: Capture, flags: list[str], reason: str
) -> None:
    assert main([*start, *flags]) == 2
    assert reason in said(capsys)


def test_a_certificate_for_no_name(start: list[str], capsys: Capture, tmp_path: Path) -> None:
    pair = Pair(tmp_path / "cert.pem", tmp_path / "key.pem")
    PublicAuthority(tmp_path / "public").issue(pair, "*.example")
    assert main([*start, "--cert", str(pair.certificate), "--key", str(pair.key)]) == 2
    assert "is for no host name" in said(capsys)


def test_packages_that_are_missing(
    start: list[str], capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "find_spec", lambda name: None)
    assert main(start) == 2
    assert "home: needs the home packages (cryptography, ifaddr, zeroconf): pip install" in said(
        capsys
    )


def test_what_is_said_at_home() -> None:
    text = said_with_authority(HOUSE, names("192.168.1.20", "fd00::5"), None)
    assert text.startswith("Phones open http://192.168.1.20:8000/\n\n█")
    assert "The page behind the code, http://192.168.1.20:8000/trust, shows how a phone" in text
    assert "HTTPS: https://192.168.1.20:8443/ or https://referee.local:8443/\n" in text
    assert FINGERPRINT in text
    assert "expires" not in text
    assert "expires on 2036-11-20" in said_with_authority(
        HOUSE, names("192.168.1.20"), date(2036, 11, 20)
    )


def test_an_address_that_is_not_certified_is_not_promised() -> None:
    text = said_with_authority(HOUSE, names("203.0.113.5"), None)
    assert "Phones open http://203.0.113.5:8000/" in text
    assert "https://203.0.113.5" not in text
    assert "HTTPS: https://referee.local:8443/; its address 203.0.113.5 is no home" in text


def test_a_network_without_ipv4() -> None:
    text = said_with_authority(HOUSE, names("fd00::5"), None)
    assert "Phones open http://[fd00::5]:8000/" in text
    assert "HTTPS: https://[fd00::5]:8443/ or" in text


def test_no_network() -> None:
    assert said_with_authority(HOUSE, names(), None) == (
        "No phone reaches this machine: it is in no network. It serves on once it is in one."
    )


def test_with_a_domain_phones_go_there() -> None:
    home = Home(8000, 443, "game.example")
    text = said_with_domain(home, names("192.168.1.20"))
    assert text.startswith("Phones open https://game.example/, if game.example leads to this mach")
    assert "Without encryption: http://192.168.1.20:8000/" in text
    assert "Without" not in said_with_domain(home, names())
