"""The example for a Raspberry Pi can be used as it says."""

import configparser
import shlex
import shutil
from pathlib import Path

from hardware.cli import main
from hardware.gateway.config import Flags, load_config
from tests.hardware.gateway.fakes import HOST_TOKEN, FakeReferee

EXAMPLES = Path(__file__).parents[3] / "examples" / "table"


def test_the_configuration_is_paired_and_loaded(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    shutil.copy(EXAMPLES / "raspberry-pi.toml", file)
    with FakeReferee() as fake:
        flags = ["--server", fake.url, "--table", "t1", "--token", HOST_TOKEN]
        assert main(["pair", *flags, "--config", str(file)]) == 0
    config = load_config(file, Flags(), {})
    assert (config.server.url, config.server.table) == (fake.url, "t1")
    (board,) = config.devices
    assert (board.name, board.backend, board.options) == ("Board", "serial-board", {"port": "auto"})
    assert board.token == "token-of-Board"
    assert config.warnings == ()
    assert "# What was seen and not delivered yet." in file.read_text()


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
