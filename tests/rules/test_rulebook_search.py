"""Search the rulebooks by words of any language, by card and by power."""

import pytest

from referee.rules.rulebook import rulebook, rules_of_card, rules_of_power, search
from referee.rules.ruleset import find_ruleset, rulesets
from referee.texts import lookup


@pytest.mark.parametrize(
    ("lang", "ruleset", "query", "first"),
    [
        ("sv", "classic-108", "hoppa över", "card.skip"),
        ("sv", "classic-108", "HOPPA OVER", "card.skip"),
        ("cs", "color-powers", "zmena smeru", "card.reverse"),
        ("pl", "color-powers", "wez dwie", "card.draw-two"),
        ("da", "classic-112", "rabe uno", "uno.call"),
        ("ru", "color-powers", "сила синег", "power.blue"),
        ("hu", "color-powers", "kek ero", "power.blue"),
        ("fi", "power-grab", "suunnanv", "card.reverse"),
    ],
)
def test_words_are_found_without_accents_and_by_their_beginnings(
    lang: str, ruleset: str, query: str, first: str
) -> None:
    found = search(rulebook(find_ruleset(ruleset), lang), query)
    assert first in [rule.id for rule in found[:3]]


def test_the_middle_of_a_word_is_not_its_beginning() -> None:
    assert search(rulebook(find_ruleset("classic-108")), "ncounterclock") == []


def test_another_language_is_tried_when_the_readers_own_has_nothing() -> None:
    ruleset = find_ruleset("classic-108")
    (first, *_) = lookup(ruleset, "hoppa över", "fi")
    assert first.id == "card.skip"
    assert first.title == rulebook(ruleset, "fi")["card.skip"].title
    assert lookup(ruleset, "zeppelin", "fi") == []


def test_a_power_is_explained_by_its_own_rule_first() -> None:
    found = rules_of_power(find_ruleset("color-powers"), "blue")
    assert found[0].id == "power.blue"
    assert "power.move" in [rule.id for rule in found]
    with pytest.raises(KeyError):
        rules_of_power(find_ruleset("color-powers"), "pink")


@pytest.mark.parametrize(
    ("ruleset", "card", "first", "others"),
    [
        ("power-grab", "blue-skip", "card.skip", {"opening.skip", "tower.protect"}),
        ("power-grab", "red-7:U", "tower.take", {"match", "match.icon", "opening.number"}),
        ("classic-112", "wild-custom-2", "card.wild-custom", {"custom.approval", "card.wild"}),
        ("moomin", "wild-draw-four", "card.wild-draw-four", {"challenge", "challenge.wilds"}),
    ],
)
def test_a_card_is_explained(ruleset: str, card: str, first: str, others: set[str]) -> None:
    found = [rule.id for rule in rules_of_card(find_ruleset(ruleset), card)]
    assert found[0] == first
    assert others <= {*found}
    with pytest.raises(KeyError):
        rules_of_card(find_ruleset(ruleset), "pink-3")


def test_every_card_of_every_deck_has_a_rule() -> None:
    for ruleset in rulesets().values():
        for card in ruleset.deck.cards:
            assert rules_of_card(ruleset, card)[0].id == ruleset.deck.cards[card].rule
