"""The doctor: each thing that can be wrong is found, and said with what to do."""

import errno
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from hardware.board.discovery import PortReport, PortState
from hardware.board.wire.messages import STANDS, TOWERS, Hello
from hardware.check_findings import Finding
from hardware.commands.doctor.check_devices import ADVICE
from hardware.commands.doctor.doctor import examine
from hardware.gateway.config import Config, DeviceConfig, ServerConfig
from hardware.gateway.posting.outbox import Outbox
from hardware.gateway.status import FORMAT, StatusFile
from hardware.times import utc
from tests.hardware.conftest import Run
from tests.hardware.gateway.fakes import TOKEN, FakeReferee, Fault, seen
from tests.tables import tables

NOW = 1_800_000_000.0
BOARD_ID = bytes(range(8))


def test_a_port_alone_needs_no_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    ports = Ports(board())
    monkeypatch.setattr("hardware.commands.doctor.doctor.probe_all", ports)
    assert "board 0001, firmware 1.0.0" in run("doctor", "--port", "/dev/ttyACM0").out
    assert ports.asked == [(["/dev/ttyACM0"], 0, 0)]
    ports.reports = [PortReport("/dev/ttyACM0", PortState.SILENT, "nothing answers")]
    assert ADVICE[PortState.SILENT] in run("doctor", "--port", "/dev/ttyACM0", ends=1).out
    # With a configuration, or a server, all of it is looked at.
    said = run("doctor", "--port", "/dev/ttyACM0", "--server", "http://h", ends=1).out
    assert "server.table is missing" in said
    (tmp_path / "referee-table").mkdir()
    (tmp_path / "referee-table" / "table.toml").write_text("[server]\n")
    assert "server.url is missing" in run("doctor", "--port", "/dev/ttyACM0", ends=1).out


def test_without_a_configuration_the_ports_are_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    ports = Ports(board())
    monkeypatch.setattr("hardware.commands.doctor.doctor.probe_all", ports)
    assert "board 0001, firmware 1.0.0" in run("doctor").out
    assert ports.asked == [(None, 0, 0)]
    ports.reports = []
    assert "this computer has no serial port" in run("doctor", ends=1).out


class Ports:
    """What a search for boards would find."""

    def __init__(self, *reports: PortReport) -> None:
        self.reports = list(reports)
        self.asked: list[tuple[Sequence[str] | None, int, int]] = []

    def __call__(self, named: Sequence[str] | None, boot: int, last_seq: int) -> list[PortReport]:
        self.asked.append((named, boot, last_seq))
        return self.reports


def hello(set_: int = TOWERS, seats: int = 6) -> Hello:
    return Hello(BOARD_ID, 1, (1, 0, 0), set_, seats, 3, 1)


def board(**more: int) -> PortReport:
    return PortReport("/dev/ttyACM0", PortState.BOARD, "board 0001, firmware 1.0.0", hello(**more))


@pytest.fixture
def fake(fake: FakeReferee) -> FakeReferee:
    fake.skew = NOW - time.time()
    return fake


def configured(fake: FakeReferee, tmp_path: Path, options: dict[str, Any] | None = None) -> Config:
    device = DeviceConfig("Board", "serial-board", options or {}, TOKEN)
    return Config(ServerConfig(fake.url, "t1"), (device,), tmp_path / "outbox", tmp_path / "status")


def told(findings: Sequence[Finding], level: str) -> str:
    return "\n".join(
        f"{finding.about}: {finding.text} → {finding.advice}"
        for finding in findings
        if finding.level == level
    )


def look(config: Config, ports: Ports, now: float = NOW) -> list[Finding]:
    return list(examine(config, ports, now))


def test_all_is_well(fake: FakeReferee, tmp_path: Path) -> None:
    found = look(configured(fake, tmp_path), Ports(board()))
    assert {one.level for one in found} == {"ok"}
    text = told(found, "ok")
    for words in (
        "configuration: flags: Board (serial-board)",
        "gateway: is not running",
        "outbox: ",
        ", release 9.9",
        "clock: agrees with the server's",
        "table: power-grab, 3 seats",
        "Board: token: is accepted",
        "deck: power-grab has U, N, O, !",
        "Board: /dev/ttyACM0: board 0001",
    ):
        assert words in text
    assert not fake.log


