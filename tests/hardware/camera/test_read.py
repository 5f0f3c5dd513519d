"""Readings of both ends and of the corners are combined; contradictions leave a card in doubt."""

from collections.abc import Sequence

import numpy as np
import pytest

from hardware.camera.decks import COLOURS, SYMBOLS, cards_of
from hardware.camera.reading.read import _OUTPUTS as OUTPUTS
from hardware.camera.reading.read import (
    CardClassifier,
    CardReading,
    CornerReader,
    WholeCardReader,
    pool_readings,
)
from hardware.camera.reading.recognise import MODELS
from hardware.camera.types import Picture

DECK = cards_of("power-grab")
OUTLINE = np.array([(10, 10), (70, 10), (70, 100), (10, 100)], np.float32)
Told = dict[str, float]


def reading(monkeypatch: pytest.MonkeyPatch, *ways: tuple[Told, float]) -> tuple[Told, np.ndarray]:
    """Read a card whose two ends read so, each with its probability of a face."""

    def read(self: CardClassifier, crops: Sequence[Picture]) -> tuple[np.ndarray, np.ndarray]:
        assert len(crops) == len(ways)
        cards = [[told.get(card.id, 0.0) * valid for card in DECK] for told, valid in ways]
        return np.array(cards, np.float32), np.array([valid for _, valid in ways], np.float32)

    monkeypatch.setattr(CardClassifier, "read", read)
    (one,) = WholeCardReader(MODELS / "reader.onnx", DECK).read(
        np.zeros((120, 90, 3), np.uint8), [OUTLINE]
    )
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


CARDS = 50


def reading_of(*chances: float, valid: float = 1.0) -> CardReading:
    """A reading of the first cards of a deck; the others share the rest."""
    rest = [(1 - sum(chances)) / (CARDS - len(chances))] * (CARDS - len(chances))
    return CardReading(OUTLINE, np.array([*chances, *rest], np.float32) * valid, valid)


def test_two_corners_overrule_a_middle_that_is_not_quite_sure() -> None:
    answer = pool_readings(reading_of(0.9, 0.09), [reading_of(0.01, 0.98)] * 2)
    assert answer.argmax() == 1
    assert answer.max() > 0.8


def test_two_corners_make_a_question_of_what_the_middle_is_sure_of() -> None:
    assert pool_readings(reading_of(0.999, 0.0005), [reading_of(0.0001, 0.999)] * 2).max() < 0.8


def test_one_corner_that_is_sure_casts_doubt() -> None:
    alone, doubted = reading_of(0.85, 0.14), [reading_of(0.01, 0.98)]
    assert pool_readings(alone, doubted).max() < pool_readings(alone, []).max()


def test_a_corner_that_sees_nothing_is_not_heard() -> None:
    first = reading_of(0.9, 0.1)
    assert pool_readings(first, [reading_of(0.0, 1.0, valid=0.1)]).argmax() == 0


def test_what_no_corner_shows_has_to_be_all_the_clearer() -> None:
    """Other games' faces are read surely by chance, but not by their corners."""
    other = [reading_of(0.0, 1.0, valid=0.1)] * 2
    assert pool_readings(reading_of(0.95, 0.05), other)[0] < 0.8
    assert pool_readings(reading_of(0.9999, 0.0001), other)[0] > 0.8
    seen = [reading_of(1.0, valid=0.1), reading_of(0.0, 1.0, valid=0.1)]
    assert pool_readings(reading_of(0.95, 0.05), seen)[0] > 0.9


def test_agreement_makes_sure_and_doubt_about_the_face_stays() -> None:
    answer = pool_readings(reading_of(0.7, 0.3, valid=0.6), [reading_of(0.8, 0.2)])
    assert 0.7 * 0.6 < answer[0] < 0.6
    assert answer.sum() == pytest.approx(0.6, abs=1e-3)


@pytest.mark.parametrize(
    ("deck", "told"), [("classic-108", {"wild": 0.9}), ("moomin", {"wild": 0.6, "wild-tales": 0.3})]
)
def test_an_index_that_another_deck_prints_too_is_the_named_decks(
    monkeypatch: pytest.MonkeyPatch, deck: str, told: Told
) -> None:
    cards = cards_of(deck)
    corners = CornerReader(MODELS / "corners.onnx", cards)
    logits = np.full((1, sum(OUTPUTS)), -20.0, np.float32)
    logits[0, COLOURS.index("none")] = 20
    for symbol, share in (("wild", 0.6), ("wild-tales", 0.3), ("wild-draw-four", 0.1)):
        logits[0, len(COLOURS) + SYMBOLS.index(symbol)] = np.log(share)
    logits[0, -1] = 20

    class Net:
        def setInput(self, blob: np.ndarray) -> None:  # noqa: N802
            self.count = len(blob)

        def forward(self) -> np.ndarray:
            return np.repeat(logits, self.count, axis=0)

    monkeypatch.setattr(corners._classifier, "_net", Net())
    (one,) = corners.read_symbols(np.zeros((120, 90, 3), np.uint8), [OUTLINE])
    named = {card.id: float(p) for card, p in zip(cards, one.probabilities, strict=True)}
    for card, chance in told.items():
        assert named[card] == pytest.approx(chance, abs=0.01)
