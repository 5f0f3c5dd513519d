"""Every rule that can be broken has a sentence that its arguments fill."""

import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from referee.rules.actions import Overruled, Play
from referee.rules.book.rulebook import rulebook
from referee.rules.engine import decide
from referee.rules.notation import move_from_text, position_from_text
from referee.rules.ruleset import Ruleset, find_ruleset, rulesets
from referee.rules.rulings import Ruling
from referee.texts import render_ruling
from referee.texts.catalog import FOLDER, find, placeholders, read_catalog
from referee.texts.rulings import words_of_ruling
from referee.texts.vocabulary import Speaker
from tests.rules.builder import Table

SEATS = ("Ann", "Bo", "Cy")
TURN = "5,6,3 1> play red-2"
WRITTEN = tomllib.loads(Path(__file__).with_name("illegal_moves.toml").read_text(encoding="utf-8"))
CASES = [
    *(
        (f"{name} {line}", move, rule, text.replace("{points}", str(points)))
        for name, ruleset in rulesets().items()
        for points in (2 * max(card.points for card in ruleset.deck),)
        for line, move, rule, text in WRITTEN["every_deck"]
        if "wild-draw-four" not in line or "wild-draw-four" in ruleset.deck.cards
    ),
    *map(tuple, WRITTEN["one_deck"]),
]
Case = tuple[str, str, str, str]


def ruling_on(line: str, move: str) -> tuple[Ruling, Ruleset]:
    state = position_from_text(line)
    return decide(state, move_from_text(move)).ruling, state.game.ruleset


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0].split()[0]} {case[1]}")
def test_an_illegal_move_is_explained(case: Case) -> None:
    line, move, rule, text = case
    ruling, ruleset = ruling_on(line, move)
    assert (ruling.verdict, ruling.rule) == ("illegal", rule)
    assert render_ruling(ruling, "en", SEATS, ruleset)["text"] == text


@pytest.mark.parametrize("name", rulesets())
def test_every_rule_that_can_be_broken_is_among_the_cases(name: str) -> None:
    broken = {rule for line, _, rule, _ in CASES if line.startswith(name)}
    rows = {row for rules in find_ruleset(name).moves.values() for row, _ in rules.rows}
    assert rows <= broken
    for rule in rows:
        assert find("illegal", rule, "en", find_ruleset(name)), rule


@pytest.mark.parametrize("name", rulesets())
def test_what_makes_others_draw_has_its_words(name: str) -> None:
    ruleset = find_ruleset(name)
    file = f"{ruleset.folder.name}/locales/en.toml"
    for symbol, rule in {(card.symbol, card.rule) for card in ruleset.deck}:
        if count := ruleset.draws.get(symbol):
            for section, sentence in (("due", rule), ("banner-text", f"draw.{rule}")):
                assert find(section, sentence, "en", ruleset), f"{file}, [{section}]: {sentence}"
            called = rulebook(ruleset)[rule].called.split()
            assert f"+{count}" in called, f"{file}, [called]: {rule}"


def every_sentence() -> Iterator[tuple[str, str]]:
    """Yield every English sentence for an illegal move, with its id."""
    for folder in (FOLDER, *(ruleset.folder / "locales" for ruleset in rulesets().values())):
        for name, sentences in read_catalog(folder / "en.toml").get("illegal", {}).items():
            yield from ((name, sentence) for sentence in sentences)


def test_every_sentence_is_filled_by_the_arguments_of_some_ruling() -> None:
    filled = set()
    for line, move, rule, _ in CASES:
        ruling, ruleset = ruling_on(line, move)
        words = words_of_ruling(ruling, Speaker("en", SEATS, ruleset), ruleset)
        section, _, said = ruleset.wordings.get(f"illegal.{rule}", f"illegal.{rule}").partition(".")
        for sentence in find(section, said, "en", ruleset):
            if placeholders(sentence) <= words.keys():
                filled.add(sentence)
                break
    unused = {name for name, text in every_sentence() if text not in filled}
    assert unused <= {"otherwise", "match.icon", "deck.count"}


