"""``referee-table watch``: its output for films, folders and cameras, and its exit status."""

import json
import queue
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.camera.source import Frame
from hardware.camera.track import PileEvent
from hardware.commands.camera import watch
from hardware.commands.camera.watch_show import line
from tests.hardware.camera.pictures import encoded, write_video
from tests.hardware.camera.piles import (
    PILE,
    RATE,
    Plain,
    film,
    lay,
    noisy,
    save_marked,
    table,
    write_film,
)
from tests.hardware.camera.source.played import PlayedCamera
from tests.hardware.conftest import Run


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setattr(watch, "recogniser_of", lambda *_: Plain())
    return tmp_path / "config" / "referee-table" / "camera.json"


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(write_film(tmp_path_factory.mktemp("film") / "clip.avi", ["red-7", "blue-3"]))


def test_a_film(clip: str, tmp_path: Path, run: Run) -> None:
    seen = tmp_path / "seen.jpg"
    said = run("watch", clip, "--pile", PILE, "--picture", seen)
    assert said.err == ""
    watched, found, placed, end = said.out.splitlines()
    assert watched == f"{clip}: the pile is watched"
    assert found == "0:00.00  found     red-7 97 %"
    assert placed.endswith("  placed    blue-3 97 %")
    assert end == "68 pictures in 2 s: 2 events told"
    drawn = cv2.imread(str(seen))
    assert drawn.shape == (360, 640, 3)
    assert list(tmp_path.glob(".seen*")) == []


def test_lines_of_json(clip: str, run: Run) -> None:
    lines = [
        json.loads(line) for line in run("watch", clip, "--pile", PILE, "--json").out.splitlines()
    ]
    assert {one["kind"] for one in lines} == {"camera", "pile", "status", "end"}
    events = [one for one in lines if one["kind"] == "pile"]
    assert [(event["number"], event["event"], event["card"]) for event in events] == [
        (1, "found", "red-7"),
        (2, "placed", "blue-3"),
    ]
    assert events[1]["cards"] == {"blue-3": 0.97}
    assert len(events[1]["corners"]) == 4
    assert lines[-1]["kind"] == "end"
    assert lines[-1]["frames"] == 68


def test_where_the_pile_lies_is_remembered(clip: str, home: Path, run: Run) -> None:
    save_marked(home, clip)
    assert "placed    blue-3" in run("watch", clip).out
    home.write_text("{}")
    assert "is not a camera setup" in run("watch", clip, ends=2).err


def test_without_a_mat_or_a_mark_it_says_what_to_do(tmp_path: Path, run: Run) -> None:
    clip = tmp_path / "bare.avi"
    rng = np.random.default_rng(1)
    bare = table(rng)
    write_video(clip, [noisy(bare, rng) for _ in range(round(4 * RATE))], RATE)
    said = run("watch", clip)
    assert f"{clip} has no saved setup: searching for the mat, or a card" in said.out
    assert "lay a card of the deck face up" in said.err
    assert f"'referee-table camera {clip}' shows why" in said.err


def test_a_folder_of_pictures(tmp_path: Path, run: Run) -> None:
    folder = tmp_path / "shots"
    folder.mkdir()
    for number, card in enumerate(("red-7", "green-5"), 1):
        picture = table(np.random.default_rng(1))
        lay(picture, card, 0.0)
        (folder / f"{number}.png").write_bytes(encoded(picture, ".png"))
    (folder / "3.jpg").write_bytes(b"\xff\xd8\xff\xe0 cut short")
    said = run("watch", folder, "--pile", PILE)
    assert "1.png  found     red-7 97 %" in said.out
    assert "2.png  found     green-5 97 %" in said.out
    assert "3.jpg" in said.err


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["nowhere.avi"], "there is no file or folder nowhere.avi"),
        (["{clip}", "--pile", "1,2,3"], "a pile is four numbers"),
        (["{clip}", "--pile", "600,300,100,200"], "which has 640 × 360 pixels"),
        (["{clip}", "--pile", PILE, "--picture", "/dev/null/seen.jpg"], "cannot be written"),
    ],
)
def test_what_is_not_understood(flags: list[str], said: str, clip: str, run: Run) -> None:
    assert said in run("watch", *(flag.format(clip=clip) for flag in flags), ends=2).err


