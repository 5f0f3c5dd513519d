"""The camera's decks and points are the referee's."""

import pytest

from hardware.camera.decks import cards_of
from referee.rules.ruleset import rulesets


@pytest.mark.parametrize("name", sorted(rulesets()))
def test_the_camera_knows_each_deck_as_the_referee_does(name: str) -> None:
    deck = rulesets()[name].deck
    seen = {card.id: card.points for card in cards_of(name)}
    assert seen == {card.id: card.points for card in deck}
