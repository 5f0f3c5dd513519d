"""``referee-table enroll``: from pictures, from a camera, and sharing."""

import io
from pathlib import Path

import cv2
import pytest

from hardware.camera.enrol.deckfile import load_deck
from hardware.cli import main
from hardware.commands.camera import enroll
from tests.hardware.camera.enrol.eyes import CORNERS, KnownPlaces, PixelMatcher, faces, shown


@pytest.fixture(autouse=True)
def eyes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(enroll, "matcher_of", lambda _models: PixelMatcher())
    monkeypatch.setattr(enroll, "Locator", lambda _path: KnownPlaces(CORNERS))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    models = tmp_path / "models"
    models.mkdir()
    for name in ("locator.onnx", "describer.onnx", "comparer.onnx"):
        (models / name).touch()


def enrol(tmp_path: Path, *flags: str) -> int:
    given = ["enroll", *flags]
    if not {"list", "export", "import"} & set(flags):
        given += ["--models", str(tmp_path / "models")]
    return main(given)


def pictures(folder: Path, *names: str) -> Path:
    folder.mkdir()
    for name, face in zip(names, faces(len(names)), strict=True):
        cv2.imwrite(str(folder / name), shown(face))
    return folder


def kept(tmp_path: Path) -> Path:
    return tmp_path / "config" / "referee-table" / "faces" / "moomin.faces"


def test_pictures_are_taken_by_name_and_what_is_missing_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = pictures(tmp_path / "in", "red-7.png", "red-7 (2).png", "wild-tales.png", "me.png")
    only = ("--only", "red-7", "wild-tales", "wild")
    assert enrol(tmp_path, "--ruleset", "moomin", "--photos", str(folder), *only) == 1
    said = capsys.readouterr().out
    assert "2 of 3 faces of moomin are enrolled" in said
    assert "missing: wild" in said
    deck = load_deck(kept(tmp_path))
    assert [look.card for look in deck.faces] == ["red-7", "red-7", "wild-tales"]
    assert all(look.crop is None for look in deck.faces)


def test_a_picture_without_a_card_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    cv2.imwrite(str(folder / "wild.png"), shown(faces(1)[0]) // 12)
    assert enrol(tmp_path, "--ruleset", "moomin", "--photos", str(folder), "--only", "wild") == 1
    said = capsys.readouterr()
    assert "wild.png: it is too dark" in said.err
    assert not kept(tmp_path).exists()


def test_cards_are_asked_for_redone_and_gone_on_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = pictures(tmp_path / "in", "1.png", "2.png", "3.png")
    source = ("--source", str(folder), "--preview", str(tmp_path / "seen.jpg"))
    cards = ("--only", "red-7", "wild", "wild-tales")
    monkeypatch.setattr("sys.stdin", io.StringIO("\ns\nq\n"))
    assert enrol(tmp_path, "--ruleset", "moomin", *source, *cards) == 1
    said = capsys.readouterr().out
    assert "3 cards to show" in said
    assert "red-7: enrolled" in said
    assert "missing: wild, wild-tales" in said
    assert (tmp_path / "seen.jpg").stat().st_size > 1000
    # Gone on with: the first is not asked for again; it is shown for another, and that is noticed.
    monkeypatch.setattr("sys.stdin", io.StringIO("\n\n\nk\n"))
    assert enrol(tmp_path, "--ruleset", "moomin", *source, *cards) == 1
    said = capsys.readouterr().out
    assert "2 cards to show" in said
    assert "wild and red-7 look alike to the camera" in said
    deck = load_deck(kept(tmp_path))
    assert "red-7" in deck.cards


def test_cards_that_look_alike_are_asked_for_once_more(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for number in range(3):
        cv2.imwrite(str(folder / f"{number}.png"), shown(faces(1)[0]))
    flags = ("--ruleset", "moomin", "--source", str(folder), "--only", "red-7", "wild")
    monkeypatch.setattr("sys.stdin", io.StringIO("\n\nk\n\ns\n"))
    assert enrol(tmp_path, *flags) == 0
    said = capsys.readouterr().out
    assert "2 cards look like another one" in said
    assert "red-7 once more (1 of 2)" in said or "wild once more (1 of 2)" in said
    assert len(load_deck(kept(tmp_path)).faces) == 3
    assert "once more, near and in even light" in said.splitlines()[-1]


def test_a_deck_is_handed_on_as_one_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = pictures(tmp_path / "in", "red-7.png", "wild-tales.png")
    flags = ("--ruleset", "moomin", "--photos", str(folder), "--only", "red-7", "wild-tales")
    assert enrol(tmp_path, *flags, "--keep-pictures") == 0
    shared = tmp_path / "ours.faces"
    assert enrol(tmp_path, "export", "--ruleset", "moomin", "-o", str(shared)) == 0
    assert load_deck(shared).faces[0].crop is None
    assert load_deck(kept(tmp_path)).faces[0].crop is not None
    assert enrol(tmp_path, "import", str(shared)) == 2
    assert "--replace" in capsys.readouterr().err
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "another"))
    assert enrol(tmp_path, "import", str(shared)) == 0
    assert enrol(tmp_path, "list", "--ruleset", "moomin", "--only", "red-7", "wild-tales") == 0
    assert "2 of 2 faces of moomin are enrolled" in capsys.readouterr().out


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
def test_what_is_not_understood_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], flags: tuple[str, ...], why: str
) -> None:
    assert enrol(tmp_path, *flags) == 2
    assert why in capsys.readouterr().err
