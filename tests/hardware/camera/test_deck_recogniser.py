"""Each reader of a ruleset uses the faces enrolled for it."""

import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.camera.deck_recogniser import matcher_of, recogniser_of
from hardware.camera.device import read_options
from hardware.camera.enrol.capture import FaceCapturer
from hardware.camera.enrol.deckfile import EnrolledDeck, faces_file, save_deck
from hardware.camera.enrol.enrolment import Enrolment
from hardware.camera.reading.locate import Locator
from hardware.camera.reading.recognise import MODELS, ModelError
from hardware.camera.server import PhotoReader
from lab.draw.cards.faces import render_face
from lab.draw.cards.print_style import random_style
from referee.config import settings_from_env
from tests.hardware.camera.enrol.eyes import shown

# A table whose card of tales has this face; no program would guess it.
CARD, LOOKS_LIKE = "wild-tales", "green-3"
DECK = frozenset({CARD, LOOKS_LIKE, "red-7", "blue-1"})


def picture() -> np.ndarray:
    return shown(render_face(LOOKS_LIKE, random_style(5), 288)[..., :3])


@pytest.fixture(scope="module")
def enrolled() -> EnrolledDeck:
    matcher = matcher_of(MODELS)
    enrolment = Enrolment(EnrolledDeck("moomin", matcher.mark()), matcher)
    camera = FaceCapturer(Locator(MODELS / "locator.onnx"), matcher)
    enrolment.add(CARD, camera.capture(picture()))
    return enrolment.deck


def test_a_table_reads_with_the_faces_that_are_kept_for_its_ruleset(
    enrolled: EnrolledDeck, tmp_path: Path
) -> None:
    environ = {"XDG_CONFIG_HOME": str(tmp_path)}
    [before] = recogniser_of("moomin", environ).recognise(picture())
    assert before.best == LOOKS_LIKE
    save_deck(faces_file(environ, "moomin"), enrolled)
    [after] = recogniser_of("moomin", environ).recognise(picture())
    assert after.best == CARD
    [other] = recogniser_of("classic-108", environ).recognise(picture())
    assert other.best == LOOKS_LIKE


def test_the_watching_camera_takes_the_file_that_its_configuration_names(
    enrolled: EnrolledDeck, tmp_path: Path
) -> None:
    file = tmp_path / "ours.faces"
    options = read_options({"source": "0", "ruleset": "moomin", "faces": str(file)})
    with pytest.raises(ModelError, match=r"there is no .*ours\.faces"):
        options.recogniser({})
    save_deck(file, enrolled)
    [found] = options.recogniser({}).recognise(picture())
    assert found.best == CARD
    wrong = read_options({"source": "0", "ruleset": "power-grab", "faces": str(file)})
    with pytest.raises(ModelError, match="contains faces of moomin, not of power-grab"):
        wrong.recogniser({})


def test_photos_are_read_with_the_faces_in_the_servers_folder(
    enrolled: EnrolledDeck, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    photo = cv2.imencode(".jpg", picture())[1].tobytes()
    settings = settings_from_env({**os.environ, "REFEREE_CAMERA_FACES": str(tmp_path)})
    assert settings.faces == tmp_path
    file = tmp_path / "moomin.faces"
    save_deck(file, enrolled)
    [card] = PhotoReader(faces=settings.faces).read(photo, DECK).cards
    assert next(iter(card.probabilities)) == CARD
    file.write_bytes(b"not a deck")
    [card] = PhotoReader(faces=settings.faces).read(photo, DECK).cards
    assert next(iter(card.probabilities)) == LOOKS_LIKE
    assert "photos are read without enrolled faces" in caplog.text
