"""Every sentence in every language can be filled in."""

import pytest

from referee.rules.book.rulebook import citation, clarifications, rulebook
from referee.rules.legal import choices
from referee.rules.message import WORD, Message
from referee.rules.notation import position_from_text
from referee.rules.position.views import owed
from referee.rules.ruleset import Ruleset, find_ruleset, rulesets
from referee.rules.rulings import Ruling
from referee.texts import (
    deck_name,
    deck_words,
    describe_choice,
    describe_waiting,
    languages,
    render_ruling,
    translate,
)
from referee.texts.catalog import catalogs, categories, fill, placeholders, plural
from referee.texts.vocabulary import Speaker
from tests.tables import tables
from tests.texts import completeness

CASES = tables(__file__)

SEATS = ("Ann", "Bo", "Cy")
EVERY_LANGUAGE = pytest.mark.parametrize("lang", languages())
EVERY_RULESET = pytest.mark.parametrize("ruleset", rulesets().values(), ids=lambda r: r.id)
COUNTS = ("0", "1", "2", "3", "5", "21", "22", "25", "112")


def untranslated(lang: str, *places: str) -> set[str]:
    """Return the ids of the texts that readers get in English until somebody translates them."""
    return {name for place in places for name in completeness.missing(place, lang)}


@EVERY_LANGUAGE
@EVERY_RULESET
def test_every_sentence_can_be_filled_in(ruleset: Ruleset, lang: str) -> None:
    for catalog in catalogs(lang, ruleset.folder):
        for section, entries in catalog.items():
            for name, sentences in entries.items():
                for sentence in sentences:
                    for count in COUNTS:
                        words = dict.fromkeys(placeholders(sentence), count)
                        said = fill([sentence], words)
                        assert said, (section, name)
                        assert "{" not in said, (section, name)
                        assert "|" not in said, (section, name)


@EVERY_LANGUAGE
def test_every_message_is_translated_with_its_words(lang: str) -> None:
    awaited = untranslated(lang, "texts")
    for pattern in completeness.messages():
        words = dict.fromkeys(WORD.findall(pattern), "7")
        said = translate(Message(pattern, **words) if words else pattern, lang)
        assert "{" not in said, pattern
        english = lang == "en" or f"said.{pattern}" in awaited
        assert (said == Message(pattern, **words)) == english, f"{lang}: {pattern}"


@EVERY_LANGUAGE
def test_a_message_within_a_message_is_translated_too(lang: str) -> None:
    inner = Message("there is no seat {seat}", seat=9)
    outer = Message("{field}: {reason}.", field="dealer", reason=inner)
    assert translate(outer, lang) == f"dealer: {translate(inner, lang)}."


def test_a_sentence_that_nobody_has_translated_stays_as_it_is() -> None:
    assert translate("Nothing like it.", "sv") == "Nothing like it."
    assert translate(Message("Nothing like {it}.", it="x"), "sv") == "Nothing like x."


@EVERY_LANGUAGE
@EVERY_RULESET
def test_the_rulebook_is_whole(ruleset: Ruleset, lang: str) -> None:
    book, english = rulebook(ruleset, lang), rulebook(ruleset)
    assert list(book) == list(english)
    awaited = untranslated(lang, ruleset.id, "wording")
    for name, rule in book.items():
        key = f"text.{name}"
        place = f"{ruleset.folder.name}/locales or book/wording, {lang}.toml: {key}"
        assert rule.text.endswith((".", ")")), place
        assert rule.text.count("`") == english[name].text.count("`"), place
        if lang != "en" and key not in awaited:
            assert rule.text != english[name].text, place
        assert citation(rule, lang), place
        assert (rule.section, rule.rulings) == (english[name].section, english[name].rulings)


@EVERY_LANGUAGE
def test_the_rulings_are_whole(lang: str) -> None:
    english, awaited = clarifications(), untranslated(lang, "wording")
    for name, note in clarifications(lang).items():
        assert note.title
        assert note.text
        assert note.why
        in_english = lang == "en" or f"ruling-text.{name}" in awaited
        assert (note.text == english[name].text) == in_english, f"wording/{lang}.toml: {name}"


