"""Random games with random corrections hold."""

import pytest

from tests.rules.simulation import RULESETS
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
