"""The address for other phones when the host's browser only knows localhost."""

import socket
from pathlib import Path

import pytest

from referee.web import address
from referee.web.address import is_loopback, listens, own_address, reachable_origin


@pytest.fixture
def at_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine with a network address and a server listening on all interfaces."""
    monkeypatch.setattr(address, "own_address", lambda: "192.168.1.20")
    monkeypatch.setattr(address, "listens", lambda *_: True)
    monkeypatch.setattr(address, "CONTAINER_MARKS", (tmp_path / "none",))


@pytest.mark.usefixtures("at_home")
@pytest.mark.parametrize(
    ("scheme", "host", "origin"),
    [
        ("http", "127.0.0.1:8000", "http://192.168.1.20:8000/"),
        ("http", "localhost:8000", "http://192.168.1.20:8000/"),
        ("http", "LOCALHOST", "http://192.168.1.20:8000/"),
        ("http", "[::1]:8000", "http://192.168.1.20:8000/"),
        ("http", "192.168.1.5:8000", "http://192.168.1.5:8000/"),
        ("https", "referee.example", "https://referee.example/"),
        ("http", "[fd00::5]:8000", "http://[fd00::5]:8000/"),
        ("http", "[fd00::5]", "http://[fd00::5]/"),
    ],
)
def test_what_the_host_sees_becomes_what_others_reach(scheme: str, host: str, origin: str) -> None:
    assert reachable_origin(scheme, host, 8000) == origin


@pytest.mark.usefixtures("at_home")
def test_nobody_is_sent_where_nobody_answers(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(address, "listens", lambda *_: False)
    assert reachable_origin("http", "127.0.0.1:8000", 8000) is None
    monkeypatch.setattr(address, "listens", lambda *_: True)
    monkeypatch.setattr(address, "own_address", lambda: None)
    assert reachable_origin("http", "127.0.0.1:8000", 8000) is None
    monkeypatch.setattr(address, "own_address", lambda: "172.17.0.2")
    monkeypatch.setattr(address, "CONTAINER_MARKS", (tmp_path / "none", tmp_path))
    assert reachable_origin("http", "127.0.0.1:8000", 8000) is None


def test_docker_and_podman_are_known(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert list(map(str, address.CONTAINER_MARKS)) == ["/.dockerenv", "/run/.containerenv"]
    marks = (tmp_path / "docker", tmp_path / "podman")
    monkeypatch.setattr(address, "CONTAINER_MARKS", marks)
    monkeypatch.setattr(address, "own_address", lambda: "172.17.0.2")
    assert address.address_for_phones() == "172.17.0.2"
    for mark in marks:
        mark.touch()
        assert address.address_for_phones() is None
        mark.unlink()


def test_whether_somebody_listens_is_tried() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        assert listens("127.0.0.1", port)
    assert not listens("127.0.0.1", port)


def test_the_machines_own_address_is_none_that_only_it_reaches() -> None:
    found = own_address()
    assert found is None or not is_loopback(found)


@pytest.mark.parametrize(
    ("name", "local"),
    [
        *((name, True) for name in ("127.0.0.1", "127.9.9.9", "[::1]", "localhost", "0.0.0.0")),
        *((name, False) for name in ("192.168.1.5", "localhost.example", "", "table")),
    ],
)
def test_which_names_mean_the_machine_itself(name: str, local: bool) -> None:
    assert is_loopback(name) is local
