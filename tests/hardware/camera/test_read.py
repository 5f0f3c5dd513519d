"""A card is read from both ends: what they do not agree on is in doubt."""

from collections.abc import Sequence

import numpy as np
import pytest

from hardware.camera.deck import cards_of
from hardware.camera.read import Faces, Reader
from hardware.camera.recognise import MODELS
from hardware.camera.types import Picture

DECK = cards_of("power-grab")
OUTLINE = np.array([(10, 10), (70, 10), (70, 100), (10, 100)], np.float32)
Told = dict[str, float]


def reading(monkeypatch: pytest.MonkeyPatch, *ways: tuple[Told, float]) -> tuple[Told, np.ndarray]:
    """What is read where one end says this and the other that, each with its chance of a face."""

    def read(self: Faces, crops: Sequence[Picture]) -> tuple[np.ndarray, np.ndarray]:
        assert len(crops) == len(ways)
        cards = [[told.get(card.id, 0.0) * valid for card in DECK] for told, valid in ways]
        return np.array(cards, np.float32), np.array([valid for _, valid in ways], np.float32)

    monkeypatch.setattr(Faces, "read", read)
    (one,) = Reader(MODELS / "reader.onnx", DECK).read(np.zeros((120, 90, 3), np.uint8), [OUTLINE])
    return {card.id: float(p) for card, p in zip(DECK, one.probabilities, strict=True)}, one.corners


def test_an_icon_that_one_end_shows_and_the_other_does_not_is_in_doubt(monkeypatch) -> None:
    plain, icon = {"red-4": 0.999, "red-4:N": 0.001}, {"red-4:N": 0.97, "red-4": 0.03}
    told, corners = reading(monkeypatch, (plain, 1.0), (icon, 1.0))
    assert 0.05 < told["red-4:N"] < told["red-4"] < 0.95
    assert corners.tolist() == OUTLINE.tolist()


def test_ends_that_agree_are_as_sure_as_before(monkeypatch) -> None:
    told, _ = reading(monkeypatch, ({"red-4": 0.99}, 1.0), ({"red-4": 0.995}, 1.0))
    assert told["red-4"] > 0.98


def test_an_end_that_shows_no_face_is_not_heard(monkeypatch) -> None:
    told, corners = reading(monkeypatch, ({"red-4": 1.0}, 0.2), ({"blue-6": 0.99}, 0.98))
    assert told["blue-6"] == pytest.approx(0.99 * 0.98, abs=1e-4)
    assert corners.tolist() == np.roll(OUTLINE, -2, axis=0).tolist()
