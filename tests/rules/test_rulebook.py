"""The rulebooks: complete, well formed and searchable."""

import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from referee.rules import options
from referee.rules.book.rule_search import search, search_rulebook
from referee.rules.book.rulebook import (
    Rule,
    RulebookError,
    citation,
    clarifications,
    rulebook,
    rules_of_card,
    rules_of_power,
)
from referee.rules.engine import new_game
from referee.rules.play.scoring import SCORINGS
from referee.rules.ruleset import Ruleset, find_ruleset, rulesets
from referee.rules.rulings import RuleError
from referee.texts import lookup
from referee.texts.catalog import languages
from tests.tables import tables

CASES = tables(__file__)

RULESETS = list(rulesets().values())
EVERY_RULESET = pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.id)
SETUP = ("setup.ruleset", "setup.seats", "setup.options", "setup.opening", "setup.dealer")
HOST = ("host.ruling", "host.hand-count")


def cited(ruleset: Ruleset) -> Iterator[str]:
    """Yield every rule id that the engine can cite for the ruleset."""
    yield from SETUP
    yield from HOST
    yield from (
        "round.over",
        "deck.unknown",
        "deck.count",
        "challenge",
    )
    for rules in ruleset.moves.values():
        if isinstance(rules.cites, str):
            yield rules.cites
        yield from (rule for rule, _ in rules.rows)
    yield from (card.rule for card in ruleset.deck)
    yield from ruleset.replaced.values()
    yield from (options.OPTIONS[name].rule for name in ruleset.all_options)
    yield from (scoring.rule for scoring in SCORINGS.values())
    yield from ("draw.forced", "house.zero", "house.options")


def folder_with(tmp_path: Path, book: str) -> Any:
    (tmp_path / "rulebook.toml").write_text(book, encoding="utf-8")
    return SimpleNamespace(folder=tmp_path)


@EVERY_RULESET
def test_every_rule_that_can_be_cited_is_in_the_book(ruleset: Ruleset) -> None:
    book = rulebook(ruleset)
    assert {rule for rule in cited(ruleset) if rule not in book} == set()


@EVERY_RULESET
def test_every_rule_says_what_and_where(ruleset: Ruleset) -> None:
    shared = {rule for rule, row in rulebook(ruleset).items() if row.document is None}
    for name, rule in rulebook(ruleset).items():
        assert rule.id == name
        assert rule.text.endswith((".", ")")), name
        assert rule.title, name
        assert citation(rule), name
        if name not in shared:
            assert bool(rule.languages) != rule.silent, name
            assert bool(rule.section) != rule.silent, name
            assert not (rule.silent and rule.id.startswith("card.")), name


@EVERY_RULESET
def test_no_rule_names_options_by_their_ids(ruleset: Ruleset) -> None:
    """The page shows the texts to players, as they are."""
    books = [rulebook(ruleset, lang) for lang in languages()]
    named = {rule.id for book in books for rule in book.values() if "`" in rule.title + rule.text}
    assert named == set()


@EVERY_RULESET
def test_every_ruling_that_is_referred_to_exists(ruleset: Ruleset) -> None:
    numbers = clarifications()
    for rule in rulebook(ruleset).values():
        assert [ruling for ruling in rule.rulings if ruling not in numbers] == [], rule.id


def test_the_rulings_are_numbered_and_all_say_why() -> None:
    numbers = clarifications()
    assert sorted(numbers, key=lambda name: int(name[1:])) == [f"R{n}" for n in range(1, 64)]
    assert all(note.title and note.text and note.why for note in numbers.values())


def test_shared_rules_are_in_every_book_and_books_are_read_once() -> None:
    for ruleset in RULESETS:
        assert rulebook(ruleset)["hand.count"].document is None
        assert rulebook(ruleset) is rulebook(ruleset)


@pytest.mark.parametrize(
    ("rule", "line"),
    [
        (Rule("x", "X", "X.", "GANG", ("da",), "S2", sheet="the sheet"), "the sheet"),
        (Rule("x", "X", "X.", document="S2", rulings=("R7",), silent=True), "ruling R7"),
        (
            Rule("x", "X", "X.", document="S2", sheet="the sheet", silent=True),
            "the sheet is silent",
        ),
        (Rule("x", "X", "X.", rulings=("R1", "R2")), "rulings R1, R2"),
        (Rule("x", "X", "X."), "the referee's own rule"),
    ],
)
def test_a_citation_is_one_line(rule: Rule, line: str) -> None:
    assert citation(rule) == line


