"""``referee-table enroll``: from pictures, from a camera, and sharing."""

import io
from pathlib import Path
from typing import Any

import cv2
import pytest

from hardware.camera.enrol.deckfile import load_deck
from hardware.commands.camera import enroll
from tests.hardware.camera.enrol.eyes import CORNERS, KnownPlaces, PixelMatcher, faces, shown
from tests.hardware.conftest import Run


@pytest.fixture(autouse=True)
def eyes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(enroll, "matcher_of", lambda _models: PixelMatcher())
    monkeypatch.setattr(enroll, "Locator", lambda _path: KnownPlaces(CORNERS))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    models = tmp_path / "models"
    models.mkdir()
    for name in ("locator.onnx", "describer.onnx", "comparer.onnx"):
        (models / name).touch()


@pytest.fixture
def enrol(tmp_path: Path, run: Run) -> Run:
    def enrol(*flags: object, ends: int = 0) -> Any:
        keeps = {"list", "export", "import"} & set(flags)
        models = () if keeps else ("--models", tmp_path / "models")
        return run("enroll", *flags, *models, ends=ends)

    return enrol


def pictures(folder: Path, *names: str) -> Path:
    folder.mkdir()
    for name, face in zip(names, faces(len(names)), strict=True):
        cv2.imwrite(str(folder / name), shown(face))
    return folder


def kept(tmp_path: Path) -> Path:
    return tmp_path / "config" / "referee-table" / "faces" / "moomin.faces"


def test_pictures_are_taken_by_name_and_what_is_missing_is_said(tmp_path: Path, enrol: Run) -> None:
    folder = pictures(tmp_path / "in", "red-7.png", "red-7 (2).png", "wild-tales.png", "me.png")
    only = ("--only", "red-7", "wild-tales", "wild")
    said = enrol("--ruleset", "moomin", "--photos", folder, *only, ends=1).out
    assert "2 of 3 faces of moomin are enrolled" in said
    assert "missing: wild" in said
    deck = load_deck(kept(tmp_path))
    assert [look.card for look in deck.faces] == ["red-7", "red-7", "wild-tales"]
    assert all(look.crop is None for look in deck.faces)


def test_a_picture_without_a_card_is_named(tmp_path: Path, enrol: Run) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    cv2.imwrite(str(folder / "wild.png"), shown(faces(1)[0]) // 12)
    said = enrol("--ruleset", "moomin", "--photos", folder, "--only", "wild", ends=1)
    assert "wild.png: it is too dark" in said.err
    assert not kept(tmp_path).exists()


def test_cards_are_asked_for_redone_and_gone_on_with(
    tmp_path: Path, enrol: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = pictures(tmp_path / "in", "1.png", "2.png", "3.png")
    source = ("--source", str(folder), "--preview", str(tmp_path / "seen.jpg"))
    cards = ("--only", "red-7", "wild", "wild-tales")
    monkeypatch.setattr("sys.stdin", io.StringIO("\ns\nq\n"))
    said = enrol("--ruleset", "moomin", *source, *cards, ends=1).out
    assert "3 cards to show" in said
    assert "red-7: enrolled" in said
    assert "missing: wild, wild-tales" in said
    assert (tmp_path / "seen.jpg").stat().st_size > 1000
    # Gone on with: the first is not asked for again; it is shown for another, and that is noticed.
    monkeypatch.setattr("sys.stdin", io.StringIO("\n\n\nk\n"))
    said = enrol("--ruleset", "moomin", *source, *cards, ends=1).out
    assert "2 cards to show" in said
    assert "wild and red-7 look alike to the camera" in said
    deck = load_deck(kept(tmp_path))
    assert "red-7" in deck.cards


def test_cards_that_look_alike_are_asked_for_once_more(
    tmp_path: Path, enrol: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for number in range(3):
        cv2.imwrite(str(folder / f"{number}.png"), shown(faces(1)[0]))
    flags = ("--ruleset", "moomin", "--source", str(folder), "--only", "red-7", "wild")
    monkeypatch.setattr("sys.stdin", io.StringIO("\n\nk\n\ns\n"))
    said = enrol(*flags).out
    assert "2 cards look like another one" in said
    assert "red-7 once more (1 of 2)" in said or "wild once more (1 of 2)" in said
    assert len(load_deck(kept(tmp_path)).faces) == 3
    assert "once more, near and in even light" in said.splitlines()[-1]


def test_a_deck_is_handed_on_as_one_file(
    tmp_path: Path, enrol: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = pictures(tmp_path / "in", "red-7.png", "wild-tales.png")
    flags = ("--ruleset", "moomin", "--photos", str(folder), "--only", "red-7", "wild-tales")
    enrol(*flags, "--keep-pictures")
    shared = tmp_path / "ours.faces"
    enrol("export", "--ruleset", "moomin", "-o", shared)
    assert load_deck(shared).faces[0].crop is None
    assert load_deck(kept(tmp_path)).faces[0].crop is not None
    assert "--replace" in enrol("import", shared, ends=2).err
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "another"))
    enrol("import", shared)
    listed = enrol("list", "--ruleset", "moomin", "--only", "red-7", "wild-tales").out
    assert "2 of 2 faces of moomin are enrolled" in listed


@pytest.mark.parametrize(
    ("flags", "why"),
    [
        ((), "--ruleset is needed"),
        (("import",), "needs a FILE"),
        (("export", "--ruleset", "moomin"), "-o FILE is needed"),
        (("list", "--ruleset", "moomin"), "enrol the deck's faces"),
        (("--ruleset", "moomin", "--only", "king"), "moomin has no card king"),
    ],
)
def test_what_is_not_understood_is_said(enrol: Run, flags: tuple[str, ...], why: str) -> None:
    assert why in enrol(*flags, ends=2).err
