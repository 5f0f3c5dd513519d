"""``referee-table identify`` and ``hand``: output, saved pictures and exit status."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.camera.types import Detection, Picture
from hardware.cli import main
from hardware.commands.camera import pictures
from tests.hardware.camera.pictures import blocks, encoded
from tests.hardware.conftest import Run


def corners(left: float) -> np.ndarray:
    return np.array([[left, 5], [left + 16, 5], [left + 16, 29], [left, 29]], np.float32)


HAND = [
    Detection(corners(40), {"wild": 0.62, "wild-draw-four": 0.31, "red-7": 0.02}),
    Detection(corners(2), {"red-7": 0.9987, "red-1": 0.001}),
]


class Reader:
    """Finds the same cards on each picture."""

    def __init__(self) -> None:
        self.found = HAND

    def recognise(self, picture: Picture, *, parts: bool = True) -> list[Detection]:
        del parts
        assert picture.ndim == 3
        return self.found


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Reader:
    one = Reader()
    monkeypatch.setattr(pictures, "recogniser_of", lambda *_: one)
    return one


@pytest.fixture
def shot(tmp_path: Path) -> Path:
    file = tmp_path / "shot.png"
    file.write_bytes(encoded(blocks(), ".png"))
    return file


@pytest.mark.usefixtures("reader")
def test_what_is_on_a_picture(shot: Path, run: Run) -> None:
    assert run("identify", shot).out.splitlines() == [
        f"{shot}: wild 62 %? (or wild-draw-four 31 %, red-7 2 %)",
        f"{shot}: red-7 99 %",
    ]
    document = json.loads(run("identify", "--json", shot).out)
    assert document[0]["file"] == str(shot)
    first, second = document[0]["cards"]
    assert first["probabilities"] == {"wild": 0.62, "wild-draw-four": 0.31, "red-7": 0.02}
    assert (first["sure"], second["card"]) == (False, "red-7")
    assert second["corners"][2] == [18.0, 29.0]


def test_cards_that_the_deck_lacks(reader: Reader, shot: Path, run: Run) -> None:
    reader.found = [
        Detection(corners(left), {"red-1": 0.01}, strange={card: 0.98})
        for left, card in ((2, "wild-tales"), (40, "red-0"))
    ]
    told = run("identify", shot)
    assert told.out.splitlines() == [
        f"{shot}: wild-tales 98 %, not of this deck",
        f"{shot}: red-0 98 %, not of this deck",
    ]
    assert "these cards look like moomin: is the ruleset right?" in told.err
    assert "unread?" in run("hand", shot, ends=1).out
    first, _ = json.loads(run("identify", "--json", shot).out)[0]["cards"]
    assert first["strange"] == {"wild-tales": 0.98}


@pytest.mark.usefixtures("reader")
def test_a_hand_in_its_order(shot: Path, run: Run) -> None:
    assert run("hand", "--ruleset", "classic-108", shot, ends=1).out.splitlines() == [
        f"{shot}: 2 cards, 57 points, 1 of them uncertain",
        "  red-7                    7",
        "  wild?                   50  or wild-draw-four 31 %, red-7 2 %",
    ]
    (document,) = json.loads(run("hand", "--json", shot, ends=1).out)
    assert (document["hand"], document["points"]) == (["red-7", "wild"], 57)
    assert [card["points"] for card in document["cards"]] == [7, 50]
    assert document["sure"] is False


def test_nothing_and_what_cannot_be_read(shot: Path, reader: Reader, run: Run) -> None:
    reader.found = []
    for command in ("identify", "hand"):
        assert run(command, shot).out == f"{shot}: no card found\n"
    reader.found = [Detection(corners(2), {})]
    assert "a card that cannot be read" in run("identify", shot).out
    said = run("hand", shot, ends=1).out
    assert "1 card, 0 points, 1 of them uncertain" in said
    assert "unread?" in said


@pytest.mark.usefixtures("reader")
def test_several_some_of_them_no_pictures(shot: Path, tmp_path: Path, run: Run) -> None:
    folder = tmp_path / "folder"
    (folder / "inner").mkdir(parents=True)
    for number in (10, 2):
        (folder / f"{number}.jpg").write_bytes(encoded(blocks()))
    (folder / "notes.txt").write_text("no picture")
    cut = tmp_path / "cut.jpg"
    cut.write_bytes(encoded(blocks())[:400])
    files = [shot, cut, tmp_path / "none.jpg", folder, folder / "inner", folder / "notes.txt"]
    said = run("hand", "--json", *files, ends=1)
    faults = said.err.splitlines()
    assert len(faults) == 4
    assert all(line.startswith("referee-table hand: ") for line in faults)
    assert f"there is no picture in the folder {folder / 'inner'}" in faults[0]
    documents = json.loads(said.out)
    read = [Path(document["file"]).name for document in documents if "hand" in document]
    assert read == ["shot.png", "2.jpg", "10.jpg"]
    wrong = {Path(one["file"]).name: one["error"] for one in documents if "error" in one}
    assert set(wrong) == {"inner", "cut.jpg", "none.jpg", "notes.txt"}
    assert "No such file" in wrong["none.jpg"]


@pytest.mark.usefixtures("reader")
@pytest.mark.parametrize("name", ["seen.jpg", "deep/seen.png", "seen.webp"])
def test_the_picture_with_what_was_found(shot: Path, tmp_path: Path, name: str, run: Run) -> None:
    assert run("identify", "--draw", tmp_path / name, shot).err == ""
    drawn = cv2.imread(str(tmp_path / name))
    assert drawn.shape == (48, 64, 3)
    assert np.abs(drawn.astype(int) - blocks()).max() > 100
    assert [file.name for file in (tmp_path / name).parent.glob(".*")] == []


@pytest.mark.usefixtures("reader")
def test_drawn_pictures_of_one_name_stand_side_by_side(shot: Path, tmp_path: Path) -> None:
    other = tmp_path / "other" / "shot.jpg"
    other.parent.mkdir()
    other.write_bytes(encoded(blocks()))
    seen = tmp_path / "seen"
    assert main(["identify", "--draw", str(seen), str(shot), str(other), str(shot)]) == 0
    assert sorted(file.name for file in seen.iterdir()) == [
        "shot-2.jpg",
        "shot-3.jpg",
        "shot.jpg",
    ]


@pytest.mark.usefixtures("reader")
def test_where_nothing_is_drawn(shot: Path, tmp_path: Path, run: Run) -> None:
    own = tmp_path / "own.jpg"
    own.write_bytes(encoded(blocks()))
    before = own.read_bytes()
    assert "would overwrite" in run("identify", "--draw", tmp_path, own, ends=2).err
    assert own.read_bytes() == before
    assert (
        "is one file for 2 pictures; name a folder"
        in run("hand", "--draw", tmp_path / "a.png", own, shot, ends=2).err
    )
    assert "cannot be written" in run("hand", "--draw", own / "in", shot, ends=2).err


@pytest.mark.parametrize("command", ["identify", "hand"])
def test_without_networks_there_is_one_sentence(
    command: str, shot: Path, tmp_path: Path, run: Run
) -> None:
    said = run(command, "--models", tmp_path, shot, ends=2)
    assert said.out == ""
    assert len(said.err.splitlines()) == 1
    assert "there is nothing to read cards with" in said.err
    for name in ("locator.onnx", "reader.onnx", "corners.onnx"):
        (tmp_path / name).write_bytes(b"no network")
    assert "is damaged or not one" in run(command, "--models", tmp_path, shot, ends=2).err


def test_a_deck_that_nobody_knows(shot: Path, run: Run) -> None:
    assert "power-grab" in run("identify", "--ruleset", "tarot", shot, ends=2).err
