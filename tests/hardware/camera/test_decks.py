"""The camera's decks: their cards, classes and points."""

import re

import pytest

from hardware.camera.decks import COLOURS, ICONS, RULESETS, SYMBOLS, all_cards, cards_of
from referee.rules.ruleset import find_ruleset, rulesets


@pytest.mark.parametrize("name", rulesets())
def test_the_camera_knows_each_deck_as_the_referee_does(name: str) -> None:
    deck = find_ruleset(name).deck
    faces = {re.sub(r"(?<=\D)-(\d|red|yellow|green|blue)$", "", card.symbol) for card in deck}
    if name not in RULESETS and not faces <= set(SYMBOLS):
        pytest.skip(f"no network reads {', '.join(faces - set(SYMBOLS))}")
    assert name in RULESETS, f"hardware/camera/decks.py lacks the deck {name}"
    seen = {card.id: card.points for card in cards_of(name)}
    assert seen == {card.id: card.points for card in deck}


def test_classes_point_into_the_lists() -> None:
    for card in all_cards().values():
        colour, symbol, icon = card.classes
        assert COLOURS[colour] == card.colour
        assert SYMBOLS[symbol] == card.symbol
        assert ICONS[icon] == card.icon


def test_colour_symbol_icon_and_number_tell_all_cards_apart() -> None:
    seen = {(c.colour, c.symbol, c.icon, c.number) for c in all_cards().values()}
    assert len(seen) == len(all_cards())


def test_a_character_has_its_colour_and_a_plain_wild_none() -> None:
    assert all_cards()["wild-power-green"].colour == "green"
    assert all_cards()["wild-choose-power"].colour == "none"