def test_another_card_with_an_icon_is_refused_by_the_number_of_its_colour() -> None:
    table = Table("power-grab").play(2, "red-3:N").play(3, "red-4:N")
    ruling = table.move(1, "play", card="red-6:N")
    assert render_ruling(ruling, "en", SEATS, table.state.game.ruleset)["text"] == (
        "There cannot be another red 6 with N: each colour has only 2 cards with N, and they have "
        "been seen."
    )


@pytest.mark.parametrize("name", rulesets())
def test_every_remedy_has_a_sentence(name: str) -> None:
    remedies = {
        remedy
        for rules in find_ruleset(name).moves.values()
        for remedy in (rules.remedy, *rules.remedies.values())
    }
    assert "take-back" in remedies
    for remedy in remedies - {None}:
        said = render_ruling(Ruling("illegal", "match", {}, remedy), "en", SEATS)["put_right"]
        assert said.endswith(".")


@pytest.mark.parametrize(
    ("shown", "rule", "put_right"),
    [
        (
            "2 shows blue-1,blue-2,blue-3",
            "hand.known",
            "Show the whole hand, gifts included, or have the host put the gift right.",
        ),
        (
            "2 shows red-5,blue-2",
            "hand.count",
            "Count and show the hand again, or have the host set the count right.",
        ),
        ("1 shows blue-1", "round.awaiting", None),
    ],
)
def test_a_hand_that_is_refused_has_the_remedy_of_its_rule(
    shown: str, rule: str, put_right: str | None
) -> None:
    over = "color-powers 0,3,2 -> 2:reveal,3:reveal red-7 out=1 gifts=2:red-5"
    ruling, ruleset = ruling_on(over, shown)
    assert ruling.rule == rule
    assert render_ruling(ruling, "en", SEATS, ruleset)["put_right"] == put_right


def test_a_seat_that_has_left_is_not_told_to_count_its_hand() -> None:
    ruling, ruleset = ruling_on("classic-108 5,6,- 1> play red-2", "3 shows blue-1")
    assert ruling.rule == "turn.order"
    assert render_ruling(ruling, "en", SEATS, ruleset)["put_right"] is None


@pytest.mark.parametrize(
    ("lang", "hits"),
    [
        ("en", {1: "by 1 card: accept it,", 2: "by 2 cards: accept them,"}),
        ("es", {1: "A Ann le toca 1 carta: acéptala ", 2: "le tocan 2 cartas: acéptalas "}),
        (
            "pl",
            {1: "czeka 1 karta: trzeba ją", 3: "czekają 3 karty: trzeba je", 6: "czeka 6 kart:"},
        ),
        ("cs", {1: "čeká 1 karta: přijmi ji,", 3: "čekají 3 karty:", 6: "čeká 6 karet:"}),
        ("sk", {1: "čaká 1 karta: prijmi ju ", 3: "čakajú 3 karty:", 6: "čaká 6 kariet:"}),
        ("ru", {1: "набралась 1 карта:", 3: "набралось 3 карты:", 21: "набралась 21 карта:"}),
    ],
)
def test_a_stack_agrees_with_its_number(lang: str, hits: dict[int, str]) -> None:
    for count, text in hits.items():
        ruling = Ruling("illegal", "house.stacking", {"seat": 1, "count": count})
        assert text in render_ruling(ruling, lang, SEATS)["text"]


def test_what_to_put_right_comes_with_an_illegal_play_only() -> None:
    illegal, ruleset = ruling_on(f"classic-108 {TURN}", "1 blue-3")
    assert render_ruling(illegal, "en", SEATS, ruleset)["put_right"] == (
        "Take back what was laid. Nothing else changes."
    )
    legal, _ = ruling_on(f"classic-108 {TURN}", "1 red-3")
    assert render_ruling(legal, "en", SEATS, ruleset) == {
        "text": "That is in order.",
        "put_right": None,
    }


