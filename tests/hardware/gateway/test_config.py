"""The configuration: what it says, one sentence about each thing that is wrong, its changes."""

import errno
import os
import tomllib
from pathlib import Path
from typing import Any

import pytest

from hardware import paths
from hardware.gateway.config import Config, ConfigError, Flags, load_config
from hardware.gateway.config_edit import with_deck, without_backend
from hardware.paths import default_file
from tests.tables import tables

CASES = tables(__file__)

GOOD: str = CASES["good"]


def load(tmp_path: Path, text: str, flags: Flags | None = None, **environ: str) -> Config:
    (tmp_path / "ca.pem").touch()
    file = tmp_path / "table.toml"
    file.write_text(text)
    file.chmod(0o600)
    return load_config(file, flags or Flags(), environ)


def test_all_there_is(tmp_path: Path) -> None:
    config = load(tmp_path, GOOD)
    assert config.server.url == "https://referee.example"
    assert config.server.table == "t1"
    assert config.server.verify
    assert config.server.ca_file == tmp_path / "ca.pem"
    assert config.outbox == tmp_path / "box.sqlite3"
    assert config.status == Path("/run/referee-table/status.json")
    board, trial = config.devices
    assert (board.name, board.backend, board.token) == ("Board", "serial-board", "own")
    assert board.options == {"port": "/dev/ttyACM0", "seats": 6}
    assert trial.token == "shared"
    assert config.warnings == ()
    assert "own" not in repr(config)
    assert "shared" not in repr(config)


def test_where_things_are_when_nobody_says(tmp_path: Path) -> None:
    text = '[server]\nurl = "http://h"\ntable = "t"\n'
    config = load(tmp_path, text, XDG_STATE_HOME="/state")
    assert config.outbox == Path("/state/referee-table/outbox.sqlite3")
    assert config.status == Path("/state/referee-table/outbox.sqlite3.status.json")
    home = Path.home() / ".local/state/referee-table/outbox.sqlite3"
    assert load(tmp_path, text, XDG_STATE_HOME="not/absolute").outbox == home
    assert default_file({"XDG_CONFIG_HOME": "/c"}) == Path("/c/referee-table/table.toml")


