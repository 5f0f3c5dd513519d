"""The languages: which one a reader gets, and that every one of them says everything."""

import re

import pytest

from referee.rules.ruleset import Ruleset, rulesets
from referee.texts import as_language, language_names, languages, pick_language
from referee.texts.catalog import FOLDER, PAGE, PLACEHOLDER, read_catalog
from referee.texts.messages import SECTION
from tests.texts import completeness

SPOKEN = frozenset(
    ("cs", "da", "de", "en", "es", "fi", "fr", "hu", "it", "nl", "no", "pl", "pt", "ru", "sk", "sv")
)


@pytest.mark.parametrize(
    ("header", "lang"),
    [
        (None, "en"),
        ("", "en"),
        ("da", "da"),
        ("da-DK, en;q=0.8", "da"),
        ("en;q=0.5, da;q=0.9", "da"),
        ("xx, da;q=0.1", "da"),
        ("pt, xx", "en"),
        ("PT-br", "pt-BR"),
        ("da;q=0", "en"),
        ("da;q=nonsense, pt-BR;q=0.1", "pt-BR"),
        ("da;q=-1", "en"),
        ("da;q=", "en"),
        ("*, da;q=0.5", "en"),
        (";;;,,,q=1", "en"),
        ("da;level=1", "da"),
        ("x" * 100_000, "en"),
    ],
)
def test_the_best_language_at_hand_is_picked(header: str | None, lang: str) -> None:
    assert pick_language(header, ("en", "da", "pt-BR")) == lang


@pytest.mark.parametrize("tag", ["no", "nb", "nn", "nb-NO", "NN-no", "no-NO"])
def test_norwegian_has_several_names(tag: str) -> None:
    assert pick_language(f"xx, {tag}, en;q=0.5") == "no"
    assert as_language(tag) == "no"


def test_an_unknown_tag_is_no_language() -> None:
    assert as_language("xx") is None
    assert as_language("") is None
    assert as_language("english") is None


def test_english_is_always_at_hand() -> None:
    assert "en" in languages()
    assert pick_language("en-GB") == "en"


def test_a_language_is_called_as_its_speakers_call_it() -> None:
    names = language_names()
    assert names["en"] == "English"
    assert len({*names.values()}) == len(languages())


def test_sixteen_languages_are_spoken() -> None:
    assert set(languages()) >= SPOKEN


@pytest.mark.parametrize("place", completeness.folders())
def test_no_folder_has_a_language_that_nobody_is_offered(place: str) -> None:
    assert {path.stem for path in completeness.folders()[place].glob("*.toml")} <= set(languages())


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("place", completeness.folders())
def test_what_a_language_says_fits_the_english(place: str, lang: str) -> None:
    path = completeness.folders()[place] / f"{lang}.toml"
    faults = completeness.faults(place, lang)
    assert faults == [], f"{path}:\n  " + "\n  ".join(faults)


@pytest.mark.parametrize("lang", languages())
def test_no_code_of_the_programmers_is_told_to_people(lang: str) -> None:
    """No document's code (S4), rule's id (card.skip) or name of a field (until_uno)."""
    code = re.compile(r"\bS\d\b|\w_\w|\b[a-z]{2,}\.[a-z]{2,}")
    for folder in (FOLDER, PAGE):
        told = [
            text
            for section, texts in read_catalog(folder / f"{lang}.toml").items()
            # Answers to programs are about their fields.
            if section != SECTION
            for sentence in texts.values()
            for text in sentence
        ]
        assert len(told) > 300
        assert [text for text in told if code.search(PLACEHOLDER.sub("", text))] == []


def test_no_message_is_put_together_so_that_it_cannot_be_translated() -> None:
    assert completeness.unreadable_messages() == [], "use Message(pattern, word=…) there"


def test_messages_are_found_in_the_code() -> None:
    said = completeness.messages()
    assert "there is no seat {seat}" in said
    assert "Only the host of the table may do this." in said
    assert "The table has changed" in said


WHOLE = {"a.one": ["{x} {n:card|cards}"], "a.two": ["2"], "a.both": ["{x}", "y"]}


@pytest.mark.parametrize(
    ("found", "same", "fault"),
    [
        ({"a.two": ["b"]}, [], "a.new is not in English"),
        ({"a.one": ["{n:k|l|m}"]}, [], "a.one has other placeholders"),
        ({"a.one": ["{x} {y:k|l|m}"]}, [], "a.one has no number y"),
        ({"a.one": ["{x:acc}"]}, [], "a.one: {x:acc}: x has no forms"),
        ({"a.one": ["{x} {n:karta|karty}"]}, [], "a.one: {n:karta|karty} needs a form for each of"),
        ({"a.one": ["{x} {n:k|l|m} }"]}, [], "a.one: has a stray brace"),
        ({"a.both": ["{x}"]}, [], "a.both has other placeholders"),
        ({"a.both": ["{x}", " "]}, [], "a.both is empty"),
        ({"a.word": ["ano"]}, ["a.word"], "a.word is marked as the same, but is not"),
        ({"a.word": ["word"]}, [], "a.word is still in English"),
        ({}, ["a.gone"], "same: a.gone is not there"),
    ],
)
def test_what_is_wrong_with_a_translation_is_listed(
    found: dict[str, list[str]], same: list[str], fault: str
) -> None:
    wanted = {**WHOLE, "a.word": ["word"]}
    good = {"a.one": ["{x} {n:karta|karty|karet}"], "a.both": ["{x}", "ypsilon"]}
    other = {**good, "a.word": ["slovo"], **found}
    if fault.startswith("a.new"):
        other["a.new"] = ["x"]
    assert any(line.startswith(fault) for line in completeness.wrong(wanted, other, same, "cs"))


@pytest.mark.parametrize("ruleset", rulesets().values(), ids=lambda r: r.id)
@pytest.mark.parametrize("lang", languages())
def test_every_gender_of_a_card_is_known_to_the_colours(ruleset: Ruleset, lang: str) -> None:
    assert completeness.unmatched_genders(lang, ruleset) == []
