"""The networks read a fixed set of drawn photos at least this well.

Drawn by ``write_drawn_photos(folder, 12, 0, 4, 2026, 560)`` of ``lab.measure.drawn_photos``, and
stored, so that a change of the drawing cannot move the floor.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from hardware.camera.decks import RULESETS, cards_of
from hardware.camera.reading.recognise import CardRecogniser
from lab.labelled_photos import read_index
from lab.measure.evaluate import evaluate, summarise

FROZEN = Path(__file__).parent / "frozen"


@cache
def recogniser_of(deck: str | None) -> CardRecogniser:
    return CardRecogniser(cards_of(deck))


@pytest.mark.parametrize(
    "decks",
    [
        pytest.param(("classic-108", "power-grab"), id="two"),
        pytest.param(tuple(RULESETS), id="all", marks=pytest.mark.soak),
    ],
)
def test_drawn_photos_are_read_at_least_this_well(decks: Sequence[str]) -> None:
    photos = [photo for photo in read_index(FROZEN) if photo.deck in decks]
    sources = summarise(evaluate(photos, recogniser_of))
    singles = {name: one for name, one in sources.items() if not one.cards}
    hands = [source for source in sources.values() if source.cards]
    assert len(singles) == len(hands) == len(decks)
    for name, single in singles.items():
        assert single.verdicts["wrong"] == 0, name
        assert single.verdicts["exact"] >= 11, name
    cards = sum(hand.cards for hand in hands)
    assert sum(one.found for one in hands) / cards >= 0.75
    assert sum(one.invented for one in hands) / cards <= 0.05
