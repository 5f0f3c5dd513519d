"""``referee serve``: what it says when it cannot serve, and that it stops when told to."""

import os
import signal
import socket
from pathlib import Path

import pytest
import requests

from referee.cli import main
from referee.commands import server
from referee.commands.server import CAN_PIN
from tests.e2e.server import PATIENCE, Server
from tests.store.test_unusable import overwrite

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def database(tmp_path: Path) -> str:
    return str(tmp_path / "tables.sqlite3")


def said(capsys: Capture) -> str:
    error = capsys.readouterr().err
    assert error.startswith("referee serve: ")
    assert error.count("\n") == 1
    return error


def test_where_the_port_is_taken_no_database_is_made(
    database: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.commands.table.can_watch", lambda: True)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        for command in ("serve", "home", "table"):
            assert main([command, "--port", str(port), "--database", database]) == 2
            error = capsys.readouterr().err
            assert error.startswith(f"referee {command}: cannot listen on ")
            assert error.endswith(f"{port}: Address already in use; --port takes another one\n")
    assert list(Path(database).parent.iterdir()) == []


def test_what_referee_table_starts_complains_in_its_name(database: str, capsys: Capture) -> None:
    called = ["--port", "70000", "--database", database, "--called", "table"]
    for command in ("serve", "home"):
        assert main([command, *called]) == 2
        assert capsys.readouterr().err.startswith("referee table: --port must be")


@pytest.mark.parametrize(
    ("flags", "reason"),
    [
        (["--port", "70000"], "--port must be from 1 to 65535, or 0 for any free port\n"),
        (["--port", "-1"], "--port must be from 1 to 65535"),
        (["--streams", "0"], "--streams must be at least 1"),
        (["--workers", "0"], "--workers must be at least 1"),
        (["--workers", "2"], "2 workers need PostgreSQL"),
        (["--database", "nothing://here"], "cannot be opened"),
        (
            ["--variants", "nowhere"],
            "nowhere does not contain a ruleset: there is no such folder\n",
        ),
    ],
)
def test_flags_that_do_not_work(
    database: str, capsys: Capture, flags: list[str], reason: str
) -> None:
    assert main(["serve", "--port", "0", "--database", database, *flags]) == 2
    assert reason in said(capsys)


def test_a_database_that_cannot_be_made_says_how_to_name_another(
    tmp_path: Path, capsys: Capture
) -> None:
    (tmp_path / "file").write_text("")
    assert main(["serve", "--port", "0", "--database", str(tmp_path / "file" / "db")]) == 2
    assert said(capsys).endswith("; --database, or REFEREE_DATABASE, names another place.\n")


def cores_of_workers(server: Server) -> list[int]:
    return [len(os.sched_getaffinity(worker)) for worker in server.workers()]


@pytest.mark.skipif(not CAN_PIN, reason="this system keeps no process on a core")
def test_a_pinned_process_stays_on_one_core(tmp_path: Path) -> None:
    with Server(tmp_path / "pinned.sqlite3", "--pin") as server:
        assert cores_of_workers(server) == [1]


def test_where_a_process_cannot_be_kept_on_a_core(
    database: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.commands.serve.CAN_PIN", False)
    assert main(["serve", "--port", "0", "--database", database, "--pin"]) == 2
    assert "this system cannot keep a process on one core" in said(capsys)


def test_a_bad_environment(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setenv("REFEREE_MOST_STREAMS", "many")
    assert main(["serve"]) == 2
    assert capsys.readouterr().err.startswith("referee: REFEREE_MOST_STREAMS must be a whole")


def test_a_database_that_is_damaged(database: str, capsys: Capture) -> None:
    overwrite(database, "webhooks")
    assert main(["serve", "--port", "0", "--database", database]) == 2
    assert "is damaged (database disk image is malformed): 'referee admin restore'" in said(capsys)


def test_a_second_server_on_the_same_database(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "shared.sqlite3"
    with Server(path) as server:
        assert cores_of_workers(server) == [len(os.sched_getaffinity(0))]
        assert main(["serve", "--port", "0", "--database", str(path)]) == 2
        assert "Another server is using" in said(capsys)
        assert server.process is not None
        page = requests.get(f"{server.url}/docs/", timeout=PATIENCE)
        assert "swagger-ui" in page.text
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(timeout=PATIENCE) == 0


def test_phones_are_told_where_to_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "address_for_phones", lambda: "192.168.1.20")
    assert server.for_phones("0.0.0.0", 8000) == "Phones open http://192.168.1.20:8000"
    assert server.for_phones("192.168.1.7", 80) == "Phones open http://192.168.1.7:80"
    assert "--host 0.0.0.0" in server.for_phones("127.0.0.1", 8000)
    monkeypatch.setattr(server, "address_for_phones", lambda: None)
    anywhere = "Phones open http://ADDRESS-OF-THIS-COMPUTER:8000"
    for contained, more in ((False, ""), (True, ", if the container publishes port 8000")):
        monkeypatch.setattr(server, "in_container", lambda contained=contained: contained)
        assert server.for_phones("::", 8000) == anywhere + more


def test_a_phone_scans_the_address_in_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    cv2 = pytest.importorskip("cv2", reason="the table extra is not installed")
    np = pytest.importorskip("numpy", reason="the table extra is not installed")
    monkeypatch.setattr(server, "address_for_phones", lambda: "192.168.1.20")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    drawn = server.drawn_for_phones("0.0.0.0", 8000)
    lines = [
        line.removeprefix(server.WHITE_ON_BLACK).removesuffix(server.USUAL_COLORS)
        for line in drawn.strip("\n").splitlines()
    ]
    light = [[(c in "█▀", c in "█▄") for c in line] for line in lines]
    rows = [[255 * cell[half] for cell in line] for line in light for half in (0, 1)]
    modules = np.array(rows, dtype=np.uint8)
    picture = cv2.resize(modules, None, fx=8, fy=8, interpolation=cv2.INTER_NEAREST)
    assert cv2.QRCodeDetector().detectAndDecode(picture)[0] == "http://192.168.1.20:8000"
    monkeypatch.setattr(server, "address_for_phones", lambda: None)
    assert server.drawn_for_phones("0.0.0.0", 8000) == ""
