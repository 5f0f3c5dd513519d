"""Random games with random corrections hold."""

import pytest

from tests.rules.independent_games import independent_games
from tests.rules.simulation import RULESETS
from tests.service.corrected_games import play_all
from tests.service.correction_soak import soak

EVERY_KIND = {
    *("undo", "redo", "overrule", "replace", "insert", "hand-count"),
    *("opening", "break-off"),
}


def test_games_hold_with_corrections_of_every_kind() -> None:
    tally = soak(len(RULESETS), seed=8)
    assert set(tally.made) == EVERY_KIND
    assert tally.moves > 200


@pytest.mark.soak
def test_many_games_hold_with_corrections() -> None:
    tally = soak(500)
    assert set(tally.made) == EVERY_KIND
    assert tally.set_aside > 100


@pytest.mark.soak
def test_games_of_an_independent_referee_hold_when_mistakes_are_corrected() -> None:
    tally = play_all(independent_games())
    assert tally["games"] > 10
    assert min(tally[kind] for kind in ("undo", "redo", "replace", "insert")) > 20
