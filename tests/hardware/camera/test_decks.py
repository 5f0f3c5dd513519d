"""The camera's decks: their cards, classes and points; the cards of another deck are told."""

import re
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.camera.decks import (
    COLOURS,
    ICONS,
    RULESETS,
    SYMBOLS,
    all_cards,
    cards_of,
    strangers_of,
)
from hardware.camera.reading.other_deck import DeckDoubt, DoubtingRecogniser, stranger, warning
from hardware.camera.reading.recognise import CardRecogniser
from hardware.camera.thresholds import DECK_MEMORY
from hardware.camera.types import Detection, Picture
from lab.labelled_photos import read_index
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


# -- cards that the named deck lacks

FROZEN = Path(__file__).parent / "frozen"
OUTLINE = np.zeros((4, 2), np.float32)


def own(card: str, chance: float = 0.99) -> Detection:
    return Detection(OUTLINE, {card: chance})


def strange(card: str, chance: float = 0.99) -> Detection:
    return Detection(OUTLINE, {"red-1": 1 - chance}, strange={card: chance})


@pytest.mark.parametrize("name", RULESETS)
def test_strangers_share_no_sign_with_the_deck(name: str) -> None:
    deck = cards_of(name)
    signs = {(card.colour, card.symbol) for card in deck}
    lacking = strangers_of(deck)
    assert lacking
    assert all((card.colour, card.symbol) not in signs for card in lacking)


def test_a_card_that_the_named_deck_lacks_is_not_named() -> None:
    recogniser = CardRecogniser(cards_of("classic-108"))
    ids = {card.id for card in cards_of("classic-108")}
    looked = told = 0
    for photo in read_index(FROZEN):
        if photo.single and photo.deck == "color-powers" and not set(photo.cards) & ids:
            (one, *_) = recogniser.recognise(cv2.imread(str(photo.path)), parts=False)
            looked += 1
            told += stranger(one) in photo.cards
            assert not one.sure
            assert one.best in ids
    assert looked
    assert told > looked / 2


def test_one_stranger_may_be_misread_and_two_are_another_deck() -> None:
    doubt = DeckDoubt()
    doubt.see([own("red-7"), own("blue-4"), strange("wild-power-red")])
    assert doubt.looks_like() == []
    doubt.see([strange("wild-power-red")])
    assert doubt.looks_like() == []
    doubt.see([strange("wild-choose-power")])
    assert doubt.looks_like() == ["color-powers"]
    assert (
        warning(doubt.looks_like()) == "these cards look like color-powers: is the ruleset right?"
    )


def test_doubtful_strangers_do_not_count() -> None:
    doubt = DeckDoubt()
    doubt.see([strange("wild-power-red", 0.7), strange("wild-choose-power", 0.6)])
    assert doubt.looks_like() == []
    assert warning([]) == ""


def test_the_cards_seen_besides_tell_decks_apart() -> None:
    """Zeros are in three decks, and only one of them has a Shuffle Hands."""
    doubt = DeckDoubt()
    doubt.see([strange("red-0"), strange("blue-0"), own("wild-draw-four")])
    assert doubt.looks_like() == ["classic-108", "classic-112", "moomin"]
    doubt.see([strange("wild-shuffle")])
    assert doubt.looks_like() == ["classic-112"]


def test_strangers_of_long_ago_are_forgotten() -> None:
    doubt = DeckDoubt()
    doubt.see([strange("wild-tales"), strange("wild-shuffle")])
    assert doubt.looks_like()
    doubt.see([own(card.id) for card in cards_of("classic-108")[:DECK_MEMORY]])
    assert doubt.looks_like() == []


def test_a_recogniser_remembers_what_it_read() -> None:
    class Reader:
        def recognise(self, picture: Picture, *, parts: bool = True) -> list[Detection]:
            assert parts == picture.any()
            return [strange("wild-tales"), strange("red-0")]

    reader = DoubtingRecogniser(Reader())
    assert len(reader.recognise(np.zeros((2, 2, 3), np.uint8), parts=False)) == 2
    assert reader.doubt.looks_like() == ["moomin"]
