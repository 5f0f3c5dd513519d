"""The demo of every deck: no card of a hand is told, no legal play refused."""

import io
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from rich.console import Console

from referee.demo.players.captions import opening_caption
from referee.demo.rounds.game import LIVELY, Outcome, Plan
from referee.demo.show.report import print_report
from referee.demo.show.svg_show import SvgShow
from referee.rules.presets import OFFICIAL
from referee.rules.ruleset import find_ruleset, rulesets
from tests.conftest import ROOT
from tests.demo.in_process import app_for_demos, played


@pytest.fixture(scope="module", autouse=True)
def _app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with app_for_demos(tmp_path_factory.mktemp("demos")):
        yield


@pytest.mark.parametrize("ruleset", rulesets())
def test_a_short_demo(ruleset: str) -> None:
    outcome = played(Plan(ruleset, target=1))
    assert outcome.state["winner"] is not None
    assert outcome.rulings


def test_the_picture_in_the_documents_is_of_this_demo(tmp_path: Path) -> None:
    with SvgShow(tmp_path / "demo.svg") as show:
        played(Plan("power-grab", seed=6), show)
    pictures = [
        file.read_text(encoding="utf-8") for file in (show.path, ROOT / "docs" / "demo.svg")
    ]
    # Nothing is fetched: the one address is the name of the SVG language.
    assert [picture.count("http") for picture in pictures] == [1, 1]
    drawn, shown = (re.sub(r"terminal-\d+|<[^>]*>", "", picture) for picture in pictures)
    assert shown == drawn, "docs/demo.md says how to draw it"


def test_nobody_calls_uno_a_second_time() -> None:
    habits = replace(LIVELY, calls_by_mistake=1.0)
    outcome = played(Plan("classic-108", target=1, habits=habits))
    called = [
        (before.state, after.move)
        for before, after in pairwise(outcome.played)
        if after.move is not None and after.move["move"] == "uno"
    ]
    assert called
    assert not any(move["seat"] in state["uno"] for state, move in called)


def test_numbers_are_told_as_people_say_them() -> None:
    outcome = Outcome(
        ("Ann", "Bo"), {"winner": 2}, [{}], repeated=1, seconds=1.0, move_seconds=[0.1],
        event_seconds=[0.1], rulings=Counter({("legal", "match"): 1, ("illegal", "match"): 1}),
    )  # fmt: skip
    text = io.StringIO()
    print_report(Console(file=text, width=200), outcome, find_ruleset("classic-108"))
    for words in (
        "Bo won the game of Classic, 108 cards, after 1 round.",
        "1 legal play, none refused; 1 illegal one, none passed.",
        "1 move was sent twice, as after a lost response, and counted once.",
        "1 move in 1.0 s",
    ):
        assert words in text.getvalue()


def test_a_deal_names_the_cards_as_people_do() -> None:
    entry = {"dealer": 2, "opening": ["wild-draw-four", "red-7:U"], "announcements": [], "round": 1}
    caption = opening_caption(entry, ("Ann", "Bo"))
    assert caption.text == "Bo deals and turns up a wild draw four, then a red 7 with U."


@pytest.mark.parametrize(
    ("house", "seed"),
    [
        (OFFICIAL, 6),
        pytest.param(OFFICIAL, 7, marks=pytest.mark.soak),
        pytest.param("home", 8, marks=pytest.mark.soak),
        ("party", 9),
    ],
)
@pytest.mark.parametrize("ruleset", rulesets())
def test_longer_demos(ruleset: str, house: str, seed: int) -> None:
    outcome = played(Plan(ruleset, seed=seed, target=200, house=house))
    assert outcome.state["winner"] is not None