def test_a_legal_play_under_a_house_rule_says_whose_rule_it_is() -> None:
    stacked = "classic-112 5,6,3 1> respond red-draw-two stack=2 laid=3:1 stacking=same"
    ruling, ruleset = ruling_on(stacked, "1 blue-draw-two")
    assert render_ruling(ruling, "en", SEATS, ruleset)["text"] == (
        "Stacking: this table's own rule. The sheet says: Whoever is hit by a draw card draws and "
        "loses the turn. Draw cards are not stacked."
    )
    german = render_ruling(ruling, "de", SEATS, ruleset)["text"]
    assert german.startswith("Stapeln: eigene Regel dieses Tisches. In der Anleitung steht: ")


def test_the_host_has_ruled() -> None:
    ruling = decide(
        position_from_text(f"classic-108 {TURN}"), Overruled(Play(1, "blue-3"), "legal")
    ).ruling
    assert render_ruling(ruling, "en", SEATS)["text"] == "The host has ruled that this stands."


def test_a_rule_without_a_sentence_is_never_called_by_its_title() -> None:
    ruleset = find_ruleset("power-grab")
    ruling = Ruling("illegal", "tower.all-four", {})
    text = "The rules do not allow that."
    assert render_ruling(ruling, "en", SEATS, ruleset)["text"] == text
    assert render_ruling(ruling, "en", SEATS)["text"] == text


def test_a_language_that_is_missing_falls_back_to_english() -> None:
    ruling = Ruling("illegal", "uno.catch", {"seat": 1, "accused": 2})
    for lang in ("xx", "../../rules/variants/moomin/locales/en", ""):
        assert render_ruling(ruling, lang, SEATS)["text"] == "Bo has not forgotten to call UNO."


@pytest.mark.parametrize("name", ["{card}", "{0.__class__}", "%s", "{", "}}", "{accused.__dict__}"])
def test_nothing_in_a_name_or_a_card_is_looked_up(name: str) -> None:
    ruling = Ruling("illegal", "uno.catch", {"seat": 1, "accused": 2, "card": "red-7"})
    said = render_ruling(ruling, "en", ("Ann", name))["text"]
    assert said == f"{name} has not forgotten to call UNO."
    unknown = Ruling("illegal", "deck.unknown", {"card": name})
    said = render_ruling(unknown, "en", SEATS)["text"]
    assert said == f"This deck has no such card: {name}."


AGREEING = """
[card]
colored = { name = "{color} {symbol}", a = "en {color} {symbol}", n-a = "ett {color} {symbol}" }
[card-color]
red = { name = "röd", n = "rött", gen = "röds", n-gen = "rötts" }
[symbol]
skip = { name = "stoppkort", gender = "n", gen = "stoppkorts" }
7 = { name = "7", gen = "7:ans" }
wild = { name = "joker", a = "en joker" }
[event]
played = "{seat}: {card} | {card:a} | {card:gen}"
round-opened = "{opening:gen}!"
"""


@pytest.mark.parametrize(
    ("card", "said"),
    [
        ("red-skip", "Bo: rött stoppkort | ett rött stoppkort | rötts stoppkorts"),
        ("red-7", "Bo: röd 7 | en röd 7 | röds 7:ans"),
        ("red-8", "Bo: röd 8 | en röd åtta | röds 8"),
        ("wild", "Bo: joker | en joker | joker"),
    ],
)
def test_colour_and_article_agree_with_the_card(tmp_path: Path, card: str, said: str) -> None:
    (tmp_path / "locales").mkdir()
    (tmp_path / "locales" / "sv.toml").write_text(AGREEING, encoding="utf-8")
    speaker = Speaker("sv", SEATS, replace(find_ruleset("classic-108"), folder=tmp_path))
    assert speaker.say("event", "played", speaker.words({"seat": 2, "card": card})) == said
    opening = speaker.words({"opening": [card, "red-7"]})
    form = said.rpartition(" | ")[2]
    assert (
        speaker.say("event", "round-opened", opening)
        == f"{form[0].upper()}{form[1:]} och röds 7:ans!"
    )
