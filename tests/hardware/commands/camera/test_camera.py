"""``referee-table camera``: its output, saved setup and exit status."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from itertools import cycle
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.camera.setup.storage import load_setup
from hardware.camera.source import Frame
from hardware.commands.camera import camera
from tests.hardware.camera.pictures import encoded
from tests.hardware.camera.setup.scenes import Shot
from tests.hardware.camera.source.http_camera import Handler
from tests.hardware.camera.source.http_camera import camera as http_camera
from tests.hardware.camera.source.played import PlayedCamera
from tests.hardware.conftest import Run
from tests.tables import tables
from tests.waiting import until

SHOT = Shot(cards=4, distance=500)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    return tmp_path / "config" / "referee-table" / "camera.json"


def shot_file(folder: Path, shot: Shot = SHOT, name: str = "shot.png") -> str:
    file = folder / name
    file.write_bytes(encoded(shot.take(), ".png"))
    return str(file)


def test_a_good_picture(tmp_path: Path, home: Path, run: Run) -> None:
    preview = tmp_path / "seen.jpg"
    file = shot_file(tmp_path)
    said = run("camera", file, "--once", "--preview", preview)
    assert said.err == ""
    assert said.out.splitlines()[0] == f"saved in {home}"
    assert "still; mat A4: 8 of 8 squares" in said.out
    assert "OK      camera: the pile is clearly visible" in said.out
    drawn = cv2.imread(str(preview))
    assert drawn.shape == (720, 1280, 3)
    orange = (np.abs(drawn.astype(int) - (0, 160, 255)).max(axis=2) < 60).sum()
    assert orange > 1000
    setup = load_setup(home)
    assert setup.source == file
    assert np.abs(setup.view.place("discard") - SHOT.view.place("discard")).max() < 0.5


def test_json(tmp_path: Path, run: Run) -> None:
    document = json.loads(run("camera", shot_file(tmp_path), "--once", "--json").out)
    assert document["ready"] is True
    assert document["findings"][0]["level"] == "ok"
    bad = shot_file(tmp_path, SHOT.changed(paper=None), "none.png")
    document = json.loads(run("camera", bad, "--once", "--json", ends=1).out)
    assert document["ready"] is False
    assert document["pile"] is None
    assert "no mat is visible" in [finding["text"] for finding in document["findings"]]


def test_a_folder_with_a_bump(tmp_path: Path, run: Run) -> None:
    folder = tmp_path / "shots"
    folder.mkdir()
    for number in range(6):
        shot = SHOT.changed(seed=number, aside=(25.0, 0.0) if number >= 3 else (0.0, 0.0))
        shot_file(folder, shot, f"{number}.png")
    said = run("camera", folder).out.splitlines()
    assert said[1:] == [
        "OK      camera: the pile is clearly visible",
        "warning camera: the camera or the mat is moving",
        "        → fasten the camera",
        next(line for line in said if line.startswith("the camera or the mat was moved; the pile")),
        "OK      camera: the pile is clearly visible",
    ]
    lines = [json.loads(line) for line in run("camera", folder, "--mat", "--json").out.splitlines()]
    assert [line["moved_by"] > 20 for line in lines].count(True) == 1


def test_what_was_set_up_is_taken_again(tmp_path: Path, home: Path, run: Run) -> None:
    bare = Shot(paper=None, cards=4, tilt=30, distance=600)
    file = shot_file(tmp_path, bare)
    (x0, y0), (x1, y1) = (bare.view.place("discard")[[0, 2]]).round().tolist()
    pile = f"{x0},{y0},{x1 - x0},{y1 - y0}"
    run("camera", file, "--once", ends=1)  # there is no mat
    run("camera", file, "--once", "--pile", pile)
    assert load_setup(home).scene is not None
    run("camera", file, "--once")
    run("camera", file, "--once", "--mat", ends=1)
    home.write_text("spoilt")
    assert "warning: " in run("camera", file, "--once", ends=1).err
    elsewhere = tmp_path / "other.json"
    run("camera", file, "--once", "--pile", pile, "--setup", elsewhere)
    assert load_setup(elsewhere).scene is not None


@pytest.mark.parametrize(("args", "status", "words"), tables(__file__)["wrong"])
def test_one_sentence_for_what_is_wrong(
    args: list[str], status: int, words: str, tmp_path: Path, run: Run
) -> None:
    shot = shot_file(tmp_path)
    (tmp_path / "cut.png").write_bytes(encoded(SHOT.take(), ".png")[:-100])
    filled = [arg.format(shot=shot, folder=tmp_path) for arg in args]
    said = run("camera", *filled, ends=status).err
    assert words in said
    assert said.startswith("referee-table camera: ")
    assert len(said.splitlines()) == 1


def test_the_mat(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "my mat.pdf"
    said = run("camera", "mat", "--out", file, "--paper", "a3", "--language", "de")
    assert "print it on A3 at 100 %" in said.out
    assert file.read_bytes().startswith(b"%PDF-")
    run("camera", "mat", "--paper", "a9", ends=2)


@pytest.mark.parametrize("flags", [[], ["--once"]])
def test_a_camera_that_is_not_there(
    flags: list[str], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(camera, "MOST_SECONDS", 0.1)
    assert (
        run("camera", "/dev/null", *flags, ends=1).err
        == "referee-table camera: /dev/null is not a camera\n"
    )


class Present(PlayedCamera):
    """A live source of one view, with new noise in each picture."""

    bare = Shot(paper=None, cards=4, tilt=30, distance=600)
    number = 0

    def read(self, timeout: float) -> Frame:
        self.number += 1
        return Frame(self.bare.changed(seed=self.number).take(), time.monotonic(), self.number)


def test_marking_the_pile_in_the_window(
    home: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    pile = Present.bare.view.place("discard")
    keys = iter([-1, ord("p"), -1, -1, ord("q")])
    shown = []
    monkeypatch.setenv("DISPLAY", ":9")
    monkeypatch.setattr(cv2, "imshow", lambda _, picture: shown.append(picture))
    monkeypatch.setattr(cv2, "waitKey", lambda _: next(keys))
    monkeypatch.setattr(cv2, "getWindowProperty", lambda *_: 1.0)
    monkeypatch.setattr(cv2, "destroyAllWindows", lambda: None)
    monkeypatch.setattr(camera, "click_pile", lambda _: pile)
    monkeypatch.setattr(camera, "open_source", lambda _: Present())
    said = run("camera", "0", "--window").out
    assert len(shown) == 5
    assert said.index("no mat is visible") < said.index(f"saved in {home}")
    scene = load_setup(home).scene
    assert np.allclose(scene.pile, pile, atol=0.01)


def test_live_from_a_stream_that_is_unplugged_and_comes_back(tmp_path: Path) -> None:
    shots = [encoded(SHOT.changed(seed=seed).take()) for seed in range(4)]
    plugged = threading.Event()
    plugged.set()

    def answer(handler: Handler) -> None:
        if not plugged.is_set():
            handler.begin(503, "text/plain", 0)
            return
        handler.begin(200, "multipart/x-mixed-replace; boundary=frame")
        for shot in cycle(shots):
            if not plugged.is_set() or handler.server.done.wait(0.03):
                return
            handler.part(shot)

    out, err = tmp_path / "out", tmp_path / "err"
    with http_camera(answer) as server, out.open("w") as told, err.open("w") as complained:
        command = [sys.executable, "-m", "hardware", "camera", server.url(user="me:secret@")]
        process = subprocess.Popen(command, stdout=told, stderr=complained, env=dict(os.environ))
        try:
            until(lambda: "the pile is clearly visible" in out.read_text())
            plugged.clear()
            until(lambda: "(status 503)" in err.read_text())
            plugged.set()
            until(lambda: "pictures come again" in out.read_text())
            process.send_signal(signal.SIGINT)
            assert process.wait(120) == 130
        finally:
            process.kill()
    assert "secret" not in out.read_text() + err.read_text()
    assert "Traceback" not in err.read_text()
    assert "secret" not in (tmp_path / "config" / "referee-table" / "camera.json").read_text()
