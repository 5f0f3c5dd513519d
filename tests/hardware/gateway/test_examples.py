"""The example for a Raspberry Pi can be used as it says."""

import configparser
import re
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from hardware.camera.device import read_options
from hardware.cli import main
from hardware.commands.pairing import join
from hardware.gateway.config import Flags, load_config
from tests.hardware.gateway.fakes import HOST_TOKEN, FakeReferee

EXAMPLES = Path(__file__).parents[3] / "examples" / "table"


def test_the_configuration_is_paired_and_loaded(fake: FakeReferee, tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    shutil.copy(EXAMPLES / "raspberry-pi.toml", file)
    flags = ["--server", fake.url, "--table", "t1", "--token", HOST_TOKEN]
    assert main(["pair", *flags, "--config", str(file)]) == 0
    config = load_config(file, Flags(), {})
    assert (config.server.url, config.server.table) == (fake.url, "t1")
    (board,) = config.devices
    assert (board.name, board.backend, board.options) == ("Board", "serial-board", {"port": "auto"})
    assert board.token == "token-of-Board"
    assert config.warnings == ()
    assert "# What was seen and not delivered yet." in file.read_text()


def test_every_line_about_the_camera_in_its_page_is_understood() -> None:
    page = (EXAMPLES.parents[1] / "docs" / "camera.md").read_text(encoding="utf-8")
    section = page.partition("```toml\n[camera]\n")[2].partition("```")[0]
    lines = [re.sub(r"^# (?=\w+ = )", "", line) for line in section.splitlines()]
    known = [line.split(" = ")[0] for line in lines]
    assert {"source", "faces", "lock", "learn", "models"} <= set(known)
    text = "\n".join(["[camera]", *lines]).replace("…", "device-token")
    server = '[server]\nurl = "http://h"\ntable = "t1"\n'
    file = Path(tempfile.mkdtemp()) / "table.toml"
    file.write_text(server + text, encoding="utf-8")
    (camera,) = load_config(file, Flags(), {}).devices
    options = read_options(camera.options)
    assert options.faces == file.parent / "moomin.faces"
    assert options.lock is False


def test_the_service_may_use_cameras_and_does_not_spin() -> None:
    text = (EXAMPLES / "referee-table.service").read_text(encoding="utf-8")
    assert "DeviceAllow=char-video4linux rw" in text
    assert "SupplementaryGroups=dialout video" in text
    assert "PrivateDevices" not in text
    for unit in (text, join.TEXT):
        assert "RestartSteps=8" in unit
        assert "RestartMaxDelaySec=300" in unit


def test_the_service_may_ask_for_names_in_local() -> None:
    text = (EXAMPLES / "referee-table.service").read_text(encoding="utf-8")
    (families,) = re.findall("^RestrictAddressFamilies=(.*)$", text, re.MULTILINE)
    assert {"AF_INET", "AF_INET6", "AF_NETLINK"} <= set(families.split())


def test_systemd_understands_the_service(tmp_path: Path) -> None:
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("systemd is not installed")
    unit = tmp_path / "referee-table.service"
    text = (EXAMPLES / "referee-table.service").read_text(encoding="utf-8")
    unit.write_text(text.replace("/opt/referee-table/bin/referee-table", "/bin/true"))
    done = subprocess.run(
        [analyze, "verify", "--man=no", str(unit)], capture_output=True, text=True, check=False
    )
    said = [line for line in done.stderr.splitlines() if unit.name in line]
    # Older systemds do not know how to wait longer each time, and go on without.
    assert [line for line in said if "Restart" not in line] == [], done.stderr


def test_the_service_runs_it_and_may_write_where_it_has_to() -> None:
    unit = configparser.RawConfigParser(strict=False, allow_no_value=True)
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read(EXAMPLES / "referee-table.service")
    service = unit["Service"]
    command = shlex.split(service["ExecStart"])
    assert command[1:] == ["run", "--config", "/etc/referee-table/table.toml"]
    config = load_config(EXAMPLES / "raspberry-pi.toml", Flags(), {"REFEREE_TABLE_TOKEN": "any"})
    assert config.outbox.parent == Path("/var/lib") / service["StateDirectory"]
    assert config.status.parent == Path("/run") / service["RuntimeDirectory"]
    assert service["NoNewPrivileges"] == "yes"
    assert service["ProtectSystem"] == "strict"
