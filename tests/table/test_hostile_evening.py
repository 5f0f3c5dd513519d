"""A sample of the hostile evenings; ``python -m tests.table.hostile`` plays more."""

from pathlib import Path

import pytest

from tests.table.hostile import DECKS, play

STEPS = 300


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(1, len(DECKS)))]
)
def test_a_hostile_evening(tmp_path: Path, seed: int) -> None:
    answers = play(tmp_path, range(seed, seed + 1), STEPS)
    statuses = {name.rpartition(" ")[2] for name in answers}
    assert statuses >= {"200", "201", "403", "409", "422"}
    assert sum(n for name, n in answers.items() if name == "POST moves 201") > STEPS / 10
