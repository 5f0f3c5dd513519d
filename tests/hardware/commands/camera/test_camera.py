"""``referee-table camera``: its output, saved setup and exit status."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.camera.setup.storage import load_setup
from hardware.camera.source import Frame
from hardware.cli import main
from hardware.commands.camera import camera
from tests.hardware.camera.pictures import encoded
from tests.hardware.camera.setup.scenes import Shot
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


def test_a_good_picture(tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    preview = tmp_path / "seen.jpg"
    file = shot_file(tmp_path)
    assert main(["camera", file, "--once", "--preview", str(preview)]) == 0
    said = capsys.readouterr()
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


def test_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["camera", shot_file(tmp_path), "--once", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["ready"] is True
    assert document["findings"][0]["level"] == "ok"
    bad = shot_file(tmp_path, SHOT.changed(paper=None), "none.png")
    assert main(["camera", bad, "--once", "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["ready"] is False
    assert document["pile"] is None
    assert "no mat is visible" in [finding["text"] for finding in document["findings"]]


def test_a_folder_with_a_bump(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "shots"
    folder.mkdir()
    for number in range(6):
        shot = SHOT.changed(seed=number, aside=(25.0, 0.0) if number >= 3 else (0.0, 0.0))
        shot_file(folder, shot, f"{number}.png")
    assert main(["camera", str(folder)]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[1:] == [
        "OK      camera: the pile is clearly visible",
        "warning camera: the camera or the mat is moving",
        "        → fasten the camera",
        next(line for line in said if line.startswith("the camera or the mat was moved; the pile")),
        "OK      camera: the pile is clearly visible",
    ]
    assert main(["camera", str(folder), "--mat", "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["moved_by"] > 20 for line in lines].count(True) == 1


def test_what_was_set_up_is_taken_again(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bare = Shot(paper=None, cards=4, tilt=30, distance=600)
    file = shot_file(tmp_path, bare)
    (x0, y0), (x1, y1) = (bare.view.place("discard")[[0, 2]]).round().tolist()
    pile = f"{x0},{y0},{x1 - x0},{y1 - y0}"
    assert main(["camera", file, "--once"]) == 1  # there is no mat
    assert main(["camera", file, "--once", "--pile", pile]) == 0
    assert load_setup(home).scene is not None
    assert main(["camera", file, "--once"]) == 0
    assert main(["camera", file, "--once", "--mat"]) == 1
    home.write_text("spoilt")
    capsys.readouterr()
    assert main(["camera", file, "--once"]) == 1
    assert "warning: " in capsys.readouterr().err
    elsewhere = tmp_path / "other.json"
    assert main(["camera", file, "--once", "--pile", pile, "--setup", str(elsewhere)]) == 0
    assert load_setup(elsewhere).scene is not None


@pytest.mark.parametrize(("args", "status", "words"), tables(__file__)["wrong"])
def test_one_sentence_for_what_is_wrong(
    args: list[str],
    status: int,
    words: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    shot = shot_file(tmp_path)
    (tmp_path / "cut.png").write_bytes(encoded(SHOT.take(), ".png")[:-100])
    filled = [arg.format(shot=shot, folder=tmp_path) for arg in args]
    assert main(["camera", *filled]) == status
    said = capsys.readouterr().err
    assert words in said
    assert said.startswith("referee-table camera: ")
    assert len(said.splitlines()) == 1


def test_the_mat(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "my mat.pdf"
    args = ["camera", "mat", "--out", str(file), "--paper", "a3", "--language", "de"]
    assert main(args) == 0
    assert "print it on A3 at 100 %" in capsys.readouterr().out
    assert file.read_bytes().startswith(b"%PDF-")
    with pytest.raises(SystemExit) as stopped:
        main(["camera", "mat", "--paper", "a9"])
    assert stopped.value.code == 2


@pytest.mark.parametrize("flags", [[], ["--once"]])
def test_a_camera_that_is_not_there(
    flags: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(camera, "MOST_SECONDS", 0.1)
    assert main(["camera", "/dev/null", *flags]) == 1
    assert capsys.readouterr().err == "referee-table camera: /dev/null is not a camera\n"


class Present:
    """A live source of one view, with new noise in each picture."""

    name, live, trouble, ended, controls = "the camera", True, None, False, None
    bare = Shot(paper=None, cards=4, tilt=30, distance=600)

    def __init__(self) -> None:
        self.number = 0

    def read(self, timeout: float) -> Frame:
        self.number += 1
        return Frame(self.bare.changed(seed=self.number).take(), time.monotonic(), self.number)

    def __enter__(self) -> "Present":
        return self

    def __exit__(self, *_: object) -> None:
        self.ended = True


def test_marking_the_pile_in_the_window(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
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
    assert main(["camera", "0", "--window"]) == 0
    assert len(shown) == 5
    said = capsys.readouterr().out
    assert said.index("no mat is visible") < said.index(f"saved in {home}")
    scene = load_setup(home).scene
    assert np.allclose(scene.pile, pile, atol=0.01)


class Mjpeg(BaseHTTPRequestHandler):
    shots = tuple(encoded(SHOT.changed(seed=seed).take()) for seed in range(4))
    plugged = True

    def do_GET(self) -> None:
        if not type(self).plugged:
            self.send_error(503)
            return
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=x")
        self.end_headers()
        number = 0
        while type(self).plugged:
            data = self.shots[number % len(self.shots)]
            head = b"--x\r\nContent-Length: %d\r\n\r\n" % len(data)
            try:
                self.wfile.write(head + data + b"\r\n")
            except OSError:
                return
            number += 1
            time.sleep(0.03)

    def log_message(self, *_: object) -> None:
        """Nothing."""


def test_live_from_a_stream_that_is_unplugged_and_comes_back(tmp_path: Path) -> None:
    Mjpeg.plugged = True
    server = ThreadingHTTPServer(("127.0.0.1", 0), Mjpeg)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    url = f"http://me:secret@127.0.0.1:{server.server_address[1]}/video"
    out, err = tmp_path / "out", tmp_path / "err"
    command = [sys.executable, "-m", "hardware", "camera", url]
    with out.open("w") as told, err.open("w") as complained:
        process = subprocess.Popen(command, stdout=told, stderr=complained, env=dict(os.environ))
        try:
            until(lambda: "the pile is clearly visible" in out.read_text())
            Mjpeg.plugged = False
            until(lambda: "(status 503)" in err.read_text())
            Mjpeg.plugged = True
            until(lambda: "pictures come again" in out.read_text())
            process.send_signal(signal.SIGINT)
            assert process.wait(120) == 130
        finally:
            process.kill()
            server.shutdown()
            server.server_close()
    assert "secret" not in out.read_text() + err.read_text()
    assert "Traceback" not in err.read_text()
    assert "secret" not in (tmp_path / "config" / "referee-table" / "camera.json").read_text()