@EVERY_LANGUAGE
@EVERY_RULESET
def test_every_card_and_power_has_a_name_of_its_own(ruleset: Ruleset, lang: str) -> None:
    words = deck_words(ruleset, lang)
    for kind in ("cards", "colors", "powers", "directions", "moves"):
        names = words[kind]
        assert all(names.values()), kind
        assert len({*names.values()}) == len(names), kind
    assert all(words["options"].values())
    assert deck_name(ruleset, lang)


@pytest.mark.parametrize(
    ("lang", "ruleset", "card", "name"),
    CASES["cards"],
)
def test_cards_are_called_as_the_sheet_of_that_language_calls_them(
    lang: str, ruleset: str, card: str, name: str
) -> None:
    assert Speaker(lang, SEATS, find_ruleset(ruleset)).card(card) == name


@pytest.mark.parametrize(
    ("lang", "count", "text"),
    CASES["numbers"],
)
def test_numbers_take_the_right_form(lang: str, count: int, text: str) -> None:
    speaker = Speaker(lang, SEATS)
    assert speaker.say("event", "drew", speaker.words({"seat": 2, "count": count})) == text


def test_only_categories_of_whole_numbers_are_asked_for() -> None:
    assert categories("cs") == ("one", "few", "other")
    assert categories("ru") == ("one", "few", "many")
    assert categories("hu") == ("one", "other")
    assert plural("en", 5, "card") == "card"
    assert plural("fr", 1_000_000, "carte|cartes") == "cartes"


def test_a_colour_agrees_with_what_it_stands_by() -> None:
    assert Speaker("ru", SEATS).color("red") == "красный"
    assert Speaker("ru", SEATS).card("red-5") == "красная 5"


@EVERY_LANGUAGE
def test_a_rule_without_a_sentence_has_one_in_every_language(lang: str) -> None:
    text = render_ruling(Ruling("illegal", "no.such.rule"), lang, SEATS)["text"]
    assert text.endswith(".")
    assert "no.such.rule" not in text


POSITIONS = (
    "classic-108 5,6,3 1> play red-2",
    "classic-108 5,6,3 1> respond wild-draw-four>blue laid=3:1 before=green",
    "classic-108 5,6,- 1> respond wild-draw-four>blue laid=3:1 before=green",
    "classic-108 5,6,3 1> color wild laid=1:2",
    "classic-108 5,1*,3 1> play red-2",
    "power-grab 5,6,3 1> powers red-take-two-towers laid=1:2",
    "color-powers 5,6,3 1> play red-2 powers=green1,red1",
)


@EVERY_LANGUAGE
@pytest.mark.parametrize("line", POSITIONS)
def test_what_may_be_done_is_said(line: str, lang: str) -> None:
    state = position_from_text(line)
    game = state.game
    found = choices(state, 1)
    assert found
    for choice in found:
        said = describe_choice(choice, lang, SEATS, game.ruleset)
        assert said
        assert "{" not in said
        assert choice.rule in rulebook(game.ruleset, lang)
    assert SEATS[0] in describe_waiting(owed(state), lang, SEATS, game.ruleset)


@EVERY_LANGUAGE
def test_what_one_player_owes_is_one_phrase(lang: str) -> None:
    said = describe_waiting([(1, "color"), (1, "powers")], lang, SEATS)
    assert said.count(SEATS[0]) == 1
    assert ";" not in said


@EVERY_LANGUAGE
def test_nothing_is_awaited_in_a_sentence_of_its_own(lang: str) -> None:
    said = describe_waiting((), lang, SEATS)
    assert said[0].isupper()
    assert said.endswith(".")
    assert ":" not in said


def test_choices_name_what_they_are_about() -> None:
    state = position_from_text("color-powers 5,6,3 1> play red-2 powers=green1,red1")
    said = {
        choice.kind: (choice.rule, describe_choice(choice, "en", SEATS, state.game.ruleset))
        for choice in choices(state, 1)
    }
    assert said["give"] == ("power.red", "Hand all red cards to another player: Bo, Cy.")
    assert said["flip"][0] == "power.green"
    assert said["draw"] == ("draw", "Draw a card.")


def test_a_hand_that_has_to_be_shown_is_a_choice() -> None:
    state = position_from_text(
        "classic-108 5,6,3 1> 2:reveal wild-draw-four>red laid=2:1 before=green"
    )
    (choice,) = [choice for choice in choices(state, 2) if choice.kind == "reveal"]
    assert (choice.rule, choice.moves) == ("challenge", ())
