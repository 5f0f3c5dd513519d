"""A card is read in the outline in which it reads best."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.camera.decks import cards_of
from hardware.camera.reading.locate import Candidate, Locator
from hardware.camera.reading.read import CardReading, CornerReader, WholeCardReader
from hardware.camera.reading.recognise import CardRecogniser
from hardware.camera.reading.whole_cards import MOVES, WIDE_MARGIN
from hardware.camera.thresholds import CLEARLY_READ
from hardware.camera.types import Corners, Picture

PHOTO = Path(__file__).parent / "frozen" / "classic-108" / "0001.jpg"
CARD = "green-8"
TURNED = cv2.getRotationMatrix2D((0, 0), 22, 1.0)[:, :2]


def astray(monkeypatch: pytest.MonkeyPatch, *margins: float) -> None:
    """Make the locator find rotated outlines in windows with these margins."""
    closer = Locator.closer

    def found(
        self: Locator, picture: Picture, candidate: Candidate, margin: float = 0.35
    ) -> Candidate:
        one = closer(self, picture, candidate, margin)
        if margin not in margins:
            return one
        middle = one.corners.mean(axis=0)
        turned = (one.corners - middle) @ TURNED.T + middle
        return replace(one, corners=turned.astype(np.float32))

    monkeypatch.setattr(Locator, "closer", found)


def chance() -> float:
    recogniser = CardRecogniser(cards_of("classic-108"))
    found = recogniser.recognise(cv2.imread(str(PHOTO)), parts=False)
    return found[0].probabilities.get(CARD, 0.0) if found else 0.0


def without_indices(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the locator find cards by their middles only."""
    locate = Locator.locate

    def found(self: Locator, picture: Picture, long_side: int = 256) -> list[Candidate]:
        return [one for one in locate(self, picture, long_side) if not one.index]

    monkeypatch.setattr(Locator, "locate", found)


def test_a_card_whose_outline_was_mistaken_is_looked_at_once_more(monkeypatch):
    without_indices(monkeypatch)
    astray(monkeypatch, 0.35, WIDE_MARGIN)
    assert chance() < CLEARLY_READ
    monkeypatch.undo()
    without_indices(monkeypatch)
    astray(monkeypatch, 0.35)
    assert chance() >= CLEARLY_READ


def test_its_indices_tell_of_its_outline_too(monkeypatch):
    astray(monkeypatch, 0.35, WIDE_MARGIN)
    assert chance() >= CLEARLY_READ


def test_the_outline_in_which_it_reads_best_counts(monkeypatch):
    assert chance() >= CLEARLY_READ
    astray(monkeypatch, WIDE_MARGIN)
    assert chance() >= CLEARLY_READ


@pytest.mark.parametrize(("elsewhere", "sure"), [(0.9, True), (0.3, False)])
def test_a_card_that_is_sure_but_not_clear_is_read_a_little_beside(monkeypatch, elsewhere, sure):
    """What is unknown was read surely by chance, in one outline only."""
    deck = cards_of("classic-108")

    def read(_, picture: Picture, outlines: list[Corners]) -> list[CardReading]:
        assert picture.any()
        chance = elsewhere if len(outlines) == len(MOVES) else 0.9
        probabilities = np.full(len(deck), (1 - chance) / (len(deck) - 1), np.float32)
        probabilities[7] = chance
        return [CardReading(outline, probabilities, 1.0) for outline in outlines]

    def faint(_, picture: Picture, outlines: list[Corners]) -> list[CardReading]:
        assert picture.any()
        return [
            CardReading(outline, np.full(len(deck), 0.1, np.float32), 0.1) for outline in outlines
        ]

    monkeypatch.setattr(WholeCardReader, "read", read)
    monkeypatch.setattr(CornerReader, "read_symbols", faint)
    monkeypatch.setattr("hardware.camera.reading.recognise.strangers_of", lambda _: ())
    (one, *_) = CardRecogniser(deck).recognise(cv2.imread(str(PHOTO)), parts=False)
    assert one.best == deck[7].id
    assert one.sure == sure


def test_what_looks_like_part_of_a_card_outside_those_found_is_told() -> None:
    recogniser, picture = CardRecogniser(cards_of("classic-108")), cv2.imread(str(PHOTO))
    found = recogniser.recognise(picture)
    assert not recogniser.leaves_out(picture, found)
    half = np.full_like(picture, 128)
    half[: len(half) // 2] = picture[: len(half) // 2]
    assert recogniser.leaves_out(half, [])
    assert not recogniser.leaves_out(np.full_like(picture, 128), [])
