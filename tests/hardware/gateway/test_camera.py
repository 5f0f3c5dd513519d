"""A camera beside the board: configured, paired, run, shown and examined."""

import io
import tomllib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from hardware.backends import make_device
from hardware.board.discovery import PortReport
from hardware.camera import device
from hardware.camera.device import Camera, read_options
from hardware.camera.learn.learner import LearnOptions
from hardware.camera.reading import recognise as recognition
from hardware.camera.types import Detection
from hardware.commands.doctor.doctor import examine
from hardware.gateway.config import Config, ConfigError, DeviceConfig, Flags, load_config
from hardware.gateway.display import Log, render
from hardware.gateway.runner import Gateway
from tests.hardware.camera.piles import Plain, save_marked, write_film
from tests.hardware.conftest import Run
from tests.hardware.gateway.fakes import HOST_TOKEN, TOKEN, FakeReferee
from tests.waiting import until

SERVER = '[server]\nurl = "http://h"\ntable = "t1"\n'


def load(tmp_path: Path, text: str) -> Config:
    file = tmp_path / "table.toml"
    file.write_text(SERVER + text)
    file.chmod(0o600)
    return load_config(file, Flags(), {})


def test_the_section_camera(tmp_path: Path) -> None:
    config = load(
        tmp_path,
        '[camera]\nsource = "0"\nruleset = "power-grab"\nsetup = "camera.json"\ntoken = "c"\n'
        '[[devices]]\nname = "Board"\nbackend = "serial-board"\ntoken = "b"\n',
    )
    board, camera = config.devices
    assert (board.name, board.token) == ("Board", "b")
    assert (camera.name, camera.backend, camera.token) == ("Camera", "camera", "c")
    assert camera.options == {
        "source": "0",
        "ruleset": "power-grab",
        "setup": str(tmp_path / "camera.json"),
        "learnt": str(config.outbox.with_name("faces.sqlite3")),
        "table": "t1",
    }
    assert "token='c'" not in repr(camera)


@pytest.mark.parametrize(
    ("learn", "shared"), [("", False), ('learn = "deck"\n', True), ('learn = "off"\n', None)]
)
def test_faces_are_learnt_for_the_table_or_the_deck_or_not(
    tmp_path: Path, learn: str, shared: bool | None
) -> None:
    text = '[camera]\nruleset = "moomin"\ntoken = "c"\nfaces = "moomin.faces"\n'
    config = load(tmp_path, text + learn)
    options = read_options(config.devices[0].options)
    assert options.faces == tmp_path / "moomin.faces"
    wanted = LearnOptions(config.learnt, "t1", "moomin", shared=bool(shared))
    assert options.learn == (None if shared is None else wanted)


