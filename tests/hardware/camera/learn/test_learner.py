"""What a table learns: from labels of sightings that were whole, sharp and alone."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hardware.camera.decks import cards_of
from hardware.camera.enrol.capture import FaceCapturer
from hardware.camera.learn.learner import LearnOptions, TableLearner
from hardware.camera.learn.recall import LearntFaces
from hardware.camera.learn.store import forget, learnt_counts
from hardware.camera.track import PileEvent
from hardware.camera.types import Corners, Detection, Picture
from hardware.observation import CardLabel
from tests.hardware.camera.enrol.eyes import CORNERS, KnownPlaces, PixelMatcher, faces, shown

PLACE = np.array([[80, 40], [320, 40], [320, 380], [80, 380]], np.float32)
FIRST, SECOND = (shown(face) for face in faces(2, "mixed"))


class Alone:
    """Reads every card as the same one."""

    def __init__(self, card: str = "blue-5", chance: float = 0.99) -> None:
        self.card, self.chance = card, chance

    def read_alone(self, picture: Picture, outline: Corners) -> Detection:
        return Detection(outline, {self.card: self.chance})


class LearningTable:
    """A learner that sees the card of a picture laid, time and again."""

    def __init__(self, folder: Path, reader: Alone | None = None) -> None:
        self.file = folder / "faces.sqlite3"
        self.faces = LearntFaces(PixelMatcher(), cards_of("classic-112"))  # type: ignore[arg-type]
        options = LearnOptions(self.file, "t1", "classic-112")
        capturer = FaceCapturer(KnownPlaces(CORNERS - PLACE[0]), PixelMatcher())  # type: ignore[arg-type]
        self.learner = TableLearner(options, self.faces, reader or Alone(), capturer)
        self.number = 0

    def lay(self, card: str, chance: float = 0.99, *, picture: Picture = FIRST) -> int:
        return self.happen("placed", {card: chance}, CORNERS, picture)

    def happen(
        self, kind: str, cards: dict[str, float], corners: Corners | None, picture: Picture = FIRST
    ) -> int:
        self.number += 1
        event = PileEvent(self.number, kind, 0.0, 0.0, cards, corners)  # type: ignore[arg-type]
        self.learner.saw([event], 10, picture, PLACE)
        return 10 + self.number

    def looks(self) -> list[tuple[str, int]]:
        return [(count.card, count.looks) for count in learnt_counts(self.file)]


@pytest.fixture
def table(tmp_path: Path) -> LearningTable:
    return LearningTable(tmp_path)


def test_what_people_named_is_learnt(table: LearningTable) -> None:
    number = table.lay("blue-5")
    table.learner.learn([CardLabel(number, "red-9", "people")])
    assert table.looks() == [("red-9", 1)]
    assert table.learner.learnt == 1
    assert table.faces.trust.doubts("blue-5")


@pytest.mark.parametrize(
    ("kind", "chance", "card", "by", "learnt"),
    [
        pytest.param("placed", 0.995, "blue-5", "play", True, id="surely read, its ruling stood"),
        pytest.param("placed", 0.9, "blue-5", "play", False, id="doubtful, only play confirmed it"),
        pytest.param("placed", 0.995, "red-9", "play", False, id="play says another"),
        pytest.param("unread", None, "red-9", "people", True, id="unread, the only one there"),
        pytest.param("unsure", None, "red-9", "people", False, id="something may have been laid"),
        pytest.param("found", 0.9, "red-9", "people", True, id="there when watching began"),
    ],
)
def test_what_is_learnt(
    table: LearningTable, kind: str, chance: float | None, card: str, by: Any, learnt: bool
) -> None:
    seen = ({}, None) if chance is None else ({"blue-5": chance}, CORNERS)
    number = table.happen(kind, *seen)
    table.learner.learn([CardLabel(number, card, by)])
    assert table.looks() == [(card, 1)] * learnt


def test_a_label_taken_back_takes_the_look_back(table: LearningTable) -> None:
    number = table.lay("blue-5")
    table.learner.learn([CardLabel(number, "red-9", "people")])
    table.learner.learn([CardLabel(number, None)])
    assert table.looks() == []
    assert not table.faces.trust.mistaken


def test_what_people_say_removes_what_play_taught_of_the_same_face(table: LearningTable) -> None:
    by_play = table.lay("blue-5")
    table.learner.learn([CardLabel(by_play, "blue-5", "play")])
    again = table.lay("blue-5")
    table.learner.learn([CardLabel(again, "red-9", "people")])
    assert table.looks() == [("red-9", 1)]


def test_blurred_cut_off_and_moving_cards_are_not_looked_at(table: LearningTable) -> None:
    import cv2

    blurred = cv2.GaussianBlur(FIRST, (0, 0), 9)
    outside = CORNERS + np.float32([250, 0])
    numbers = [
        table.lay("blue-5", picture=blurred),
        table.happen("placed", {"blue-5": 0.99}, outside),
        table.happen("lifted", {"blue-5": 0.99}, CORNERS),
    ]
    table.learner.learn([CardLabel(number, "red-9", "people") for number in numbers])
    assert table.looks() == []


def test_two_cards_in_one_picture_are_not_learnt(table: LearningTable) -> None:
    events = [PileEvent(n, "placed", 0.0, 0.0, {"blue-5": 0.99}, CORNERS) for n in (1, 2)]
    table.learner.saw(events, 10, FIRST, PLACE)
    table.learner.learn([CardLabel(n, "blue-5", "people") for n in (11, 12)])
    assert table.looks() == []


def test_forgetting_takes_effect_in_a_running_camera(table: LearningTable) -> None:
    number = table.lay("blue-5")
    table.learner.learn([CardLabel(number, "red-9", "people")])
    forget(table.file)
    table.learner.refresh()
    assert table.learner.learnt == 0
    assert table.faces.trust.foreign == 0.02


def test_a_restarted_camera_remembers(table: LearningTable, tmp_path: Path) -> None:
    number = table.lay("blue-5")
    table.learner.learn([CardLabel(number, "red-9", "people")])
    table.learner.close()
    assert LearningTable(tmp_path).learner.learnt == 1


def test_an_unusable_file_is_told_and_harms_nothing(tmp_path: Path) -> None:
    (tmp_path / "faces.sqlite3").write_bytes(b"no database" * 100)
    table = LearningTable(tmp_path)
    assert "cannot be used" in table.learner.trouble
    number = table.lay("blue-5")
    table.learner.learn([CardLabel(number, "red-9", "people")])
    assert table.learner.learnt == 0
