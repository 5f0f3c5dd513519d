"""The networks read a fixed set of drawn photos at least this well.

Drawn by ``write_rendered(folder, 12, 0, 4, 2026, 560)`` (``lab.measure.drawn_photos``), and kept as
files so that a change of the drawing cannot move the floor.
"""

from functools import cache
from pathlib import Path

from hardware.camera.decks import cards_of
from hardware.camera.recognise import CardRecogniser
from lab.measure.evaluate import evaluate, summarise
from lab.measure.labelled_photos import read_index

FROZEN = Path(__file__).parent / "frozen"


@cache
def recogniser_of(deck: str | None) -> CardRecogniser:
    return CardRecogniser(cards_of(deck))


def test_cards_of_all_decks_are_read_as_well_as_ever() -> None:
    sources = summarise(evaluate(read_index(FROZEN), recogniser_of))
    singles = {name: one for name, one in sources.items() if not one.cards}
    hands = [one for one in sources.values() if one.cards]
    assert len(singles) == len(hands) == 5
    for name, one in singles.items():
        assert one.verdicts["wrong"] == 0, name
        assert one.verdicts["exact"] >= 11, name
    cards = sum(one.cards for one in hands)
    assert sum(one.found for one in hands) / cards >= 0.75
    assert sum(one.invented for one in hands) / cards <= 0.05