def test_without_a_deck_nothing_is_learnt(tmp_path: Path) -> None:
    config = load(tmp_path, '[camera]\ntoken = "c"\n')
    assert read_options(config.devices[0].options).learn is None
    with pytest.raises(ValueError, match="learn is one of table, deck, off"):
        read_options({"learn": "yes"})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[camera]\n", "camera.token is missing: 'Camera' needs a token"),
        ('[camera]\ntoken = "c"\nsource = 0\n', "camera.source must be a text in quotes"),
        ('[camera]\ntoken = "c"\nport = "0"\n', "camera.port is not known here; there are name"),
        ("camera = 3\n", "table.toml: server.camera is not known here"),
        (
            (
                '[camera]\ntoken = "c"\nname = "B"\n'
                '[[devices]]\nname = "B"\nbackend = "virtual-board"\ntoken = "b"\n'
            ),
            "camera.name 'B' is another device's already",
        ),
    ],
)
def test_what_is_wrong_names_the_key(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as error:
        load(tmp_path, text)
    assert said in str(error.value)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "table.toml"


@pytest.fixture
def pair(fake: FakeReferee, file: Path, run: Run) -> Run:
    given = ("--server", fake.url, "--table", "t1", "--token", HOST_TOKEN, "--config", file)
    return partial(run, "pair", *given, "--backend", "camera")


def test_pairing_writes_the_section(fake: FakeReferee, file: Path, pair: Run) -> None:
    file.write_text('# Ours.\n[[devices]]\nname = "Board"\nbackend = "virtual-board"\ntoken="b"\n')
    pair("--source", "1")
    ((_, body),) = fake.log
    assert body == {"name": "Camera", "kind": "camera"}
    written = tomllib.loads(file.read_text())
    assert written["camera"] == {
        "source": "1",
        "ruleset": "power-grab",
        "token": "token-of-Camera",
    }
    assert file.read_text().startswith("# Ours.")
    assert [one.name for one in load_config(file, Flags(), {}).devices] == ["Board", "Camera"]


def test_pairing_again_keeps_what_was_written_by_hand(file: Path, pair: Run) -> None:
    file.write_text(
        '[camera]  # over the table\nsource = "rtsp://10.0.0.9/live"\nsetup = "s.json"\n'
        'ruleset = "moomin"\ntoken_file = "old"\n[outbox]\npath = "box"\n'
    )
    pair()
    assert "# over the table" in file.read_text()
    assert tomllib.loads(file.read_text())["camera"] == {
        "source": "rtsp://10.0.0.9/live",
        "setup": "s.json",
        "ruleset": "power-grab",
        "token": "token-of-Camera",
    }


def test_a_second_camera_is_a_device_of_its_own(file: Path, pair: Run) -> None:
    pair()
    pair("--name", "Second", "--source", "2")
    written = tomllib.loads(file.read_text())
    assert written["camera"]["source"] == "0"
    assert written["devices"][0]["options"] == {"source": "2", "ruleset": "power-grab"}


def test_pairing_with_a_deck_that_no_camera_knows(fake: FakeReferee, file: Path, pair: Run) -> None:
    fake.ruleset = "toy-leap"
    assert "does not know the deck of this table" in pair().out
    assert "ruleset" not in tomllib.loads(file.read_text())["camera"]


def test_pairing_what_cannot_be(fake: FakeReferee, file: Path, pair: Run) -> None:
    said = pair("--source", "nowhere.avi", ends=2)
    assert "source: there is no file or folder nowhere.avi" in said.err
    said = pair("--backend", "serial-board", "--source", "0", ends=2)
    assert "--source is for a camera" in said.err
    assert not file.exists()
    assert not fake.log


@pytest.fixture
def watched(tmp_path: Path) -> dict[str, str]:
    """Options of a camera that shows a film of a marked pile."""
    clip, setup = tmp_path / "clip.avi", tmp_path / "camera.json"
    write_film(clip, ["red-7", "blue-3"])
    save_marked(setup, str(clip))
    return {"source": str(clip), "ruleset": "power-grab", "setup": str(setup)}


def plain(name: str, backend: str, options: dict[str, Any]) -> Any:
    if backend != "camera":
        return make_device(name, backend, options)
    return Camera(name, device.read_options(options), Plain())


Configured = Callable[..., Config]


@pytest.fixture
def configured(fake: FakeReferee, file: Path, watched: dict[str, str]) -> Configured:
    """A table with the camera that watches, some of its options changed, and a board."""

    def configured(**changes: Any) -> Config:
        options = {**watched, **changes}
        text = "".join(f'{key} = "{value}"\n' for key, value in options.items() if value)
        file.write_text(
            f'[server]\nurl = "{fake.url}"\ntable = "t1"\n[outbox]\npath = "outbox"\n'
            f'[camera]\ntoken = "{TOKEN}"\n{text}'
            f'[[devices]]\nname = "Board"\nbackend = "serial-board"\ntoken = "{TOKEN}"\n'
            '[devices.options]\nport = "no-port"\n'
        )
        file.chmod(0o600)
        return load_config(file, Flags(), {})

    return configured


def test_board_and_camera_run_side_by_side_and_the_lost_camera_stops_nothing(
    fake: FakeReferee, configured: Configured
) -> None:
    gateway = Gateway(configured(), plain)
    lines: list[str] = []
    log = Log(lines.append)
    gateway.start()
    try:
        until(lambda: log.update(gateway.document()) or len(fake.log) >= 4)
        bodies = [body for _, body in fake.log]
        assert [one.get("event", one.get("state")) for one in bodies] == [
            "watching",
            "found",
            "placed",
            "blind",
        ]
        assert bodies[2]["cards"] == {"blue-3": 0.97}
        assert all("at" in one for one in bodies)
        until(lambda: gateway.document()["devices"][1]["state"] == "gone")
        until(lambda: gateway.document()["devices"][1]["queue"]["delivered"] == 4)
        board, camera = gateway.document()["devices"]
        assert camera["detail"] == "the film has ended"
        # The board goes on looking for its port.
        assert "no-port" in board["detail"]
        shown = io.StringIO()
        Console(file=shown, width=140).print(render(gateway.document(), 0.0))
        assert "gone: the film has ended" in shown.getvalue()
        assert "pictures 68" in shown.getvalue()
    finally:
        gateway.stop()
    assert "Camera: on top: red-7" in lines


def no_ports(*_: object) -> list[PortReport]:
    return []


def told(config: Config, level: str) -> str:
    found = [one for one in examine(config, no_ports, 1.8e9) if one.about.startswith("Camera")]
    return "\n".join(
        f"{one.about}: {one.text} → {one.advice}" for one in found if one.level == level
    )


@pytest.fixture
def networks(monkeypatch: pytest.MonkeyPatch) -> list[Detection]:
    """No networks; every picture shows the cards in the list, at first none."""
    seen: list[Detection] = []
    monkeypatch.setattr(recognition.CardRecogniser, "recognise", lambda *_, **__: seen)
    monkeypatch.setattr("hardware.commands.doctor.check_devices.LOOK_SECONDS", 0.3)
    monkeypatch.setattr(recognition, "_check", lambda _: None)
    for part in ("Locator", "WholeCardReader", "CornerReader"):
        monkeypatch.setattr(recognition, part, lambda *_: None)
    return seen


@pytest.mark.usefixtures("networks")
def test_the_doctor_looks_through_it(fake: FakeReferee, configured: Configured) -> None:
    config = configured()
    assert "Camera: 640 × 360 pixels; the pile is seen" in told(config, "ok")
    fake.ruleset, fake.powers = "classic-108", []
    said = told(config, "problem")
    assert "it looks for the cards of power-grab, and the table plays classic-108" in said
    assert 'put ruleset = "classic-108"' in said


def test_the_doctor_sees_that_the_cards_are_of_another_deck(
    configured: Configured, networks: list[Detection]
) -> None:
    networks.append(Detection(np.zeros((4, 2)), {"red-1": 0.01}, strange={"wild-tales": 0.98}))
    text = told(configured(), "warning")
    assert "the cards that it sees look like moomin, not like power-grab → is the ruleset" in text


@pytest.mark.usefixtures("networks")
def test_the_doctor_finds_what_is_wrong_with_it(
    configured: Configured, tmp_path: Path, watched: dict[str, str]
) -> None:
    config = configured(ruleset=None, setup=tmp_path / "none.json")
    assert "it does not know the deck" in told(config, "warning")
    assert "where the pile lies is not found" in told(config, "problem")
    Path(watched["source"]).write_bytes(b"RIFF cut")
    assert "is not a readable picture or video" in told(config, "problem")
    absent = configured(source="/dev/video997", setup=None)
    assert "there is no camera /dev/video997" in told(absent, "problem")


def test_the_doctor_misses_the_networks(configured: Configured, tmp_path: Path) -> None:
    config = configured(models=tmp_path)
    assert "there is nothing to read cards with" in told(config, "problem")


@pytest.mark.usefixtures("networks")
def test_a_deck_without_powers_is_none_of_a_cameras_business(
    fake: FakeReferee, configured: Configured
) -> None:
    fake.ruleset, fake.powers = "classic-108", []
    config = configured(ruleset="classic-108")
    cameras = tuple(one for one in config.devices if one.backend == "camera")
    assert all(isinstance(camera, DeviceConfig) for camera in cameras)
    alone = Config(config.server, cameras, config.outbox, config.status)
    assert [one for one in examine(alone, no_ports, 1.8e9) if one.level == "problem"] == []
