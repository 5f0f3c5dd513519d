"""Nonsense that was logged breaks nothing: no fold, no answer, no explanation of the pile."""

from pathlib import Path

import pytest

from tests.service.nonsense_soak import play_tables


def test_logs_with_nonsense_are_folded_and_answered(tmp_path: Path) -> None:
    tally = play_tables(tmp_path, range(2), steps=4, every=6)
    assert tally.tables == 2
    assert tally.entries.total() > 0


@pytest.mark.soak
def test_many_logs_with_nonsense_are_folded_and_answered(tmp_path: Path) -> None:
    tally = play_tables(tmp_path, range(10, 22), steps=45, every=10)
    assert min(tally.entries[kind] for kind in ("moved", "observed", "corrected")) > 20
    assert min(tally.rules[rule] for rule in ("deck.unknown", "turn.order", "match")) > 1
    assert len(tally.meanings) > 5