def test_a_home_that_is_closed_is_no_obstacle_to_the_machine_s_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As for a service whose unit has ProtectHome: even to look into the home is denied."""
    file, stat = tmp_path / "table.toml", os.stat
    file.touch()

    def look(path: Any, **options: Any) -> os.stat_result:
        if Path(path).is_relative_to(tmp_path / "home"):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return stat(path, **options)

    monkeypatch.setattr(paths, "SYSTEM_FILE", file)
    monkeypatch.setattr(os, "stat", look)
    assert default_file({"XDG_CONFIG_HOME": str(tmp_path / "home")}) == file


def test_flags_come_first(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("flagged\n")
    (tmp_path / "token").chmod(0o600)
    flags = Flags(
        url="http://other:8000",
        table="t2",
        token_file=tmp_path / "token",
        outbox=Path("/o"),
        status=Path("/s"),
        port="auto",
    )
    config = load(tmp_path, GOOD, flags, REFEREE_TABLE_TOKEN="surrounding")
    assert (config.server.url, config.server.table) == ("http://other:8000", "t2")
    assert (config.outbox, config.status) == (Path("/o"), Path("/s"))
    assert [device.token for device in config.devices] == ["own", "flagged"]
    assert config.devices[0].options == {"port": "auto", "seats": 6}


def test_flags_alone_are_enough(tmp_path: Path) -> None:
    flags = Flags(url="http://h:1", table="t", port="/dev/ttyACM0")
    surroundings = {"REFEREE_TABLE_TOKEN": "it", "XDG_CONFIG_HOME": str(tmp_path)}
    config = load_config(None, flags, surroundings)
    (board,) = config.devices
    assert (board.name, board.backend, board.token) == ("Board", "serial-board", "it")
    assert board.options == {"port": "/dev/ttyACM0"}


def test_a_token_file(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("  from-file \n")
    (tmp_path / "secret").chmod(0o600)
    config = load(tmp_path, GOOD.replace('token = "own"', 'token_file = "secret"'))
    assert config.devices[0].token == "from-file"
    assert config.warnings == ()


def test_files_with_tokens_that_others_can_read_are_warned_of(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("x")
    secret.chmod(0o644)
    file = tmp_path / "open.toml"
    file.write_text(GOOD.replace('token = "own"', 'token_file = "secret"'))
    file.chmod(0o640)
    (tmp_path / "ca.pem").touch()
    config = load_config(file, Flags(), {})
    assert [warning.rpartition(": ")[2] for warning in config.warnings] == [
        f"chmod 600 {secret}",
        f"chmod 600 {file}",
    ]
    file.write_text(GOOD.replace('token = "own"', "").replace('token = "shared"', ""))
    (warned,) = load_config(file, Flags(token_file=secret), {}).warnings
    assert str(secret) in warned


def test_tls_without_a_check_is_warned_of(tmp_path: Path) -> None:
    config = load(tmp_path, GOOD.replace("[outbox]", "verify = false\n[outbox]"))
    assert not config.server.verify
    assert "verify is false" in config.warnings[0]


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    CASES["wrong"],
)
def test_what_is_wrong_is_one_sentence_that_names_the_key(
    tmp_path: Path, old: str, new: str, sentence: str
) -> None:
    assert old in GOOD
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, GOOD.replace(old, new))
    assert str(caught.value).startswith(str(tmp_path / "table.toml"))
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_devices_have_to_be_a_list(tmp_path: Path) -> None:
    text = '[server]\nurl = "http://h"\ntable = "t"\n[devices]\nname = "Board"\n'
    with pytest.raises(
        ConfigError, match=r"devices must be written as \[\[devices\]\], an entry each"
    ):
        load(tmp_path, text)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"none\.toml cannot be read: No such file"):
        load_config(tmp_path / "none.toml", Flags(), {})
    with pytest.raises(ConfigError, match=r"server\.url is missing"):
        load_config(None, Flags(), {"XDG_CONFIG_HOME": str(tmp_path)})


def test_a_port_needs_one_board(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="0 of the devices are one"):
        load(tmp_path, GOOD.replace("serial-board", "virtual-board"), Flags(port="auto"))


def test_a_token_is_never_part_of_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, GOOD.replace('"own"', '"very secret"'))
    assert "secret" not in str(caught.value)


# -- changed in place: another deck, a board that goes

CAMERA = '[camera]\n# On the shelf\nsource = "0"\nruleset = "classic-108"\n'
BOARD = '[[devices]]\nname = "Board"\nbackend = "board"\n'
SECOND = '[[devices]]\nname = "Second"\nbackend = "camera"\noptions = { ruleset = "classic-108" }\n'


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        (CAMERA, CAMERA.replace("108", "112")),
        (CAMERA + BOARD + SECOND, (CAMERA + BOARD + SECOND).replace("108", "112")),
        # What names no deck goes on naming none.
        ('[camera]\nsource = "0"\n' + BOARD, '[camera]\nsource = "0"\n' + BOARD),
        ("", ""),
    ],
)
def test_every_camera_that_names_a_deck_names_another(text: str, changed: str) -> None:
    assert with_deck(text, "classic-112") == changed


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (CAMERA + BOARD + SECOND, ["Second"]),
        (CAMERA + BOARD + BOARD.replace("Board", "Other"), None),
        (CAMERA, None),
    ],
)
def test_the_devices_of_a_backend_go(text: str, left: list[str] | None) -> None:
    changed = without_backend(text, "board")
    # Notes stay.
    assert "# On the shelf" in changed
    devices = tomllib.loads(changed).get("devices")
    assert left == (None if devices is None else [device["name"] for device in devices])


@pytest.mark.parametrize("change", [with_deck, without_backend])
def test_what_is_no_toml_is_left_alone(change: object) -> None:
    assert callable(change)
    with pytest.raises(ConfigError, match="no TOML"):
        change("[camera", "board")
