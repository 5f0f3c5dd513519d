"""What a family asks the rule book, and how a child spells it."""

import pytest

from referee.rules.ruleset import find_ruleset
from referee.texts import lookup, lookup_loosely

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
    [
        ("en", "who starts", "setup.dealer"),
        ("en", "finish with a wild", "end.out"),
        ("en", "can i end on a plus four", "end.last-draw"),
        ("en", "extra turn", "card.wild-custom"),
        ("en", "why can i not play", "match"),
        ("en", "+4", "challenge"),
        ("en", "how many cards", "setup.opening"),
        ("de", "warum kann ich nicht spielen", "match"),
        ("pl", "dlaczego nie mogę zagrać", "match"),
        ("pl", "sprawdzam", "challenge"),
        ("en", "chalenge", "challenge"),
        ("en", "revers", "card.reverse"),
        ("en", "what happens when the pile is empty", "draw.reshuffle"),
        ("cs", "stohování", "card.draw-two"),
        ("cs", "stopka", "card.skip"),
        ("cs", "kdo začíná", "setup.dealer"),
        ("sk", "kto začína", "setup.dealer"),
        ("de", "wer fängt an", "setup.dealer"),
        ("de", "anzweifln", "challenge"),
        ("de", "letzte karte", "end.out"),
        ("fr", "qui commence", "setup.dealer"),
        ("fr", "finir", "end.out"),
        ("es", "quien empieza", "setup.dealer"),
        ("it", "chi inizia", "setup.dealer"),
        ("nl", "wie begint", "setup.dealer"),
        ("pt", "quem começa", "setup.dealer"),
        ("sv", "vem börjar", "setup.dealer"),
        ("da", "hvem starter", "setup.dealer"),
        ("no", "hvem starter", "setup.dealer"),
        ("fi", "kuka aloittaa", "setup.dealer"),
        ("pl", "kto zaczyna", "setup.dealer"),
        ("hu", "ki kezd", "setup.dealer"),
        ("ru", "кто начинает", "setup.dealer"),
    ],
)
def test_everyday_words_and_slips_find_the_rule(lang: str, query: str, rule: str) -> None:
    assert rule in found(query, lang)


@pytest.mark.parametrize("query", ["zeppelin", "xyzzy", "qqqq wwww"])
def test_what_no_rule_is_about_is_not_found(query: str) -> None:
    assert found(query, "en") == []