def test_no_server(tmp_path: Path) -> None:
    fake = FakeReferee()
    fake.start()
    fake.stop()
    found = look(configured(fake, tmp_path), Ports(board()))
    assert "nothing listens there → is server.url right" in told(found, "problem")
    assert "Board: /dev/ttyACM0" in told(found, "ok")


def test_a_clock_that_is_wrong(fake: FakeReferee, tmp_path: Path) -> None:
    fake.skew += 7200
    text = told(look(configured(fake, tmp_path), Ports(board())), "warning")
    assert "clock: this computer's clock is 2 h behind the server's → let the network set" in text


READER = Fault(status=403, detail="Observations come from devices only.")


@pytest.mark.parametrize(
    ("server", "ports", "said"),
    [
        ({"tokens": set()}, [board()], "Board: token: The token is unknown. → join again with"),
        ({"faults": [READER]}, [board()], "may read, but not tell what a device sees: Observat"),
        (
            {"ruleset": "classic-108", "powers": []},
            [board()],
            "deck: classic-108 has neither towers nor powers",
        ),
        ({}, [board(set_=STANDS)], "the board has stands (red, blue, green, yellow), and power-"),
        ({}, [board(seats=2)], "Board: the table has 3 seats, and the board places for 2"),
        ({}, [], "Board: this computer has no serial port → plug the board in"),
        ({"options": {"prt": "x"}}, [board()], "Board: there is no option 'prt'; there are port"),
        ({"options": {"board": "ff" * 8}}, [board()], "not ffffffffffffffff → correct board"),
    ],
    ids=[
        *("unknown token", "reader", "deck without powers", "other set", "few places", "no port"),
        *("unknown option", "another board"),
    ],
)
def test_a_problem_is_told(
    fake: FakeReferee, tmp_path: Path, server: dict[str, Any], ports: list[PortReport], said: str
) -> None:
    for name, value in server.items():
        setattr(fake, name, value)
    config = configured(fake, tmp_path, server.get("options"))
    assert said in told(look(config, Ports(*ports)), "problem")


@pytest.mark.parametrize(("finding", "advice"), tables(__file__)["advice"].items())
def test_each_trouble_with_a_port_has_its_advice(
    fake: FakeReferee, tmp_path: Path, finding: str, advice: str
) -> None:
    ports = Ports(PortReport("/dev/ttyACM0", PortState[finding], "as it is"))
    text = told(look(configured(fake, tmp_path), ports), "problem")
    assert text.startswith("Board: /dev/ttyACM0: as it is → ")
    assert advice in text


def test_every_finding_has_its_advice() -> None:
    assert set(ADVICE) == set(PortState) - {PortState.BOARD}


CLOSED = PortReport(
    "/dev/ttyUSB0", PortState.CLOSED, "not opened, since it is another's (1a86:7523)"
)


def test_a_port_of_something_else_is_named_and_left_closed(
    fake: FakeReferee, tmp_path: Path
) -> None:
    findings = look(configured(fake, tmp_path), Ports(CLOSED))
    assert "no serial port has the USB identity of a board → plug" in told(findings, "problem")
    text = told(findings, "warning")
    assert "/dev/ttyUSB0: not opened" in text
    assert "--port /dev/ttyUSB0" in text
    findings = look(configured(fake, tmp_path), Ports(board(), CLOSED))
    assert not told(findings, "problem")
    assert "/dev/ttyUSB0: not opened" in told(findings, "ok")


def test_other_ports_do_not_matter_once_a_board_is_found(fake: FakeReferee, tmp_path: Path) -> None:
    silent = PortReport("/dev/ttyS0", PortState.SILENT, "nothing answers")
    assert not told(look(configured(fake, tmp_path), Ports(silent, board())), "problem")


def test_two_boards_are_one_too_many(fake: FakeReferee, tmp_path: Path) -> None:
    text = told(look(configured(fake, tmp_path), Ports(board(), board())), "warning")
    assert "2 boards are there" in text


