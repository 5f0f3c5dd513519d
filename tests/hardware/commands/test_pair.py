"""Pairing: the host's token goes in, the device's own comes out into the file."""

import tomllib
from functools import partial
from pathlib import Path

import pytest

from hardware.gateway.config import DeviceConfig, Flags, load_config
from hardware.gateway.config_edit import with_device
from hardware.gateway.fields import ConfigError
from tests.hardware.conftest import Run
from tests.hardware.gateway.fakes import HOST_TOKEN, TOKEN, FakeReferee, Fault
from tests.tables import tables

BOARD = DeviceConfig("Board", "serial-board", {"port": "auto"}, "new-token")
CASES = tables(__file__)
COMMENTED: str = CASES["commented"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "new" / "table.toml"


@pytest.fixture
def pair(fake: FakeReferee, file: Path, run: Run) -> Run:
    given = ("--server", fake.url, "--table", "t1", "--token", HOST_TOKEN)
    return partial(run, "pair", *given, "--config", file)


def test_it_writes_what_the_gateway_can_run_with(fake: FakeReferee, file: Path, pair: Run) -> None:
    fake.faults = [Fault("lost"), Fault(status=503)]
    said = pair()
    ((key, body),) = dict(fake.log).items()
    assert len(key) > 16
    assert body == {"name": "Board", "kind": "board"}
    assert file.stat().st_mode & 0o777 == 0o600
    config = load_config(file, Flags(), {})
    assert config.server.table == "t1"
    assert config.warnings == ()
    (board,) = config.devices
    assert (board.name, board.backend) == ("Board", "serial-board")
    assert (board.token, board.options) == ("token-of-Board", {"port": "auto"})
    assert HOST_TOKEN not in file.read_text() + said.out + said.err
    assert board.token not in said.out + said.err
    assert "'Board' is registered at table t1" in said.out


def test_a_second_device_is_added(file: Path, pair: Run) -> None:
    pair()
    pair("--name", "Tröst", "--backend", "virtual-board")
    devices = load_config(file, Flags(), {}).devices
    assert [(device.name, device.token) for device in devices] == [
        ("Board", "token-of-Board"),
        ("Tröst", "token-of-Trst"),
    ]
    assert devices[1].options == {}


def test_all_else_in_the_file_stays() -> None:
    text = with_device(COMMENTED, "http://new", "t9", BOARD)
    read = tomllib.loads(text)
    assert read["server"] == {"url": "http://new", "table": "t9", "verify": True}
    assert read["devices"][0] == tomllib.loads(COMMENTED)["devices"][0]
    assert read["devices"][1] == {
        "backend": "serial-board",
        "name": "Board",
        "token": "new-token",
        "options": {"port": "/dev/referee-board"},
    }
    assert read["outbox"] == {"path": "box"}
    for comment in ("# The table in the kitchen.", "# where", "# The board.", "# by udev"):
        assert comment in text
    assert with_device(text, "http://new", "t9", BOARD) == text


@pytest.mark.parametrize("text", CASES["otherwise"])
def test_however_it_is_written(text: str) -> None:
    changed = with_device(text, "http://new", "t9", BOARD)
    read, before = tomllib.loads(changed), tomllib.loads(text)
    assert (read["server"]["url"], read["server"]["table"]) == ("http://new", "t9")
    assert (read["devices"][-1]["name"], read["devices"][-1]["token"]) == ("Board", "new-token")
    assert {**read, "server": 0, "devices": 0} == {**before, "server": 0, "devices": 0}
    assert with_device(changed, "http://new", "t9", BOARD) == changed


@pytest.mark.parametrize(
    "text", ["[server\n", "server = 3\n", "devices = 3\n", 'devices = [{name = "Other"}]\n']
)
def test_a_file_it_cannot_change_is_left_alone(
    fake: FakeReferee, file: Path, text: str, pair: Run
) -> None:
    with pytest.raises(ConfigError):
        with_device(text, "http://new", "t9", BOARD)
    file.parent.mkdir()
    file.write_text(text)
    assert pair(ends=2).err.count("\n") == 1
    assert fake.posts == 0
    assert file.read_text() == text


def test_who_is_no_host_changes_nothing(fake: FakeReferee, file: Path, pair: Run) -> None:
    assert "not the token of the table's host" in pair("--token", TOKEN, ends=1).err
    assert "the host's token is not accepted" in pair("--token", "void", ends=1).err
    fake.faults = [Fault(status=404, page=True)]
    assert "no referee; is --server right?" in pair(ends=1).err
    assert not file.exists()


def test_a_server_that_is_not_there(pair: Run) -> None:
    gone = FakeReferee()
    gone.start()
    gone.stop()
    assert "nothing listens there" in pair("--server", gone.url, ends=1).err


def test_the_token_from_a_file_or_from_standard_input(
    fake: FakeReferee, file: Path, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    secret = tmp_path / "host"
    secret.write_text(HOST_TOKEN + "\n")
    given = ("pair", "--server", fake.url, "--table", "t1", "--config", file)
    run(*given, "--token-file", secret)
    with secret.open() as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        run(*given, "--name", "Second")
    assert len(load_config(file, Flags(), {}).devices) == 2


def test_a_folder_that_cannot_be_written(fake: FakeReferee, pair: Run, tmp_path: Path) -> None:
    # A file where a folder should be: root, who may write anywhere, cannot write there either.
    (tmp_path / "folder").touch()
    pair("--config", tmp_path / "folder" / "table.toml", ends=2)
    assert fake.posts == 0


def test_a_wrong_address_is_said_before_anything_is_asked(pair: Run) -> None:
    assert "is no address such as" in pair("--server", "somewhere", ends=2).err
