"""What a family asks the rule book, and how a child spells it."""

import pytest

from referee.rules.book.rulebook import rulebook, search_words
from referee.rules.ruleset import find_ruleset, rulesets
from referee.texts import languages, lookup, lookup_loosely
from tests.tables import tables

CASES = tables(__file__)

DECK = find_ruleset("classic-112")


def found(query: str, lang: str) -> list[str]:
    """Return the ids of the first rules that are shown."""
    rules = lookup(DECK, query, lang) or lookup_loosely(DECK, query, lang)
    return [rule.id for rule in rules[:3]]


@pytest.mark.parametrize("lang", ["en", "cs", "de", "fi", "ru"])
@pytest.mark.parametrize(
    ("query", "rule"),
    [
        ("+4", "card.wild-draw-four"),
        ("4+", "card.wild-draw-four"),
        ("+2", "card.draw-two"),
        ("2+", "card.draw-two"),
    ],
)
def test_a_plus_is_part_of_what_is_looked_for(query: str, rule: str, lang: str) -> None:
    assert rule in found(query, lang)


def test_a_number_is_a_word_and_no_beginning_of_one() -> None:
    assert "score.winner" not in found("4", "en")


@pytest.mark.parametrize(
    ("lang", "query", "rule"),
    CASES["everyday_words"],
)
def test_everyday_words_and_slips_find_the_rule(lang: str, query: str, rule: str) -> None:
    assert rule in found(query, lang)


@pytest.mark.parametrize("query", ["zeppelin", "xyzzy", "qqqq wwww"])
def test_what_no_rule_is_about_is_not_found(query: str) -> None:
    assert found(query, "en") == []


@pytest.mark.parametrize("lang", languages())
def test_what_players_call_things_finds_rules_that_there_are(lang: str) -> None:
    words = search_words(lang)
    assert words.keys() <= {rule for ruleset in rulesets().values() for rule in rulebook(ruleset)}
    # Two rules decide what a card counts: the deck says which of them is played by.
    assert words["score.winner"] == words["score.low"]
    assert set(words["house.stacking"].split()) <= set(words["card.draw-two"].split())