@pytest.mark.parametrize(
    ("lang", "line"),
    [
        ("en", "the rule sheet of “Classic, 112 cards”"),
        ("da", 'regelarket til "Klassisk, 112 kort"'),
        ("fr", "la notice de «\u00a0Classique, 112 cartes\u00a0»"),
    ],
)
def test_a_sheet_is_cited_by_a_name_in_the_readers_language(lang: str, line: str) -> None:
    rule = rulebook(find_ruleset("classic-112"), lang)["match"]
    assert citation(rule, lang) == line
    assert (rule.document, rule.section) == ("S2", "SPILLET'S GANG")


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("match", "match"),
        ("MATCH", "match"),
        ("match.", "match.icon"),
        ("tower.a", "tower.all-four"),
        ("power icons", "match.icon"),
        ("tower protects from", "tower.protect"),
    ],
)
def test_a_search_finds_the_best_rule_first(query: str, first: str) -> None:
    assert search(rulebook(find_ruleset("power-grab")), query)[0].id == first


def test_a_search_takes_no_longer_for_what_it_does_not_find_or_for_many_words() -> None:
    ruleset = find_ruleset("power-grab")

    def seconds(query: str) -> float:
        times = []
        for _ in range(5):
            since = time.perf_counter()
            for lang in languages():
                search_rulebook(ruleset, query, lang)
            times.append(time.perf_counter() - since)
        return min(times)

    found = seconds("tower")
    for slow in ("zeppelin", "t " * 99 + "zeppelin", "\ufdfa" * 200):
        assert seconds(slow) < 10 * found + 0.002


def test_a_search_wants_every_word() -> None:
    book = rulebook(find_ruleset("power-grab"))
    assert search(book, "tower zeppelin") == []
    found = search(book, "tower green challenge")
    assert found
    for rule in found:
        words = f"{rule.id} {rule.title} {rule.text}".casefold()
        assert all(word in words for word in ("tower", "green", "challenge"))


def test_an_empty_search_finds_the_whole_book_in_its_order() -> None:
    book = rulebook(find_ruleset("moomin"))
    assert search(book, "  ") == list(book.values())


@pytest.mark.parametrize(
    ("lang", "ruleset", "query", "first"),
    [
        ("sv", "classic-108", "hoppa över", "card.skip"),
        ("sv", "classic-108", "HOPPA OVER", "card.skip"),
        ("cs", "color-powers", "zmena smeru", "card.reverse"),
        ("pl", "color-powers", "wez dwie", "card.draw-two"),
        ("da", "classic-112", "rabe uno", "uno.call"),
        ("ru", "color-powers", "сила синег", "power.blue"),
        ("hu", "color-powers", "kek szinero", "power.blue"),
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


@pytest.mark.parametrize(
    ("lang", "stacking", "zero"),
    CASES["other_rules"],
)
def test_what_other_tables_play_is_found(lang: str, stacking: str, zero: str) -> None:
    for ruleset in RULESETS:
        stacked = {"house.stacking", "card.draw-two"} & rulebook(ruleset).keys()
        assert stacked <= {rule.id for rule in lookup(ruleset, stacking, lang)}
        for query in ("7", "0", "7-0", zero):
            assert "match" in [rule.id for rule in lookup(ruleset, query, lang)], query


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
    for ruleset in RULESETS:
        for card in ruleset.deck.cards:
            assert rules_of_card(ruleset, card)[0].id == ruleset.deck.cards[card].rule


def test_a_small_deck_needs_no_more_than_a_document_and_rules(tmp_path: Path) -> None:
    ruleset = folder_with(
        tmp_path,
        '[document]\nid = "T"\nlanguages = ["en"]\n'
        '[rules."match"]\ntitle = "Match"\ntext = "Match the colour."\n',
    )
    book = rulebook(ruleset)
    assert citation(book["match"]) == f"the rule sheet of “{tmp_path.name}”"
    assert "deck.count" in book


@pytest.mark.parametrize(
    ("book", "reason"),
    [
        ("[rules", "rulebook.toml"),
        ('[document]\nid = "T"\n', "has no rules"),
        ('[rules.x]\ntitle = "X"\n', "rule x has no text"),
    ],
)
def test_a_book_that_cannot_be_used_says_why(tmp_path: Path, book: str, reason: str) -> None:
    with pytest.raises(RulebookError, match=reason):
        rulebook(folder_with(tmp_path, book))


@pytest.mark.parametrize(
    ("ruleset", "given"),
    [
        ("classic-108", {"tower_claim": "must-move"}),
        ("classic-108", {"custom_cards": [{"text": "x"}]}),
        ("moomin", {"shuffle_hands": 0}),
        ("moomin", {"wild_tower_points": 20}),
        ("moomin", {"nonsense": 1}),
    ],
)
def test_an_option_of_another_deck_is_refused_by_a_rule_of_this_one(
    ruleset: str, given: dict[str, object]
) -> None:
    with pytest.raises(RuleError) as caught:
        new_game(ruleset, given, ["Ann", "Bo"])
    assert caught.value.rule == "setup.options"
    assert caught.value.rule in rulebook(find_ruleset(ruleset))


def test_an_option_of_another_deck_may_be_stated_at_its_default() -> None:
    given = {"tower_claim": "automatic", "custom_cards": [], "identical_cards": False}
    assert new_game("moomin", given, ["Ann", "Bo"]).game.options.tower_claim == "automatic"
