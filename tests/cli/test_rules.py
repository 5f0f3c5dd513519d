"""``referee rules``: the rulebooks from the command line."""

import json

import pytest

from referee.cli import main
from referee.rules.book.rulebook import rulebook
from referee.rules.ruleset import rulesets
from referee.texts import languages

Capture = pytest.CaptureFixture[str]


def test_every_rule_is_listed(capsys: Capture) -> None:
    assert main(["rules"]) == 0
    rows = {tuple(line.split()[:2]) for line in capsys.readouterr().out.splitlines()}
    for name, ruleset in rulesets().items():
        for rule in rulebook(ruleset).values():
            assert ("all" if rule.document is None else name, rule.id) in rows


def test_a_list_can_be_of_one_ruleset(capsys: Capture) -> None:
    assert main(["rules", "--ruleset", "moomin"]) == 0
    lines = capsys.readouterr().out.splitlines()[1:]
    assert {line.split()[0] for line in lines} == {"moomin", "all"}


def test_a_rule_is_told_with_its_source_and_rulings(capsys: Capture) -> None:
    assert main(["rules", "tower.protect"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("power-grab  tower.protect: What a tower protects from\n")
    assert "[the rule sheet of “Power Grab, 112 cards and four towers”]" in out
    assert "  R11: " in out


def test_several_words_must_all_occur(capsys: Capture) -> None:
    assert main(["rules", "green", "tower", "challenge", "--ruleset", "power-grab"]) == 0
    out = capsys.readouterr().out
    assert "power-grab  challenge: " in out
    assert "opening.number" not in out


@pytest.mark.parametrize("query", ["R7", "r7"])
def test_a_ruling_is_found_by_its_number(capsys: Capture, query: str) -> None:
    assert main(["rules", query]) == 0
    assert "R7: Reverse between two players" in capsys.readouterr().out


def test_json_has_everything(capsys: Capture) -> None:
    assert main(["rules", "match", "--ruleset", "classic-112", "--json"]) == 0
    first = json.loads(capsys.readouterr().out)["rules"][0]
    assert first["id"] == "match"
    assert first["ruleset"] == "classic-112"
    assert first["source"] == "the rule sheet of “Classic, 112 cards”"
    assert first["languages"] == ["da"]


def test_nothing_found_is_said(capsys: Capture) -> None:
    assert main(["rules", "zeppelin", "--ruleset", "moomin"]) == 1
    assert capsys.readouterr().err == "referee rules: no rule in moomin mentions 'zeppelin'\n"


def test_an_unknown_ruleset_is_said(capsys: Capture) -> None:
    assert main(["rules", "--ruleset", "whist"]) == 2
    known = ", ".join(rulesets())
    assert f"there is no ruleset 'whist' (known: {known})" in capsys.readouterr().err


def test_rules_are_looked_up_in_another_language(capsys: Capture) -> None:
    assert main(["rules", "hoppa", "over", "--ruleset", "classic-108", "--lang", "sv"]) == 0
    assert "classic-108  card.skip: Hoppa-över-kort" in capsys.readouterr().out


def test_a_power_and_a_card_are_explained(capsys: Capture) -> None:
    assert main(["rules", "--ruleset", "color-powers", "--power", "blue"]) == 0
    assert "power.blue: The power of blue" in capsys.readouterr().out
    assert main(["rules", "--ruleset", "moomin", "--card", "wild-tales", "--lang", "nb"]) == 0
    assert "card.wild-tales: Wild Tales From Moominvalley" in capsys.readouterr().out
    assert main(["rules", "--ruleset", "moomin", "--card", "pink-3"]) == 2
    assert main(["rules", "--card", "red-3"]) == 2


def test_a_card_whose_player_has_left_can_only_be_accepted(capsys: Capture) -> None:
    left = "classic-108 5,6,- 1> respond wild-draw-four>blue laid=3:1 before=green"
    assert main(["rules", "--now", left]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Now: Seat 1 accepts the wild draw four.")
    assert "hallenge" not in out


def test_what_may_be_done_now(capsys: Capture) -> None:
    assert main(["rules", "--now", "classic-108 7,7,7 2> play red-7", "--lang", "da"]) == 0
    out = capsys.readouterr().out
    assert 'Træk et kort. [draw, regelarket til "Klassisk, 108 kort"]' in out
    assert main(["rules", "--now", "nonsense"]) == 2


def test_a_language_that_is_not_spoken_is_said(capsys: Capture) -> None:
    with pytest.raises(SystemExit):
        main(["rules", "--lang", "xx"])
    assert f"must be one of {', '.join(languages())}" in capsys.readouterr().err