def test_a_board_is_greeted_with_what_the_gateway_remembers_of_it(
    fake: FakeReferee, tmp_path: Path
) -> None:
    """Otherwise it would forget what it has not told yet."""
    config = configured(fake, tmp_path, {"port": "/dev/ttyACM0"})
    box = Outbox(config.outbox, "t1")
    box.open()
    box.put("Board", [], {"boot": 77, "seq": 12})
    box.close()
    ports = Ports(board())
    look(config, ports)
    assert ports.asked == [(["/dev/ttyACM0"], 77, 12)]


def test_a_running_gateway_is_asked_and_its_ports_left_alone(
    fake: FakeReferee, tmp_path: Path
) -> None:
    config = configured(fake, tmp_path)
    running = {
        "format": FORMAT,
        "at": utc(NOW),
        "pid": 7,
        "outbox": {"problem": "the disk is full"},
        "devices": [{"name": "Board", "state": "online", "detail": "x", "positions": {"red": 1}}],
    }
    StatusFile(config.status).write(running)
    ports = Ports()
    found = look(config, ports)
    kept = "outbox: the gateway can keep nothing: the disk is full → make room"
    assert kept in told(found, "problem")
    assert "Board: in use by the running gateway; online: x" in told(found, "ok")
    assert "the board has powers (red), and power-grab" in told(found, "problem")
    running["devices"] = [{"name": "Board", "state": "gone", "detail": "y", "positions": {}}]
    StatusFile(config.status).write(running)
    assert "gone: y → stop the gateway" in told(look(config, ports), "problem")
    assert ports.asked == []


def test_the_outbox(fake: FakeReferee, tmp_path: Path) -> None:
    config = configured(fake, tmp_path)
    for table, count in (("t1", 2), ("t0", 3)):
        box = Outbox(config.outbox, table, clock=lambda: NOW - 600)
        box.open()
        box.put("Board", [seen(1)] * count, {})
        if table == "t1":
            waiting = box.next("Board")
            assert waiting is not None
            box.set_aside(waiting, "bad")
        box.close()
    text = told(look(config, Ports(board())), "warning")
    for words in (
        "Board: 1 set aside, which the server did not take → 'referee-table status'",
        "Board: 1 waiting, the oldest for 10 min → run the gateway",
        "Board: 3 waiting for table t0, which nobody delivers now",
    ):
        assert words in text
    config.outbox.write_bytes(b"damaged " * 1000)
    text = told(look(config, Ports(board())), "problem")
    assert "cannot be used: file is not a database" in text


def test_a_full_disk(fake: FakeReferee, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = configured(fake, tmp_path)
    box = Outbox(config.outbox, "t1")
    box.open()
    text = told(look(config, Ports(board())), "problem")
    assert "gateway: a gateway runs, but it cannot write its status" in text
    box.close()

    def full(**_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("hardware.commands.doctor.doctor.tempfile.TemporaryFile", full)
    text = told(look(config, Ports(board())), "problem")
    assert f"nothing can be kept in {tmp_path}: No space left on device → make room" in text


def test_on_the_command_line(fake: FakeReferee, tmp_path: Path, run: Run) -> None:
    token = tmp_path / "token"
    token.write_text(TOKEN)
    token.chmod(0o644)
    flags = ["--server", fake.url, "--table", "t1", "--token-file", str(token)]
    flags += ["--outbox", str(tmp_path / "o"), "--port", str(tmp_path / "no-port")]
    lines = run("doctor", *flags, ends=1).out.splitlines()
    assert f"warning configuration: {token} holds a token and others may read it" in lines
    assert f"        → chmod 600 {token}" in lines
    assert any(line.startswith("problem Board: ") and "no-port" in line for line in lines)
    document = json.loads(run("doctor", "--json", *flags, ends=1).out)
    assert document["ok"] is False
    assert {finding["level"] for finding in document["findings"]} == {"ok", "warning", "problem"}
    assert "problem configuration: " in run("doctor", "--config", tmp_path / "none", ends=1).out
