"""Whatever is done at a table, all that was promised holds. tests/contract/test_fuzz.py is more."""

import pytest

from tests.random_tables.driver import Tally, play_tables
from tests.random_tables.transports import in_process

CORRECTIONS = {
    *("undo", "redo", "overrule", "replace", "insert", "hand-count", "opening"),
    *("result", "break-off"),
}


def play(mix: str, seeds: range, steps: int) -> Tally:
    found: list[str] = []
    with in_process() as nobody:
        tally = play_tables(nobody, mix, seeds, steps, found)
    assert not found, "\n".join(found)
    return tally


def test_games_with_corrections_of_every_kind() -> None:
    tally = play("corrections", range(17, 22), 36)
    assert set(tally["corrections"]) >= CORRECTIONS


def test_games_with_nonsense() -> None:
    tally = play("nonsense", range(1, 3), 5)
    assert tally["entries"].total() > 0


@pytest.mark.soak
def test_many_games_with_corrections() -> None:
    tally = play("corrections", range(1, 121), 100)
    assert set(tally["corrections"]) >= CORRECTIONS
    assert tally["corrections"]["rounds aside"] > 30


@pytest.mark.soak
def test_many_games_with_nonsense() -> None:
    tally = play("nonsense", range(10, 22), 45)
    assert min(tally["entries"][kind] for kind in ("moved", "observed", "corrected")) > 20
    assert min(tally["rules"][rule] for rule in ("deck.unknown", "turn.order", "match")) > 1
    assert len(tally["meanings"]) > 5