def test_without_networks_there_is_one_sentence(
    clip: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.undo()
    assert (
        "there is nothing to read cards with"
        in run("watch", clip, "--models", tmp_path, ends=2).err
    )


class Plugged(PlayedCamera):
    """A scripted camera: each step is a picture, None for none in time, or its trouble."""

    def __init__(self) -> None:
        super().__init__()
        self.steps: queue.Queue[Frame | str | None] = queue.Queue()

    def read(self, timeout: float = 1.0) -> Frame | None:
        del timeout
        step = self.steps.get(timeout=120)
        if isinstance(step, KeyboardInterrupt):
            raise step
        self.trouble = step if isinstance(step, str) else None
        return step if isinstance(step, Frame) else None


@pytest.fixture
def camera(monkeypatch: pytest.MonkeyPatch) -> Iterator[Plugged]:
    one = Plugged()
    monkeypatch.setattr(watch, "open_source", lambda _: one)
    yield one
    assert one.closed.is_set()


def test_a_camera_that_is_unplugged_and_comes_back(
    camera: Plugged, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    now = 1000.0
    monkeypatch.setattr(watch, "monotonic", lambda: now + 60)
    for number, picture in enumerate(film(["red-7"])):
        camera.steps.put(Frame(picture, now + number / 30, number))
    for _ in range(3):
        camera.steps.put("camera 9 is unplugged; plug it in again")
    for number, picture in enumerate(film(["blue-3"], seed=1)):
        camera.steps.put(Frame(picture, now + 60 + number / 30, number))
    camera.steps.put(KeyboardInterrupt())
    said = run("watch", "9", "--pile", PILE, ends=130)
    assert said.err.splitlines() == ["referee-table watch: camera 9 is unplugged; plug it in again"]
    told = [line.split("  ", 1)[-1] for line in said.out.splitlines()]
    assert told == [
        "camera 9: the pile is watched",
        "found     red-7 97 %",
        "pictures come again",
        "camera 9: the pile is watched",
        "found     blue-3 97 %",
        "48 pictures in 61 s: 2 events told",
    ]


def test_a_camera_that_is_not_there_is_waited_for(camera: Plugged, run: Run) -> None:
    camera.steps.put("there is no camera /dev/video9; none is plugged in")
    camera.steps.put("there is no camera /dev/video9; none is plugged in")
    camera.steps.put(KeyboardInterrupt())
    said = run("watch", "9", ends=130)
    assert said.out == ""
    assert said.err.splitlines() == [
        "referee-table watch: there is no camera /dev/video9; none is plugged in"
    ]


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (PileEvent(1, "placed", 0.0, 0.1, {"red-7": 1.0}), "placed    red-7 99 %"),
        (
            PileEvent(1, "placed", 0.0, 0.1, {"red-6": 0.6, "red-9": 0.4}),
            "placed    red-6? 60 % (or red-9 40 %)",
        ),
        (
            PileEvent(1, "unsure", 0.0, 0.1, likelihoods={"placed": 0.5, "same": 0.5}),
            "unsure    a card laid or nothing but a card moved?",
        ),
        (PileEvent(1, "unread", 0.0, 0.1), "unread    something lies on top that cannot be read"),
        (PileEvent(1, "lifted", 0.0, 0.1), "lifted    what shows is not known"),
        (PileEvent(1, "lifted", 0.0, 0.1, {"red-7": 1.0}), "lifted    red-7 99 % shows again"),
        (PileEvent(1, "cleared", 0.0, 0.1), "cleared"),
    ],
)
def test_an_event_is_a_line(event: PileEvent, told: str) -> None:
    assert line(event) == told
