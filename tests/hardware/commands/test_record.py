"""``referee-table record``: films by hand, names of cards, and what a file holds."""

import json
import zipfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.camera.decks import RULESETS, Card
from hardware.camera.source import read_picture
from hardware.commands.recording import record_by_hand
from hardware.commands.recording.record_by_hand import read_card, shuffled
from hardware.gateway.recording.form import Recording
from lab.films.film import FilmOptions
from lab.films.recorded import RecordedFilms
from lab.measure.films import watch_film
from tests.hardware.camera.piles import PILE, Plain, write_film
from tests.hardware.conftest import Run

CARDS = ["red-7", "blue-3", "green-5"]


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_film(tmp_path_factory.mktemp("film") / "clip.avi", CARDS)


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    lines: list[str] = []

    def answers(_: str) -> str:
        if not lines:
            raise EOFError
        return lines.pop(0)

    monkeypatch.setattr("builtins.input", answers)
    return lines


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "cards.table"


@pytest.fixture
def record(clip: Path, file: Path, run: Run) -> Run:
    return partial(run, "record", "--by-hand", clip, "--pile", PILE, file)


def test_a_film_is_named_by_hand_and_scored(file: Path, record: Run, typed: list[str]) -> None:
    typed += ["r7", "", "q9", "q", "b3", "g55", "g5"]
    said = record("--ruleset", "classic-108").out
    assert "there is no card 'q9'" in said
    assert "has 3 marks" in said
    recording = Recording(file)
    assert [mark.card for _, mark in recording.marks] == CARDS
    assert not recording.whole
    film = RecordedFilms(FilmOptions(folder=file)).film("cards", 1)
    score = watch_film(film, Plain())
    # The first card was there when the film began, which is found and not laid.
    verdicts = [(pair.happened.card, pair.right) for pair in score.track.pairs]
    assert verdicts == [("blue-3", True), ("green-5", True)]
    assert score.blind == 0.0


def test_the_pictures_show_the_pile_only(
    clip: Path, file: Path, record: Run, run: Run, typed: list[str]
) -> None:
    typed += ["q"]
    record()
    recording = Recording(file)
    _, jpeg = next(recording.frames("camera"))
    height, width = read_picture(jpeg).shape[:2]
    assert height <= 360
    assert width < 400
    assert len(recording.of("frame")) == 112
    typed += ["q"]
    whole = file.with_name("whole.table")
    run("record", whole, "--by-hand", clip, "--pile", PILE, "--whole")
    _, jpeg = next(Recording(whole).frames("camera"))
    assert read_picture(jpeg).shape == (360, 640, 3)


def test_cards_that_went_away(file: Path, record: Run, typed: list[str]) -> None:
    typed += ["r7", "b3", "b", "b3", "-", "x", "q"]
    record()
    marks = [(mark.what, mark.card) for _, mark in Recording(file).marks]
    assert marks == [
        ("placed", "red-7"),
        ("placed", "blue-3"),
        ("lifted", "red-7"),
        ("cleared", None),
    ]


def test_cards_to_lay_are_shown(file: Path, record: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(record_by_hand, "shuffled", lambda *_: CARDS)
    monkeypatch.setattr("builtins.input", lambda prompt: asked.append(prompt) or "")
    record("--ruleset", "classic-108", "--lay", "3")
    assert asked[0] == "1 of 3: lay red 7, Enter when it lies> "
    assert [mark.card for _, mark in Recording(file).marks] == CARDS


def test_what_a_file_holds_is_shown(file: Path, record: Run, run: Run, typed: list[str]) -> None:
    typed += ["r7", "q"]
    record()
    said = run("record", "--show", file).out
    assert "camera: 112 pictures in 4 s, 30.0 a second: only the pile" in said
    assert "1 marks of what was laid (1 by person): red-7" in said
    sheet = cv2.imread(str(file.with_suffix(".jpg")))
    assert sheet is not None
    assert len(np.unique(sheet)) > 50
    with zipfile.ZipFile(file) as archive:
        head = json.loads(archive.read("recording.json"))
    assert set(head) == {"version", "began", "ruleset", "whole", "devices"}


def test_a_film_without_a_pile_is_no_film(clip: Path, file: Path, run: Run) -> None:
    assert "where the pile lies is not found" in run("record", file, "--by-hand", clip, ends=1).err
    assert not file.exists()


@pytest.mark.parametrize(
    ("flags", "why"),
    [
        (("--by-hand", "0", "--lay", "5"), "--lay needs --ruleset"),
        (("--lay", "5"), "--lay is for filming --by-hand"),
        (("--by-hand", "/nowhere"), "there is no file or folder /nowhere"),
    ],
)
def test_flags_that_do_not_fit(flags: tuple[str, ...], why: str, tmp_path: Path, run: Run) -> None:
    assert why in run("record", tmp_path / "x", *flags, ends=2).err


@pytest.mark.parametrize(
    ("text", "card"),
    [
        *(
            ("r7", "red-7"),
            ("G S", "green-skip"),
            ("yr", "yellow-reverse"),
            ("b+2", "blue-draw-two"),
        ),
        *(("w", "wild"), ("w4", "wild-draw-four"), ("red-7", "red-7"), ("r77", None), ("", None)),
    ],
)
def test_names_as_people_type_them(text: str, card: str | None) -> None:
    assert read_card(text, "classic-108") == card


def test_icons_and_other_decks() -> None:
    assert read_card("r7:u", "power-grab") == "red-7:U"
    assert read_card("b+1", "power-grab") == "blue-draw-one"
    assert read_card("b+1", "classic-108") is None


def test_numbers_above_nine(monkeypatch: pytest.MonkeyPatch) -> None:
    deck = tuple(Card(f"red-{number}", "red", str(number)) for number in (0, 9, 12))
    monkeypatch.setitem(RULESETS, "high", deck)
    assert read_card("r12", "high") == "red-12"
    assert sorted(shuffled("high", 9)) == ["red-0", "red-12", "red-12", "red-9", "red-9"]


def test_a_shuffled_deck_repeats_itself_by_its_seed() -> None:
    assert shuffled("classic-108", 40, 3) == shuffled("classic-108", 40, 3)
    assert len(shuffled("classic-108", 100, 3)) == 100
    dealt: Iterator[str] = iter(shuffled("classic-108", 90, 4))
    assert all(read_card(card, "classic-108") == card for card in dealt)
