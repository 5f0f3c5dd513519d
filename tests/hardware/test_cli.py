"""``referee-table`` as a program of its own: what it says, and how it ends."""

import json
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hardware.cli import COMMANDS
from tests.hardware.conftest import Run
from tests.hardware.gateway.fakes import TOKEN, FakeReferee
from tests.waiting import until

COMMAND = [sys.executable, "-m", "hardware"]


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_each_command_explains_itself(command: str, run: Run) -> None:
    said = run(*filter(None, (command, "--help"))).out
    assert "referee-table" in said
    assert len(said.splitlines()) > 10


def test_without_a_command_some_are_named(run: Run) -> None:
    error = run(ends=2).err
    assert error == "referee-table: name a command, such as join or doctor (--help lists them)\n"


def test_what_is_not_understood(tmp_path: Path, run: Run) -> None:
    run("fly", ends=2)
    none = tmp_path / "none"
    assert run("run", "--config", none, ends=2).err == (
        f"referee-table run: {none} cannot be read: No such file or directory; "
        f"'referee-table join CODE' joins a table and writes {none}\n"
    )
    assert "no gateway is running here" in run("status", "--status-file", none, ends=1).err


def test_a_configuration_without_devices(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "table.toml"
    file.write_text('[server]\nurl = "http://h"\ntable = "t"\n')
    said = run("run", "--config", file, ends=2).err
    assert "there is no device: 'referee-table join CODE' joins a table" in said
    assert "or add [[devices]] or [camera] to the file" in said


def write_config(tmp_path: Path, fake: FakeReferee, port: str) -> Path:
    file = tmp_path / "table.toml"
    file.write_text(
        f'[server]\nurl = "{fake.url}"\ntable = "t1"\n[outbox]\npath = "outbox"\n'
        f'[[devices]]\nname = "Board"\nbackend = "serial-board"\ntoken = "{TOKEN}"\n'
        f"[devices.options]\n{port}\n"
    )
    file.chmod(0o600)
    return file


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)], ids=["term", "int"]
)
def test_it_runs_until_it_is_told_to_stop(
    fake: FakeReferee, tmp_path: Path, run: Run, number: signal.Signals, status: int
) -> None:
    file = write_config(tmp_path, fake, 'port = "no-port"')
    process = subprocess.Popen(
        [*COMMAND, "run", "--config", str(file)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    shown = tmp_path / "outbox.status.json"
    until(shown.exists)
    until(lambda: json.loads(shown.read_text())["server"]["state"] == "following")
    assert f"Referee at {fake.url}, table t1: answers" in run("status", "--config", file).out
    document = json.loads(run("status", "--json", "--config", file).out)
    assert document["pid"] == process.pid
    second = subprocess.run(
        [*COMMAND, "run", "--config", str(file)], capture_output=True, text=True, timeout=120
    )
    assert second.returncode == 1
    assert second.stderr == (
        f"referee-table run: another gateway uses the outbox {tmp_path / 'outbox'} "
        "('referee-table doctor' names its process); stop it, or give this one another "
        "outbox.path\n"
    )
    process.send_signal(number)
    said = process.stdout.read()
    assert process.wait(timeout=120) == status
    process.stdout.close()
    assert "server: answers\n" in said
    assert "Board: starting" in said
    assert TOKEN not in said
    assert not shown.exists()


def test_no_device_that_runs(fake: FakeReferee, tmp_path: Path) -> None:
    file = write_config(tmp_path, fake, "speed = 9600")
    run = subprocess.run(
        [*COMMAND, "run", "--config", str(file)], capture_output=True, text=True, timeout=120
    )
    assert run.returncode == 1
    first, second = run.stderr.splitlines()
    assert first.startswith("referee-table run: Board: there is no option 'speed'; there are port")
    assert second == "referee-table run: none of the devices runs; 'referee-table doctor' says more"


def test_help_names_no_command_that_is_not_there(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "hardware.commands.pairing.join", None)
    monkeypatch.setitem(sys.modules, "hardware.commands.doctor.doctor", None)
    there, _, epilog = run("--help").out.partition(
        "not here, as each needs the table packages: pip install '.[table]'"
    )
    assert not re.search(r"^ +(join|doctor)\b|referee-table join", there, re.MULTILINE)
    assert re.search(r"^ +run\b", there, re.MULTILINE)
    assert epilog.endswith(":\n  doctor, join\n")


@pytest.mark.parametrize(("name", "extra"), [("flash", "board"), ("watch", "table")])
def test_a_command_names_the_packages_that_it_needs(
    run: Run, monkeypatch: pytest.MonkeyPatch, name: str, extra: str
) -> None:
    monkeypatch.setitem(sys.modules, COMMANDS[name], None)
    assert f"referee-table {name}: needs the {extra} packages" in run(name, ends=2).err
