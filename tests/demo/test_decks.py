"""The demo of every deck: no card of a hand is told, no legal play refused."""

from collections.abc import Iterator

import pytest

from referee.demo.game import Plan
from referee.rules.presets import OFFICIAL
from referee.rules.ruleset import rulesets
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
